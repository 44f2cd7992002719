import {
  CreateContactsBody,
  Faults,
  optOutChannels,
  readerOf,
  readWrittenDate,
  readWrittenMoment,
  readWrittenNumber,
  UpdateContactsBody,
  type OptOutChannel,
  type WrittenNumberFormat,
} from '@roster/contract';
import { looksMasked } from '#features/registry/masking.ts';
import type { Registry } from '#features/registry/registry.ts';
import { listKey, listNamesIn } from '../columns/list-names.ts';
import type { ChunkKind } from '../run/chunk-store.ts';
import type { ImportRow } from '../store/import-store.ts';
import { rowFailure, type RawRow, type RowFailure } from './file-row.ts';
import { createValueReader, isBlank, mappedColumns, pathOf, type MappedColumn } from './mapped-columns.ts';

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

/** What a row says about its contact. */
interface Draft {
  /** The item of a contact request, before it is checked. */
  readonly fields: {
    identity?: unknown;
    contact_id?: unknown;
    email?: unknown;
    mobile?: unknown;
    attributes?: Record<string, unknown>;
    audience_details?: unknown;
    subscriptions?: unknown;
  };
  /** The contact type. */
  type?: unknown;
  /** The sign-up date. */
  createdAt?: string;
  readonly listIds: Set<number>;
  readonly optedOut: Set<OptOutChannel>;
  readonly warnings: RowFailure[];
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
  const { mode, audience_ids: listIds, given } = importRow;
  const clears = importRow.blank_cells === 'clear';
  const isCsv = importRow.format === 'csv';
  const columns = mappedColumns(importRow.columns, registry);
  const identity = columns.find(({ meaning }) => meaning === 'identity');
  const headers = new Map(columns.map((column) => [pathOf(column), column.header]));
  const valuesIn = createValueReader(importRow, columns);
  const read = mode === 'update' ? items.update : items.create;

  function map(row: RawRow): MappedRow {
    if (row.fault !== undefined) return failed(row, rowFailure(row.fault));
    const values = valuesIn(row.cells);
    if ('code' in values) return failed(row, values);
    const draft: Draft = {
      fields: {},
      listIds: new Set(listIds),
      optedOut: new Set(given.opt_out),
      warnings: [],
    };
    for (const [at, column] of columns.entries()) {
      const failure = values[at] === undefined ? undefined : put(draft, column, values[at]);
      if (failure !== undefined) return failed(row, failure);
    }
    return finish(row, draft);
  }

  /** Puts a value into the draft. Returns a failure if the row cannot be applied. */
  function put(draft: Draft, column: MappedColumn, value: unknown): RowFailure | undefined {
    const { fields, warnings } = draft;
    const blank = column.isText ? value === null : isBlank(value);
    switch (column.meaning) {
      case 'attribute':
        if (!blank || clears) putAttribute(draft, column, blank ? null : value);
        return undefined;
      case 'created_at': {
        if (blank) return undefined;
        const moment = readWrittenMoment(writtenDate(value), column.date_format ?? 'ymd', column.time_zone);
        if (moment === undefined || Date.parse(moment) > now.getTime())
          return rowFailure('sign_up_date_invalid', column.header);
        draft.createdAt = moment;
        return undefined;
      }
      case 'list_names': {
        const { names, hasInvalid } = listNamesIn(value, column.separator!);
        if (hasInvalid) warnings.push(rowFailure('list_name_invalid', column.header));
        for (const name of names) {
          const id = column.lists?.[listKey(name)];
          if (id !== undefined) draft.listIds.add(id);
        }
        return undefined;
      }
      case 'identity':
      case 'contact_id':
        if (!blank) fields[column.meaning] = value;
        return undefined;
      case 'email':
      case 'mobile':
        if (!blank || clears) fields[column.meaning] = blank ? null : value;
        return undefined;
      case 'contact_type':
        draft.type = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
        return undefined;
      case 'contact_object':
        if (!blank) Object.assign(fields, { [column.name]: isCsv ? fromJson(value as string) : value });
        return undefined;
      default: {
        const effect = column.effectOf(value);
        if (effect === 'fail') return rowFailure('opt_out_unknown', column.header);
        if (effect === 'opt_out') draft.optedOut.add(column.meaning.replace('_opted_out', '') as OptOutChannel);
        return undefined;
      }
    }
  }

