import type { Import } from '@roster/client';
import { fieldOf, kindOf, type ColumnChoice, type PreviewColumn } from './column-choice.ts';

/** Why the service would refuse a mapping, or a note on it. Each has a text in `mapping.faults`. */
export interface MappingFault {
  readonly kind: 'repeatedName' | 'repeatedField' | 'noIdentity' | 'noIdentityToUpdate' | 'leftOutTogether';
  /** The name that the text mentions: a header, or a field. */
  readonly name: string;
  /** The service would refuse the import. */
  readonly isFatal: boolean;
}

/** What a mapping is checked against. */
export interface MappingRules {
  readonly format: 'csv' | 'ndjson';
  readonly mode: Import['mode'];
  readonly primaryKey: string;
}

/** Finds what is wrong with a mapping, as the service does before it reads the rows. */
export function findMappingFaults(
  columns: readonly PreviewColumn[],
  choices: Readonly<Record<string, ColumnChoice>>,
  { format, mode, primaryKey }: MappingRules,
): readonly MappingFault[] {
  // The objects of NDJSON can have other keys after the first lines, and in any letter case.
  const isCsv = format === 'csv';
  const used = columns.flatMap(({ header }) => {
    const choice = choices[header] ?? null;
    return kindOf(choice) === 'skip' ? [] : [{ header, choice, name: targetOf(choice) }];
  });
  const faults: MappingFault[] = [];
  if (isCsv) {
    const usedHeaders = used.map(({ header }) => header.toLowerCase());
    for (const header of repeatedOf(columns.map((column) => column.header))) {
      const isUsed = usedHeaders.includes(header.toLowerCase());
      faults.push({ kind: isUsed ? 'repeatedName' : 'leftOutTogether', name: header, isFatal: isUsed });
    }
    for (const header of repeatedOf(usedHeaders)) {
      if (faults.some(({ name }) => name.toLowerCase() === header)) continue;
      const { header: name } = used[usedHeaders.indexOf(header)]!;
      faults.push({ kind: 'repeatedName', name, isFatal: true });
    }
    const distinct = used.filter((_, at) => usedHeaders.indexOf(usedHeaders[at]!) === at);
    const names = distinct.flatMap(({ name }) => (name === undefined || name.endsWith('_OPTED_OUT') ? [] : [name]));
    for (const name of repeatedOf(names)) faults.push({ kind: 'repeatedField', name, isFatal: true });
  }
  const identifying =
    mode === 'update' ? ['IDENTITY', primaryKey, 'EMAIL', 'MOBILE', 'CONTACT_ID'] : ['IDENTITY', primaryKey];
  if (!used.some(({ name }) => name !== undefined && identifying.includes(name))) {
    const kind = mode === 'update' ? 'noIdentityToUpdate' : 'noIdentity';
    faults.push({ kind, name: primaryKey, isFatal: isCsv });
  }
  return faults;
}

/** Returns the field or attribute that a column is written to; undefined for lists and JSON. */
function targetOf(choice: ColumnChoice): string | undefined {
  if (choice !== null && typeof choice === 'object' && 'automatic' in choice) return choice.automatic;
  return fieldOf(choice)?.field;
}

/** Returns each text that occurs more than once. */
function repeatedOf(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text, at) => texts.indexOf(text) !== at))];
}
