import type { Import } from '@roster/client';
import type { ImportPreset } from '@roster/contract/presets/import-preset.ts';
import { importPreset, presetColumns, recognizePreset } from '@roster/contract/presets/import-presets.ts';
import { isAttributeName } from '@roster/contract/text/attribute-names.ts';
import { nearestName } from '@roster/contract/text/nearest-name.ts';
import { readWrittenNumber, type WrittenNumberFormat } from '@roster/contract/text/written-numbers.ts';
import { readWrittenDate, type WrittenDateFormat } from '@roster/contract/text/written-dates.ts';
import {
  attributeNameOf,
  contactFields,
  fieldOf,
  validNameOf,
  type ColumnChoice,
  type PreviewColumn,
} from './column-choice.ts';

/** An attribute of the account. */
export interface KnownAttribute {
  readonly name: string;
  readonly dataType: string;
}

/** Columns that an import cannot write, or that Roster added to a file of failures. */
const skipped = new Set([
  'CONTACT_ID',
  'UPDATED_AT',
  'LIST_ID',
  'SEGMENT_ID',
  'IMPORT_LINE',
  'IMPORT_COLUMN',
  'IMPORT_CODE',
  'IMPORT_REASON',
  'ROSTER:FORMULA_GUARD',
]);

/** Describes the columns of a file, and suggests what each means. No two get the same meaning. */
export function describeColumns(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  {
    attributes,
    earlier,
  }: { readonly attributes: readonly KnownAttribute[]; readonly earlier: Import['given_columns'] | undefined },
): { readonly columns: readonly PreviewColumn[]; readonly preset: ImportPreset | undefined } {
  const preset = recognizePreset(headers);
  const known = presetColumns(preset ?? importPreset('spreadsheet'), headers);
  const types = new Map(attributes.map(({ name, dataType }) => [name, dataType]));
  const repeated = new Set(headers.filter((header, index) => headers.indexOf(header) !== index));
  const taken = new Set<string>();
  const values = headers.map((_, index) => samplesOf(rows, index));
  const names = [...contactFields, ...types.keys()];

  function exact(header: string): ColumnChoice | undefined {
    const name = attributeNameOf(header);
    if (earlier !== undefined && Object.hasOwn(earlier, header)) return earlier[header];
    if (preset !== undefined && known.has(header)) return known.get(header)!;
    if (skipped.has(name)) return null;
    if ((contactFields as readonly string[]).includes(name)) return name;
    if (types.has(name)) return name;
    return known.get(header);
  }

  function unique(choice: ColumnChoice | undefined): ColumnChoice | undefined {
    const field = choice === undefined ? undefined : fieldOf(choice)?.field;
    if (field === undefined || field.endsWith('_OPTED_OUT')) return choice;
    if (taken.has(field)) return undefined;
    taken.add(field);
    return choice;
  }

  // Certain names first, so that a similar name cannot take the field of an exact one.
  const certain = headers.map((header) => (repeated.has(header) ? null : unique(exact(header))));
  const columns = headers.map((header, index): PreviewColumn => {
    const samples = values[index]!;
    const first = { header, at: index, samples: samples.slice(0, 3) };
    // The mapping names columns by their headers, so these columns cannot have different meanings.
    if (repeated.has(header)) return { ...first, looksLike: typeOf(samples), suggestion: null };
    const looksLike = typeOf(samples);
    // Only typing errors: if nobody notices a wrong suggestion, wrong values are stored.
    const near = certain[index] === undefined ? unique(nearestName(attributeNameOf(header), names, 1)) : undefined;
    const choice = certain[index] === undefined ? (near ?? newAttribute(header, looksLike, samples)) : certain[index];
    return { ...first, looksLike, suggestion: withFormat(choice, samples, types) };
  });
  return { columns, preset };
}

const plain = {
  date: /^\d{4}-\d\d-\d\d$/,
  datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
};

/** Tells whether the service reads the dates without their format, and finds the type of a new attribute. */
function isPlain(samples: readonly string[], type: 'date' | 'datetime'): boolean {
  return samples.every((sample) => plain[type].test(sample));
}

function newAttribute(header: string, looksLike: PreviewColumn['looksLike'], samples: readonly string[]): ColumnChoice {
  const format = looksLike === 'text' ? numberFormatOf(samples) : undefined;
  if (format !== undefined) return { field: validNameOf(header), data_type: 'number', number_format: format };
  const name = attributeNameOf(header);
  if (looksLike === 'date' && !isPlain(samples, 'date') && !isPlain(samples, 'datetime')) {
    const hasTime = samples.some((sample) => sample.includes(':'));
    return { field: validNameOf(header), data_type: hasTime ? 'datetime' : 'date' };
  }
  return isAttributeName(name) ? { automatic: name } : { field: validNameOf(header), data_type: looksLike };
}

/** Adds the format of dates or numbers that the samples have. */
function withFormat(
  choice: ColumnChoice,
  samples: readonly string[],
  types: ReadonlyMap<string, string>,
): ColumnChoice {
  const given = fieldOf(choice);
  if (given === undefined || samples.length === 0) return choice;
  const type = given.data_type ?? types.get(given.field);
  if (type === 'number') {
    const format = given.number_format ?? numberFormatOf(samples);
    return format === undefined ? choice : { ...given, number_format: format };
  }
  const isDate = given.field === 'CREATED_AT' || type?.startsWith('date') === true;
  const format = isDate ? dateFormatOf(samples) : undefined;
  if (format === undefined) return choice;
  const needsNone = given.field !== 'CREATED_AT' && given.date_format === undefined;
  if (needsNone && isPlain(samples, type === 'datetime' ? 'datetime' : 'date')) return choice;
  return { ...given, date_format: format };
}

/** Returns the format that all samples have. If a day can also be a month, the day comes first. */
function dateFormatOf(samples: readonly string[]): WrittenDateFormat | undefined {
  return (['ymd', 'dmy', 'mdy'] as const).find((format) =>
    samples.every((sample) => readWrittenDate(sample, format) !== undefined),
  );
}

/**
 * Returns the format that all samples have, if some have a comma and no other format fits. Leading
 * zeros, plus signs and more than 15 digits are signs of codes and phone numbers.
 */
export function numberFormatOf(samples: readonly string[]): WrittenNumberFormat | undefined {
  if (!samples.some((sample) => sample.includes(','))) return undefined;
  if (samples.some((sample) => /^(?:-?0\d|\+)/.test(sample) || sample.replaceAll(/\D/g, '').length > 15))
    return undefined;
  const fitting = (['comma', 'point'] as const).filter((format) =>
    samples.every((sample) => readWrittenNumber(sample, format) !== undefined),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

function samplesOf(rows: readonly (readonly string[])[], index: number): string[] {
  const found = new Set<string>();
  for (const row of rows) {
    const cell = row[index]?.trim();
    if (cell !== undefined && cell !== '') found.add(cell);
  }
  return [...found];
}

const booleanWord = /^(?:true|false|yes|no)$/i;
const plainNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;

function typeOf(samples: readonly string[]): PreviewColumn['looksLike'] {
  if (samples.length === 0) return 'text';
  if (samples.every((sample) => booleanWord.test(sample))) return 'boolean';
  if (samples.every((sample) => plainNumber.test(sample))) return 'number';
  return dateFormatOf(samples) === undefined ? 'text' : 'date';
}