  function finish(row: RawRow, { fields, type, createdAt, listIds: lists, optedOut, warnings }: Draft): MappedRow {
    if (!isCsv && type !== 'anonymous' && fields.identity === undefined) fields.identity = keyOf(fields);
    const kind = type === 'anonymous' && mode !== 'update' && isAnonymous(fields) ? 'anonymous' : 'identified';
    if (kind === 'anonymous' && fields.identity !== undefined) {
      // An anonymous contact has no identity. Its column EMAIL or MOBILE is only an address.
      fields[identity!.name.toLowerCase() as 'email' | 'mobile'] = fields.identity;
      delete fields.identity;
    }
    if (kind === 'identified' && !canBeFound(fields))
      return failed(row, rowFailure('identity_blank', identity?.header));
    if (type === 'unconfirmed' && mode !== 'update') return failed(row, rowFailure('contact_unconfirmed'));
    if (type === 'blacklisted') optedOut.add('email');
    const faults = new Faults(10);
    const item: ContactItem = read(fields, faults);
    if (faults.count > 0) {
      const failures = faults.list.map(({ code, field, message }) => {
        return { column: columnOf(field), code, message: `The value ${message}`, warning: false };
      });
      return failed(row, ...failures);
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
  function keyOf(fields: Draft['fields']): unknown {
    const { primaryKey } = registry;
    const key = primaryKey === 'EMAIL' || primaryKey === 'MOBILE' ? primaryKey.toLowerCase() : undefined;
    return (key === undefined ? fields.attributes?.[primaryKey] : fields[key as 'email' | 'mobile']) ?? undefined;
  }

  /** Tells whether a row may be anonymous. Then its column EMAIL or MOBILE is only an address. */
  function isAnonymous(fields: Draft['fields']): boolean {
    return fields.identity === undefined || identity?.name === 'EMAIL' || identity?.name === 'MOBILE';
  }

  function canBeFound({ identity: key, contact_id, email, mobile }: Draft['fields']): boolean {
    if (key !== undefined) return true;
    return mode === 'update' && [contact_id, email, mobile].some((value) => value !== undefined && value !== null);
  }

  function columnOf(path: string): string {
    return headers.get(path) ?? headers.get(path.replace(/[.[].*$/, '')) ?? path;
  }

  return { map, columnOf };
}

function failed(row: RawRow, ...failures: readonly RowFailure[]): MappedRow {
  return { row, item: undefined, kind: 'identified', failures };
}

/** Puts a value of an attribute into the draft, or a warning when the value cannot be stored. */
function putAttribute({ fields, warnings }: Draft, column: MappedColumn, value: unknown): void {
  if (column.isMasked && looksMasked(value)) {
    warnings.push(rowFailure('value_masked', column.header));
    return;
  }
  const attributes = (fields.attributes ??= {});
  const isNumber = column.number_format !== undefined && column.dataType === 'number';
  const stored = value === null ? null : isNumber ? numberIn(value, column.number_format) : dateIn(value, column);
  if (stored !== undefined) attributes[column.name] = stored;
  else warnings.push(rowFailure(isNumber ? 'number_format_mismatch' : 'date_format_mismatch', column.header));
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

/** Returns a number of another program as its attribute needs it. In NDJSON, it can be a number. */
function numberIn(value: unknown, format: WrittenNumberFormat): unknown {
  return typeof value === 'string' ? readWrittenNumber(value, format) : value;
}

/**
 * Returns a value as its attribute needs it, if the column writes dates like another program.
 * Returns other values unchanged.
 */
function dateIn(value: unknown, { dataType, date_format: format, time_zone: zone }: MappedColumn): unknown {
  if (format === undefined) return value;
  const text = writtenDate(value);
  if (dataType === 'date') return readWrittenDate(text, format);
  return dataType === 'datetime' ? readWrittenMoment(text, format, zone) : text;
}

/** Returns a cell as the text of a date. In NDJSON, it can be a number of seconds. */
function writtenDate(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
