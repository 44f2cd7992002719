import { anonymousPrefix } from '@roster/contract';
import { sql, type RawBuilder } from 'kysely';
import { widenedText } from '#features/registry/coerce.ts';
import type { Attribute, StoredValue } from '#features/registry/registry.ts';
import { valueOfSlot } from '#features/registry/slots/slot-value.ts';
import { isIndexable } from '#features/registry/slots/slot.ts';
import { addressSql, type AddressColumn } from '#features/registry/stored-addresses.ts';
import type { CursorPosition, OutputField, SortKey } from './checked-output.ts';
import { fieldSql } from '../filter/columns.ts';
import type { ActivityAccount } from '../filter/activities/activity-sql.ts';
import { derivedJoin } from '../filter/activities/derived-sql.ts';
import { isInDocument, type Field } from '../filter/fields.ts';
import { mask } from '#features/registry/masking.ts';
import { documentColumn, documentJoin, sortColumn, type PageColumns } from './page.ts';

/** One row of the response. Its keys are spelled as in the request. */
export type AnswerRow = Record<string, unknown>;

type DatabaseRow = Readonly<Record<string, unknown>>;

/** Selects the columns of a search, and converts its rows. */
export interface RowReader extends PageColumns {
  readonly toAnswer: (row: DatabaseRow) => AnswerRow;
  /** Returns the position of a row, for the cursor of the next page. */
  readonly toPosition: (row: DatabaseRow) => CursorPosition;
}

/** Options of {@link createRowReader}. */
export interface RowOptions extends ActivityAccount {
  readonly unmasked: boolean;
  /** Deleted lists that are not yet removed from all contacts. */
  readonly removedLists: readonly number[];
}

// Up to so many attributes are read without documentJoin, which takes as long to plan as the rest of
// a small search.
const readOneByOne = 3;

/**
 * Makes the row reader for the output fields. It selects only the columns that they need.
 *
 * In the rows, a missing value is null, a timestamp is RFC 3339 in UTC with milliseconds, an
 * attribute has its data type, and masks are applied.
 */
export function createRowReader(
  sorting: readonly SortKey[],
  fields: readonly OutputField[],
  options: RowOptions,
): RowReader {
  const columns = new Map<string, RawBuilder<unknown>>();
  const sourceColumns = new Set<string>();
  const attributeKeys = [
    ...new Set(fields.flatMap(({ field }) => (isInDocument(field) ? [field.attribute!.key] : []))),
  ];
  const readsDocument = attributeKeys.length > readOneByOne;
  if (attributeKeys.length > 0) {
    const document = readsDocument ? documentColumn : sql.ref('contacts.attributes');
    const values = attributeKeys.map((key) => sql`${document}->${sql.lit(key)}`);
    columns.set('attributes', sql`jsonb_build_array(${sql.join(values)})`);
    sourceColumns.add('attributes');
  }
  const derived = fields.flatMap(({ field }) => (field.derived === undefined ? [] : [field]));
  if (derived.length > 0) {
    columns.set('derived', derivedColumn(derived, options));
    sourceColumns.add('contact_key');
  }
  const getters = fields.map(({ name, field }) => {
    if (field.derived !== undefined) return { name, get: derivedGetter(derived.indexOf(field), field) };
    const column = columnOf(field);
    if (column !== undefined) {
      columns.set(column, columnSql(column));
      for (const source of isAddress(column) ? [column, 'contact_key'] : [column]) sourceColumns.add(source);
    }
    const get =
      column === undefined
        ? attributeGetter(attributeKeys.indexOf(field.attribute!.key), field.attribute!)
        : columnGetter(field, column, options);
    return { name, get: options.unmasked ? get : masked(field, get) };
  });
  return {
    valueColumns: Array.from(columns, ([name, expression]) => sql`${expression} as ${sql.ref(name)}`),
    sourceColumns,
    join: readsDocument ? documentJoin : sql``,
    toAnswer(row) {
      // Use an object without a prototype, so that a field name such as `__proto__` is a plain key.
      const answer = Object.create(null) as AnswerRow;
      for (const { name, get } of getters) answer[name] = get(row);
      return answer;
    },
    toPosition: (row) => sorting.map(({ field }, index) => toPositionValue(field, row[sortColumn(index)])),
  };
}

type Getter = (row: DatabaseRow) => unknown;

/** Selects derived attributes of a contact. */
function derivedColumn(fields: readonly Field[], account: ActivityAccount): RawBuilder<unknown> {
  const values = fields.map((field) => {
    const { value } = fieldSql(field);
    // As a number, because the text would depend on the time zone of the session.
    return field.type === 'datetime' ? sql`extract(epoch from ${value}) * 1000` : value;
  });
  return sql`(select jsonb_build_array(${sql.join(values)}) from (select) as contact${derivedJoin(fields, account, 'each')})`;
}

function derivedGetter(index: number, { type }: Field): Getter {
  return (row) => {
    const value = (row['derived'] as readonly (number | null)[] | null)?.[index] ?? null;
    if (type === 'number') return value ?? 0;
    return value === null ? null : new Date(value).toISOString();
  };
}

/** Returns the column of a field; undefined for an attribute. */
function columnOf(field: Field): string | undefined {
  if (field.type === 'identity') return 'contact_key';
  if (field.type === 'list') return 'list_ids';
  return field.attribute === undefined ? field.name : undefined;
}

function columnSql(column: string): RawBuilder<unknown> {
  return isAddress(column) ? addressSql(column) : sql.ref(`contacts.${column}`);
}

function isAddress(column: string): column is AddressColumn {
  return column === 'email' || column === 'mobile';
}

function attributeGetter(index: number, { widenedFrom }: Attribute): Getter {
  const get: Getter = (row) => (row['attributes'] as StoredValue[])[index] ?? null;
  if (widenedFrom === null) return get;
  // The sweep may not have converted this value to text yet.
  return (row) => {
    const value = get(row) as StoredValue | null;
    return value === null ? null : widenedText(value);
  };
}

function columnGetter(field: Field, column: string, { removedLists }: RowOptions): Getter {
  if (field.type === 'identity') {
    return (row) => {
      const key = row[column] as string;
      return key.startsWith(anonymousPrefix) ? null : key;
    };
  }
  if (field.type === 'list') {
    return (row) => (row[column] as number[]).filter((id) => !removedLists.includes(id));
  }
  return (row) => toJson(row[column]);
}

/** Converts the value of a sort key. For an indexed attribute, it can be that of the slot. */
function toPositionValue({ type, attribute }: Field, value: unknown): CursorPosition[number] {
  const isSlot = typeof value === 'number' && attribute !== undefined && type === attribute.dataType;
  if (isSlot && isIndexable(attribute.dataType)) return valueOfSlot(attribute.dataType, value);
  return toJson(value) as CursorPosition[number];
}

function toJson(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : (value ?? null);
}

function masked(field: Field, get: Getter): Getter {
  return field.masking === 'none' ? get : (row) => mask(field.masking, get(row));
}
