import { importPreset, presetColumns, unknownName, type GivenColumn } from '@roster/contract';
import type { Registry } from '#features/registry/registry.ts';
import type { FoundColumn, GivenFile } from '#platform/database/schema/tables/imports.ts';
import type { ImportRow } from '../store/import-store.ts';
import { ImportFailure } from '../store/import-failure.ts';
import { knownColumn, namesOf } from './fields.ts';
import { nameOf } from './header.ts';

/** What the columns of a file are resolved against. */
export interface ColumnScope extends Pick<ImportRow, 'mode' | 'unknown_columns'> {
  readonly registry: Registry;
  readonly given: Pick<GivenFile, 'columns' | 'preset'>;
}

/**
 * Returns the columns that the preset and then `columns` of the import map, by their headers in the
 * file. Throws `columns_not_found` when a header or a field does not exist.
 */
export function givenColumns(headers: readonly string[], scope: ColumnScope): Map<string, FoundColumn> {
  const { given, registry } = scope;
  const found = new Map<string, FoundColumn>();
  if (given.preset !== undefined) {
    const columns = presetColumns(importPreset(given.preset), headers);
    for (const [header, column] of columns) {
      // The names of the account are more certain than the usual words of spreadsheets.
      const isKnown = given.preset === 'spreadsheet' && knownColumn(header, nameOf(header), registry) !== undefined;
      if (!isKnown) found.set(header, asFound(header, column, scope));
    }
  }
  const json = new Set<string>();
  const later: string[] = [];
  for (const [name, column] of Object.entries(given.columns ?? {})) {
    const header = findHeader(headers, name);
    if (header === undefined) later.push(name);
    else for (const one of meantHeaders(headers, header, name, column)) found.set(one, asFound(one, column, scope));
  }
  for (const [header, { meaning }] of found) if (meaning === 'json') json.add(header.toLowerCase());
  // `attributes.likes` is a key in the JSON of the column `attributes`. It is known after reading.
  const missing = later.find((name) => !json.has(name.slice(0, Math.max(name.indexOf('.'), 0)).toLowerCase()));
  if (missing === undefined) return found;
  throw new ImportFailure(
    'columns_not_found',
    unknownName(`"${missing.slice(0, 62)}"`, 'a column of the file', headers),
  );
}

/**
 * Returns the meaning that `columns` or the preset gives to one header; undefined if none does. Use
 * it for a key in JSON, which is not a column of the file.
 */
export function givenKey(header: string, scope: ColumnScope): FoundColumn | undefined {
  const { columns = {}, preset } = scope.given;
  const name = findHeader(Object.keys(columns), header);
  if (name !== undefined) return asFound(header, columns[name]!, scope);
  const column = preset === undefined ? undefined : presetColumns(importPreset(preset), [header]).get(header);
  return column === undefined ? undefined : asFound(header, column, scope);
}

/** Returns a column with the meaning that it was given. */
function asFound(header: string, column: GivenColumn, scope: ColumnScope): FoundColumn {
  if (column === null) return { header, meaning: 'skipped', note: 'Left out, as requested.' };
  if (typeof column === 'string') return fieldColumn(header, column, scope);
  if ('list_names' in column) {
    return {
      header,
      meaning: 'list_names',
      separator: column.separator ?? ',',
      note: 'Each name is a list. Lists that do not exist are created.',
    };
  }
  if ('json' in column) return { header, meaning: 'json', note: 'Its keys are read as columns.' };
  const { field, data_type, ...options } = column;
  const found = fieldColumn(header, field, scope, data_type);
  return found.meaning === 'skipped' ? found : { ...found, ...options };
}

function fieldColumn(
  header: string,
  field: string,
  { mode, registry }: ColumnScope,
  dataType?: FoundColumn['data_type'],
): FoundColumn {
  if (field === 'CONTACT_ID' && mode === 'update') return { header, meaning: 'contact_id', name: field };
  if (field === 'CREATED_AT') {
    return mode === 'update'
      ? { header, meaning: 'skipped', note: 'Left out: an update does not change the sign-up date.' }
      : { header, meaning: 'created_at', name: field, note: 'The sign-up date of new contacts.' };
  }
  const column = knownColumn(header, field, registry);
  if (column === undefined && dataType !== undefined)
    return { header, meaning: 'unknown', name: field, new_type: dataType };
  if (column !== undefined && column.meaning !== 'skipped') return column;
  const reason =
    column === undefined
      ? unknownName(field, 'a field or an attribute of the account', namesOf(registry))
      : `${field} cannot be written.`;
  throw new ImportFailure(
    'columns_not_found',
    `The column "${header.slice(0, 64)}" cannot be written to ${field}. ${reason}`,
  );
}

/**
 * Returns the headers that an entry of `columns` means. A name that is left out in another letter
 * case can mean several.
 */
function meantHeaders(headers: readonly string[], header: string, name: string, column: GivenColumn): string[] {
  if (column !== null || header === name.trim()) return [header];
  return headers.filter((one) => one.toLowerCase() === header.toLowerCase());
}

/**
 * Finds the header that a caller means: the same text, then the same text in another letter case,
 * then the only header with the same {@link nameOf}.
 */
function findHeader(headers: readonly string[], name: string): string | undefined {
  const [exact, lower, meant] = [name.trim(), name.trim().toLowerCase(), nameOf(name)];
  const same = headers.filter((one) => nameOf(one) === meant);
  return (
    headers.find((one) => one === exact) ??
    headers.find((one) => one.toLowerCase() === lower) ??
    (same.length === 1 ? same[0] : undefined)
  );
}
