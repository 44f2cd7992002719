import {
  attributesPerAccount,
  importFailureColumns,
  importLimits,
  isAttributeName,
  nearestName,
  unknownName,
} from '@roster/contract';
import type { Registry } from '#features/registry/registry.ts';
import type { ColumnMeaning, FoundColumn, GivenFile } from '#platform/database/schema/import-tables.ts';
import { isGuardMark } from '#platform/csv/formula-guard.ts';
import { nameOf, requireUsableHeader } from './header.ts';
import { ImportFailure } from '../store/import-failure.ts';
import type { ImportRow } from '../store/import-store.ts';

/** What the columns of a file are resolved against. */
export interface ColumnScope extends Pick<ImportRow, 'mode' | 'unknown_columns'> {
  readonly registry: Registry;
  readonly given: GivenFile['columns'];
}

/** The fields of a contact that a column can contain, with the note that the import shows. */
const fields: Readonly<Record<string, { readonly meaning: ColumnMeaning; readonly note?: string }>> = {
  IDENTITY: { meaning: 'identity' },
  EMAIL: { meaning: 'email' },
  MOBILE: { meaning: 'mobile' },
  CONTACT_TYPE: {
    meaning: 'contact_type',
    note: 'anonymous: the row may have no identity. blacklisted: the contact is opted out of e-mail. unconfirmed: the row fails. Other types change nothing.',
  },
  EMAIL_OPTED_OUT: { meaning: 'email_opted_out', note: 'true opts the contact out; anything else changes nothing.' },
  SMS_OPTED_OUT: { meaning: 'sms_opted_out', note: 'true opts the contact out; anything else changes nothing.' },
  WHATSAPP_OPTED_OUT: {
    meaning: 'whatsapp_opted_out',
    note: 'true opts the contact out; anything else changes nothing.',
  },
};

/** The fields that an import cannot write, with the note that the import shows. */
const readOnly: Readonly<Record<string, string>> = {
  CONTACT_ID: 'Left out: the service assigns this number. To update contacts by it, name it in "columns".',
  CREATED_AT: 'Left out: only the service writes this field.',
  UPDATED_AT: 'Left out: only the service writes this field.',
  LIST_ID: 'Left out: set the lists in "audience_ids" when you create the import.',
  SEGMENT_ID: 'Left out: contacts cannot be added to a segment. Its filter selects them.',
};

/**
 * Finds the field or attribute that each column of a file is written to. `columns` of the import
 * decides first, then the header.
 *
 * Throws an {@link ImportFailure} in these cases:
 * - the header is invalid
 * - two columns have the same name or the same meaning
 * - `columns` of the import names a header or a field that does not exist
 * - a column is unknown, and the import neither skips it nor can create an attribute for it
 * - no column identifies the contacts
 */
export function findColumns(headers: readonly string[], scope: ColumnScope): FoundColumn[] {
  if (headers.length > importLimits.columns) {
    throw new ImportFailure(
      'header_invalid',
      `The file has ${headers.length} columns. The maximum is ${importLimits.columns}.`,
    );
  }
  headers.forEach(requireUsableHeader);
  const named = headers.map((header, at) => (header.trim() === '' ? `(column ${at + 1})` : header.trim()));
  requireDistinct(named, 'have the same name');
  const given = givenColumns(named, scope);
  const columns = withIdentity(
    named.map((header) => given.get(header) ?? findColumn(header, scope)),
    scope.registry.primaryKey,
  );
  requireDistinct(
    columns.filter(({ meaning }) => meaning !== 'skipped').map(({ name, meaning }) => name ?? meaning),
    'have the same meaning',
  );
  refuseUnknown(columns, scope);
  requireIdentifier(columns, scope);
  return columns;
}

/** Returns the columns that `columns` of the import maps, by their headers in the file. */
function givenColumns(
  headers: readonly string[],
  { given = {}, registry, mode }: ColumnScope,
): Map<string, FoundColumn> {
  const found = new Map<string, FoundColumn>();
  for (const [name, target] of Object.entries(given)) {
    const header = findHeader(headers, name);
    if (header === undefined)
      throw new ImportFailure(
        'columns_not_found',
        unknownName(`"${name.slice(0, 62)}"`, 'a column of the file', headers),
      );
    if (target === null) {
      found.set(header, { header, meaning: 'skipped', note: 'Left out, as requested.' });
      continue;
    }
    const column =
      target === 'CONTACT_ID' && mode === 'update'
        ? ({ header, meaning: 'contact_id', name: 'CONTACT_ID' } as const)
        : knownColumn(header, target, registry);
    if (column === undefined || column.meaning === 'skipped') {
      const reason =
        column === undefined
          ? unknownName(target, 'a field or an attribute of the account', namesOf(registry))
          : `${target} cannot be written.`;
      throw new ImportFailure(
        'columns_not_found',
        `The column "${header.slice(0, 64)}" cannot be written to ${target}. ${reason}`,
      );
    }
    found.set(header, column);
  }
  return found;
}

