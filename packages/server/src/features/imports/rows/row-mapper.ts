import {
  CreateContactsBody,
  Faults,
  optOutChannels,
  readerOf,
  readWrittenDate,
  readWrittenMoment,
  readWrittenNumber,
  UpdateContactsBody,
  type DataType,
  type OptOutChannel,
  type WrittenNumberFormat,
} from '@roster/contract';
import type { Registry } from '#features/registry/registry.ts';
import type { FoundColumn } from '#platform/database/schema/tables/imports.ts';
import { unguarded } from '#platform/csv/formula-guard.ts';
import { looksMasked } from '#features/registry/masking.ts';
import type { ChunkKind } from '../run/chunk-store.ts';
import { tryExactJson } from '#platform/http/json/parse-json.ts';
import { asAttribute, isInFile } from '../columns/json-columns.ts';
import { listKey, listNamesIn } from '../columns/list-names.ts';
import { optOutReader } from '../columns/opt-out-words.ts';
import { isJson, rowFailure, type JsonField, type RawRow, type RowFailure } from './file-row.ts';
import { isGuardedCsv } from './formula-guard.ts';
import { nameOf } from '../columns/header.ts';
import type { ImportRow } from '../store/import-store.ts';

/** A contact in a create or update request. */
export type ContactItem = (
  | CreateContactsBody['data']['contacts'][number]
  | UpdateContactsBody['data']['contacts'][number]
) & {
  /** The sign-up date of a new contact. Only imports can set it. */
  created_at?: string;
};

/** A row of a file and the contact that it becomes. */
export interface MappedRow {
  readonly row: RawRow;
  /** The contact of the row; undefined when the row has failed. */
  readonly item: ContactItem | undefined;
  readonly kind: ChunkKind;
  readonly failures: readonly RowFailure[];
}

/** Maps the rows of a file to contacts. */
export interface RowMapper {
  map(row: RawRow): MappedRow;
  /** Returns the header of the column that fills a path of a contact, or the path itself. */
  columnOf(path: string): string;
}

interface Draft {
  identity?: unknown;
  contact_id?: unknown;
  email?: unknown;
  mobile?: unknown;
  attributes?: Record<string, unknown>;
  audience_details?: unknown;
  subscriptions?: unknown;
}

/** What a row says about its contact that the body of a contact request does not have like this. */
interface Additions {
  /** The sign-up date. */
  createdAt?: string;
  /** The lists that are named in cells. */
  readonly listIds: Set<number>;
  readonly optedOut: Set<OptOutChannel>;
}

const items = {
  create: readerOf(CreateContactsBody.properties.data.properties.contacts.items),
  update: readerOf(UpdateContactsBody.properties.data.properties.contacts.items),
};

/**
 * Creates the row mapper of an import.
 *
 * Values are checked by the same reader that checks the body of a create or update request. Checks
 * that depend on the account happen later, when the pipeline applies the request.
 */
