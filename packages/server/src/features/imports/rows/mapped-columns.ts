import type { DataType } from '@roster/contract';
import type { FoundColumn } from '#platform/database/schema/tables/imports.ts';
import { unguarded } from '#platform/csv/formula-guard.ts';
import { tryExactJson } from '#platform/http/json/parse-json.ts';
import type { Registry } from '#features/registry/registry.ts';
import { nameOf } from '../columns/header.ts';
import { asAttribute, isInFile } from '../columns/json-columns.ts';
import { optOutReader, type OptOutEffect } from '../columns/opt-out-words.ts';
import type { ImportRow } from '../store/import-store.ts';
import { isJson, rowFailure, type JsonField, type RawRow, type RowFailure } from './file-row.ts';
import { isGuardedCsv } from './formula-guard.ts';

/** A column that is written to contacts. */
export interface MappedColumn extends FoundColumn {
  /** Index of the column in the file, or of the column with the JSON that has the value. */
  readonly index: number;
  /** Name of the attribute or field. */
  readonly name: string;
  readonly dataType: DataType | undefined;
  readonly isMasked: boolean;
  /** An empty or blank text is a value of a text attribute. Other types have no such value. */
  readonly isText: boolean;
  readonly effectOf: (value: unknown) => OptOutEffect;
}

/** Returns the columns of an import that are written to contacts. */
export function mappedColumns(columns: readonly FoundColumn[], registry: Registry): MappedColumn[] {
  return columns.flatMap((column, index) => {
    if (column.meaning === 'skipped' || column.meaning === 'unknown' || column.meaning === 'json') return [];
    const attribute = column.attribute_id === undefined ? undefined : registry.byId(column.attribute_id);
    const dataType = attribute?.dataType ?? column.new_type;
    return {
      ...column,
      index: column.json_column ?? index,
      name: attribute?.name ?? column.name ?? '',
      dataType,
      isMasked: attribute !== undefined && attribute.dataMasking !== 'none',
      isText: column.meaning === 'attribute' && (dataType === 'text' || dataType === 'long_text'),
      effectOf: optOutReader(column),
    };
  });
}

/**
 * Returns a function that reads a row: it returns the value of each mapped column, or why the row
 * cannot be read.
 */
export function createValueReader(
  importRow: ImportRow,
  columns: readonly MappedColumn[],
): (cells: RawRow['cells']) => readonly unknown[] | RowFailure {
  const names = importRow.columns.filter(isInFile).map(({ header }) => nameOf(header));
  const keys = columns.map(({ json_key: key }) => (key === undefined ? undefined : nameOf(key)));
  const jsonColumns = importRow.columns.flatMap(({ meaning, header }, index) =>
    meaning === 'json' ? { header, index } : [],
  );
  const isCsv = importRow.format === 'csv';
  const isGuarded = isGuardedCsv(importRow);

  return (given) => {
    const cells: readonly unknown[] = isJson(given) ? names.map((name) => given.get(name)?.value) : given;
    const repeated = isJson(given) ? columns.find(({ index }) => given.get(names[index]!)?.isRepeated) : undefined;
    if (repeated !== undefined) return rowFailure('row_names_repeated', repeated.header);
    if (isCsv && cells.length !== names.length) return rowFailure('row_cells');
    const objects = new Map<number, ReadonlyMap<string, JsonField>>();
    for (const { header, index } of jsonColumns) {
      const object = objectIn(cells[index]);
      if (object === undefined) return rowFailure('row_json', header);
      objects.set(index, object);
    }
    const values: unknown[] = [];
    for (const [at, { index, header }] of columns.entries()) {
      const key = keys[at];
      const field = key === undefined ? undefined : objects.get(index)!.get(key);
      if (field?.isRepeated === true) return rowFailure('row_names_repeated', header);
      const value = key === undefined ? cells[index] : field?.value;
      values.push(isGuarded && typeof value === 'string' ? unguarded(value) : value);
    }
    return values;
  };
}

/** Returns the path of a column's value in a contact, as faults and failures name it. */
export function pathOf({ meaning, name }: MappedColumn): string {
  if (meaning === 'attribute') return `attributes.${name}`;
  return meaning === 'contact_object' ? name : meaning;
}

/** Tells whether a value of the file has nothing. */
export function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/**
 * Returns the fields of a JSON object in a cell, by their names. An empty cell has none. Returns
 * undefined for a cell without an object. A value that is an object or an array becomes its text.
 */
function objectIn(cell: unknown): ReadonlyMap<string, JsonField> | undefined {
  if (cell === undefined || isBlank(cell)) return new Map();
  const value = typeof cell === 'string' ? tryExactJson(cell) : cell;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = new Map<string, JsonField>();
  for (const [key, field] of Object.entries(value)) {
    const name = nameOf(key);
    fields.set(name, { key, value: asAttribute(field), isRepeated: fields.has(name) });
  }
  return fields;
}