/** Returns the names of all fields and attributes that a column can be written to. */
function namesOf(registry: Registry): string[] {
  return [...Object.keys(fields), ...registry.attributes.map(({ name }) => name)];
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

function findColumn(header: string, { registry, unknown_columns }: ColumnScope): FoundColumn {
  const name = nameOf(header);
  const lower = header.trim().toLowerCase();
  // These parts of a contact object are objects or arrays themselves.
  if (lower === 'audience_details' || lower === 'subscriptions')
    return { header, meaning: 'contact_object', name: lower };
  if ((importFailureColumns as readonly string[]).includes(name)) {
    return { header, meaning: 'skipped', note: 'Left out: it shows why the row failed in an earlier import.' };
  }
  if (isGuardMark(header)) {
    return { header, meaning: 'skipped', note: 'Left out: it marks a file with the formula guard of Roster.' };
  }
  const known = knownColumn(header, name, registry);
  if (known !== undefined) return known;
  if (unknown_columns === 'skip')
    return { header, meaning: 'skipped', note: 'Left out: the account has no such attribute.' };
  return { header, meaning: 'unknown', name };
}

function knownColumn(header: string, name: string, registry: Registry): FoundColumn | undefined {
  if (name === registry.primaryKey && name !== 'EMAIL' && name !== 'MOBILE')
    return { header, meaning: 'identity', name };
  const field = fields[name];
  if (field !== undefined) return { header, name, ...field };
  const note = readOnly[name];
  if (note !== undefined) return { header, meaning: 'skipped', note };
  const attribute = registry.find(name);
  return attribute === undefined
    ? undefined
    : { header, meaning: 'attribute', name: attribute.name, attribute_id: attribute.id, data_type: attribute.dataType };
}

/**
 * Decides which column has the identities:
 * - Without a column IDENTITY, it is the column of the primary key.
 * - With both, it is IDENTITY. The column of a custom primary key is then a plain attribute, and
 *   the pipeline checks that its values equal the identities.
 */
function withIdentity(columns: readonly FoundColumn[], primaryKey: string): FoundColumn[] {
  const identities = columns.filter(({ meaning }) => meaning === 'identity').length;
  if (identities === 1) return [...columns];
  if (identities > 1) {
    return columns.map((column) =>
      column.meaning === 'identity' && column.name === primaryKey ? { ...column, meaning: 'attribute' } : column,
    );
  }
  return columns.map((column) =>
    column.name === primaryKey && (column.meaning === 'email' || column.meaning === 'mobile')
      ? { ...column, meaning: 'identity' }
      : column,
  );
}

function requireDistinct(names: readonly string[], what: string): void {
  const seen = new Set<string>();
  for (const name of names) {
    const key = name.toLowerCase();
    if (seen.has(key))
      throw new ImportFailure(
        'columns_repeated',
        `Two columns ${what}: "${name.slice(0, 64)}". Rename one, or leave one out with "columns".`,
      );
    seen.add(key);
  }
}

function refuseUnknown(columns: readonly FoundColumn[], { unknown_columns, registry }: ColumnScope): void {
  const unknown = columns.filter(({ meaning }) => meaning === 'unknown');
  if (unknown.length === 0) return;
  const shown = (headers: readonly FoundColumn[]): string =>
    headers
      .slice(0, 20)
      .map(({ header }) => `"${header.slice(0, 64)}"`)
      .join(', ') + (headers.length > 20 ? ` and ${headers.length - 20} more` : '');
  if (unknown_columns === 'refuse') {
    const meant = [...new Set(unknown.slice(0, 20).flatMap(({ name }) => nearestName(name!, namesOf(registry)) ?? []))];
    const advice = meant.length === 0 ? '' : ` Did you mean ${meant.join(', ')}?`;
    const message = `The account has no field or attribute for ${unknown.length === 1 ? 'the column' : 'the columns'} ${shown(unknown)}.${advice} Map them in "columns", or send "unknown_columns": "skip" or "create".`;
    throw new ImportFailure('columns_unknown', message, { columns });
  }
  const nameless = unknown.filter(({ name }) => !isAttributeName(name!));
  if (nameless.length > 0) {
    const message = `An attribute cannot have the name ${shown(nameless)}. A name begins with a letter and has up to 64 letters, digits and underscores. Map these columns in "columns".`;
    throw new ImportFailure('attribute_not_created', message);
  }
  const { length: present } = registry.attributes;
  if (present + unknown.length > attributesPerAccount) {
    const message = `The account has ${present} of ${attributesPerAccount} attributes, and the file would add ${unknown.length}. Leave some columns out with "columns".`;
    throw new ImportFailure('attribute_not_created', message);
  }
}

function requireIdentifier(columns: readonly FoundColumn[], { mode, registry }: ColumnScope): void {
  const meanings = new Set(columns.map(({ meaning }) => meaning));
  if (meanings.has('identity')) return;
  const others = ['contact_id', 'email', 'mobile'] as const;
  if (mode === 'update' && others.some((other) => meanings.has(other))) return;
  const message =
    mode === 'update'
      ? `No column identifies the contacts to update. Add a column with the primary key ${registry.primaryKey}, or with EMAIL, MOBILE or CONTACT_ID.`
      : `No column has the primary key of the account, ${registry.primaryKey}. Add it, or map a column to it in "columns".`;
  throw new ImportFailure('identity_column_missing', message);
}