export function createRowMapper(importRow: ImportRow, registry: Registry, now: Date): RowMapper {
  const { mode, blank_cells, audience_ids: listIds, format } = importRow;
  const clears = blank_cells === 'clear';
  const read = mode === 'update' ? items.update : items.create;
  const columns = importRow.columns.flatMap((column, index) => {
    if (column.meaning === 'skipped' || column.meaning === 'unknown' || column.meaning === 'json') return [];
    const attribute = column.attribute_id === undefined ? undefined : registry.byId(column.attribute_id);
    const name = attribute?.name ?? column.name ?? '';
    const type = attribute?.dataType ?? column.new_type;
    return {
      ...column,
      index: column.json_column ?? index,
      name,
      dataType: type,
      effectOf: optOutReader(column),
      masked: attribute !== undefined && attribute.dataMasking !== 'none',
      // An empty or blank text is a value of a text attribute. Other types have no such value.
      isText: column.meaning === 'attribute' && (type === 'text' || type === 'long_text'),
    };
  });
  const identity = columns.find(({ meaning }) => meaning === 'identity');
  const headers = new Map(columns.map((column) => [pathOf(column), column.header]));
  const names = importRow.columns.filter(isInFile).map(({ header }) => nameOf(header));
  const jsonColumns = importRow.columns.flatMap(({ meaning, header }, index) =>
    meaning === 'json' ? { header, index } : [],
  );
  const isCsv = format === 'csv';
  const isGuarded = isGuardedCsv(importRow);

  function map(row: RawRow): MappedRow {
    if (row.fault !== undefined) return failed(row, [rowFailure(row.fault)]);
    const { cells: given } = row;
    const cells: readonly unknown[] = isJson(given) ? names.map((name) => given.get(name)?.value) : given;
    const repeated = isJson(given) ? columns.find(({ index }) => given.get(names[index]!)?.isRepeated) : undefined;
    if (repeated !== undefined) return failed(row, [rowFailure('row_names_repeated', repeated.header)]);
    if (isCsv && cells.length !== names.length) return failed(row, [rowFailure('row_cells')]);
    const objects = new Map<number, ReadonlyMap<string, JsonField>>();
    for (const { header, index } of jsonColumns) {
      const object = objectIn(cells[index]);
      if (object === undefined) return failed(row, [rowFailure('row_json', header)]);
      objects.set(index, object);
    }
    const twice = columns.find(
      ({ json_key: key, index }) => key !== undefined && fieldIn(objects, index, key)?.isRepeated,
    );
    if (twice !== undefined) return failed(row, [rowFailure('row_names_repeated', twice.header)]);
    const draft: Draft = {};
    const additions: Additions = { listIds: new Set(listIds), optedOut: new Set(importRow.given.opt_out) };
    const warnings: RowFailure[] = [];
    let type: unknown;
    for (const column of columns) {
      const cell =
        column.json_key === undefined ? cells[column.index] : fieldIn(objects, column.index, column.json_key)?.value;
      const value = isGuarded && typeof cell === 'string' ? unguarded(cell) : cell;
      if (value === undefined) continue;
      const blank = column.isText ? value === null : isBlank(value);
      switch (column.meaning) {
        case 'attribute':
          if (blank && !clears) continue;
          if (column.masked && looksMasked(value)) {
            warnings.push(rowFailure('value_masked', column.header));
            continue;
          }
          draft.attributes ??= {};
          draft.attributes[column.name] = blank ? null : value;
          if (blank) continue;
          if (column.number_format !== undefined && column.dataType === 'number') {
            const number = numberIn(value, column.number_format);
            if (number !== undefined) draft.attributes[column.name] = number;
            else {
              delete draft.attributes[column.name];
              warnings.push(rowFailure('number_format_mismatch', column.header));
            }
          } else if (column.date_format !== undefined) {
            const date = dateIn(value, column);
            if (date !== undefined) draft.attributes[column.name] = date;
            else {
              delete draft.attributes[column.name];
              warnings.push(rowFailure('date_format_mismatch', column.header));
            }
          }
          continue;
        case 'created_at': {
          if (blank) continue;
          const moment = readWrittenMoment(writtenDate(value), column.date_format ?? 'ymd', column.time_zone);
          if (moment === undefined || Date.parse(moment) > now.getTime())
            return failed(row, [rowFailure('sign_up_date_invalid', column.header)]);
          additions.createdAt = moment;
          continue;
        }
        case 'list_names': {
          const lists = listNamesIn(value, column.separator!);
          if (lists.hasInvalid) warnings.push(rowFailure('list_name_invalid', column.header));
          for (const name of lists.names) {
            const id = column.lists?.[listKey(name)];
            if (id !== undefined) additions.listIds.add(id);
          }
          continue;
        }
        case 'identity':
        case 'contact_id':
          if (!blank) draft[column.meaning] = value;
          continue;
        case 'email':
        case 'mobile':
          if (!blank) draft[column.meaning] = value;
          else if (clears) draft[column.meaning] = null;
          continue;
        case 'contact_type':
          type = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
          continue;
        case 'contact_object':
          if (!blank) Object.assign(draft, { [column.name]: isCsv ? fromJson(value as string) : value });
          continue;
        default: {
          const effect = column.effectOf(value);
          if (effect === 'fail') return failed(row, [rowFailure('opt_out_unknown', column.header)]);
          if (effect === 'nothing') continue;
          additions.optedOut.add(column.meaning.replace('_opted_out', '') as OptOutChannel);
        }
      }
    }
    return finish(row, draft, additions, type, warnings);
  }

  function finish(
    row: RawRow,
    draft: Draft,
    { createdAt, listIds: lists, optedOut }: Additions,
    type: unknown,
    warnings: RowFailure[],
  ): MappedRow {
    if (!isCsv && type !== 'anonymous' && draft.identity === undefined) draft.identity = keyOf(draft);
    const kind = type === 'anonymous' && mode !== 'update' && isAnonymous(draft) ? 'anonymous' : 'identified';
    if (kind === 'anonymous' && draft.identity !== undefined) {
      // An anonymous contact has no identity. Its column EMAIL or MOBILE is only an address.
      draft[identity!.name.toLowerCase() as 'email' | 'mobile'] = draft.identity;
      delete draft.identity;
    }
    if (kind === 'identified' && !canBeFound(draft))
      return failed(row, [rowFailure('identity_blank', identity?.header)]);
    if (type === 'unconfirmed' && mode !== 'update') return failed(row, [rowFailure('contact_unconfirmed')]);
    if (type === 'blacklisted') optedOut.add('email');
    const faults = new Faults(10);
    const item: ContactItem = read(draft, faults);
    if (faults.count > 0) {
      const failures = faults.list.map(({ code, field, message }) => {
        return { column: columnOf(field), code, message: `The value ${message}`, warning: false };
      });
      return failed(row, failures);
    }
    if (lists.size > 0) {
      item.audience_details = [...(item.audience_details ?? []), { audience_id: [...lists], audience_type: 'list' }];
    }
    // No value opts a contact in, because the file may be older than an opt-out. All opt-outs count.
    for (const channel of optOutChannels) if (item.subscriptions?.[channel] === false) optedOut.add(channel);
    if (optedOut.size > 0) item.subscriptions = Object.fromEntries([...optedOut].map((channel) => [channel, false]));
    else delete item.subscriptions;
    if (createdAt !== undefined) item.created_at = createdAt;
    return { row, item, kind, failures: warnings };
  }

  /** Returns the primary key of an NDJSON line without `identity`, when other lines have one. */
  function keyOf(draft: Draft): unknown {
    const { primaryKey } = registry;
    const key = primaryKey === 'EMAIL' || primaryKey === 'MOBILE' ? primaryKey.toLowerCase() : undefined;
    return (key === undefined ? draft.attributes?.[primaryKey] : draft[key as 'email' | 'mobile']) ?? undefined;
  }

  /** Tells whether a row may be anonymous. Then its column EMAIL or MOBILE is only an address. */
  function isAnonymous(draft: Draft): boolean {
    return draft.identity === undefined || identity?.name === 'EMAIL' || identity?.name === 'MOBILE';
  }

  function canBeFound({ identity: key, contact_id, email, mobile }: Draft): boolean {
    if (key !== undefined) return true;
    return mode === 'update' && [contact_id, email, mobile].some((value) => value !== undefined && value !== null);
  }

  function columnOf(path: string): string {
    return headers.get(path) ?? headers.get(path.replace(/[.[].*$/, '')) ?? path;
  }

  return { map, columnOf };
}

function failed(row: RawRow, failures: readonly RowFailure[]): MappedRow {
  return { row, item: undefined, kind: 'identified', failures };
}

/** Returns the path of a column's value in a contact, as faults and failures name it. */
function pathOf({ meaning, name }: FoundColumn): string {
  switch (meaning) {
    case 'attribute':
      return `attributes.${name}`;
    case 'contact_object':
      return name!;
    default:
      return meaning;
  }
}

/**
 * Parses a cell that should contain JSON, as a file of failures writes objects and arrays. Returns
 * other text unchanged, and the reader refuses it.
 */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isBlank(value: unknown): boolean {
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

/** Returns the field of a JSON cell that a column reads; undefined if the object does not have it. */
function fieldIn(
  objects: ReadonlyMap<number, ReadonlyMap<string, JsonField>>,
  index: number,
  key: string,
): JsonField | undefined {
  return objects.get(index)!.get(nameOf(key));
}

/** Returns a date of another program as the data type of its attribute needs it. */
function dateIn(
  value: unknown,
  { dataType, date_format: format, time_zone: zone }: Pick<FoundColumn, 'date_format' | 'time_zone'> & DataTypeOf,
): string | undefined {
  const text = writtenDate(value);
  if (dataType === 'date') return readWrittenDate(text, format!);
  return dataType === 'datetime' ? readWrittenMoment(text, format!, zone) : text;
}

/** Returns a number of another program as its attribute needs it. In NDJSON, it can be a number. */
function numberIn(value: unknown, format: WrittenNumberFormat): unknown {
  return typeof value === 'string' ? readWrittenNumber(value, format) : value;
}

/** Returns a cell as the text of a date. In NDJSON, it can be a number of seconds. */
function writtenDate(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface DataTypeOf {
  readonly dataType: DataType | undefined;
}
