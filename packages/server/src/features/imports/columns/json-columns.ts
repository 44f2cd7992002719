import { importLimits } from '@roster/contract';
import type { FoundColumn } from '#platform/database/schema/tables/imports.ts';
import { ImportFailure } from '../store/import-failure.ts';
import { findColumn, refuseUnknown } from './find-columns.ts';
import { givenKey, type ColumnScope } from './given-columns.ts';
import { nameOf, requireUsableHeader } from './header.ts';

/** Returns true for a column of the file, and false for a key in the JSON of a column. */
export function isInFile({ json_key }: FoundColumn): boolean {
  return json_key === undefined;
}

/**
 * Adds a column for each key in the JSON of a column, after the columns of the file. `keys` has the
 * keys by the header of their column.
 *
 * A key is only written to an attribute. If another column already fills that attribute, the key is
 * left out. Throws the failures of `refuseUnknown`.
 */
export function addJsonColumns(
  columns: readonly FoundColumn[],
  keys: ReadonlyMap<string, ReadonlySet<string>>,
  scope: ColumnScope,
): FoundColumn[] {
  const all = [...columns];
  const names = new Set(columns.map(({ name }) => name));
  for (const [source, { header: parent, meaning }] of columns.entries()) {
    if (meaning !== 'json') continue;
    for (const key of keys.get(parent) ?? []) {
      const header = `${parent}.${key}`;
      requireUsableHeader(header);
      all.push(keyColumn({ header, json_key: key, json_column: source }, scope, names));
    }
  }
  if (all.length > importLimits.columns) {
    throw new ImportFailure('header_invalid', `The JSON cells have more than ${importLimits.columns} different keys.`);
  }
  refuseUnknown(all, scope);
  return all;
}

function keyColumn(
  place: Pick<FoundColumn, 'header' | 'json_key' | 'json_column'>,
  scope: ColumnScope,
  names: Set<string | undefined>,
): FoundColumn {
  const column = givenKey(place.header, scope) ?? findColumn(place.header, scope, nameOf(place.json_key!));
  if (column.meaning !== 'attribute' && column.meaning !== 'unknown') {
    const note = column.meaning === 'skipped' ? column.note : 'Left out: only attributes can be in JSON cells.';
    return { ...place, meaning: 'skipped', ...(note === undefined ? {} : { note }) };
  }
  if (names.has(column.name)) {
    return { ...place, meaning: 'skipped', note: `Left out: another column is written to ${column.name}.` };
  }
  names.add(column.name);
  return { ...column, ...place };
}

/** Returns a value in a JSON cell as the value of an attribute: objects and arrays become text. */
export function asAttribute(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const isPlain = Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes(','));
  return isPlain ? value.join(', ') : JSON.stringify(value);
}
