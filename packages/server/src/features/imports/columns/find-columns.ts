import {
  attributesPerAccount,
  importFailureColumns,
  importLimits,
  isAttributeName,
  nearestName,
  recognizePreset,
} from '@roster/contract';
import type { ColumnMeaning, FoundColumn } from '#platform/database/schema/tables/imports.ts';
import { isGuardMark } from '#platform/csv/formula-guard.ts';
import { knownColumn, namesOf } from './fields.ts';
import { givenColumns, type ColumnScope } from './given-columns.ts';
import { nameOf, requireUsableHeader } from './header.ts';
import { ImportFailure } from '../store/import-failure.ts';

/** Meanings that several columns of a file can have. */
const repeatable: ReadonlySet<ColumnMeaning> = new Set([
  'skipped',
  'list_names',
  'json',
  'email_opted_out',
  'sms_opted_out',
  'whatsapp_opted_out',
]);

/**
 * Finds the field or attribute that each column of a file is written to. `columns` of the import
 * decides first, then the header.
 *
 * Throws an {@link ImportFailure} in these cases:
 * - the header is invalid
 * - two columns that are not left out have the same name or the same meaning
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
  const given = givenColumns(named, scope);
  requireDistinctHeaders(named.filter((header) => given.get(header)?.meaning !== 'skipped'));
  const columns = withIdentity(
    named.map((header) => given.get(header) ?? findColumn(header, scope)),
    scope.registry.primaryKey,
  );
  requireDistinctMeanings(columns);
  refuseUnknown(columns, scope);
  requireIdentifier(columns, scope);
  return columns;
}

/**
 * Finds the field or attribute of a column that was not mapped.
 *
 * @param name The name that the header stands for.
 */
export function findColumn(
  header: string,
  { registry, unknown_columns }: ColumnScope,
  name = nameOf(header),
): FoundColumn {
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

/** Throws `columns_repeated` when two columns that are not left out have the same name. */
function requireDistinctHeaders(headers: readonly string[]): void {
  const header = firstRepeated(headers);
  if (header === undefined) return;
  const isExact = headers.indexOf(header) !== headers.lastIndexOf(header);
  // `columns` names both with the same text, so it cannot leave out only one of them.
  const advice = isExact
    ? 'Rename one in the file, or leave both out with null in "columns".'
    : 'Rename one in the file, or leave one out with null in "columns".';
  throw new ImportFailure('columns_repeated', `Two columns have the same name: "${header.slice(0, 64)}". ${advice}`);
}

/** Throws `columns_repeated` when two columns are written to the same field. */
function requireDistinctMeanings(columns: readonly FoundColumn[]): void {
  const used = columns.filter(({ meaning }) => !repeatable.has(meaning));
  const name = firstRepeated(used.map((column) => column.name ?? column.meaning));
  if (name === undefined) return;
  throw new ImportFailure(
    'columns_repeated',
    `Two columns have the same meaning: "${name.slice(0, 64)}". Rename one, or leave one out with "columns".`,
  );
}

/** Returns the first text that repeats an earlier one, in any letter case. */
function firstRepeated(texts: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return texts.find((text) => {
    const key = text.toLowerCase();
    return seen.has(key) || !seen.add(key);
  });
}

/**
 * Throws `columns_unknown` for unknown columns that the import refuses, and `attribute_not_created`
 * when an attribute for an unknown column cannot be created.
 */
export function refuseUnknown(
  columns: readonly FoundColumn[],
  { unknown_columns, registry, given }: ColumnScope,
): void {
  const unknown = columns.filter(({ meaning }) => meaning === 'unknown');
  if (unknown.length === 0) return;
  const shown = (headers: readonly FoundColumn[]): string =>
    headers
      .slice(0, 20)
      .map(({ header }) => `"${header.slice(0, 64)}"`)
      .join(', ') + (headers.length > 20 ? ` and ${headers.length - 20} more` : '');
  // The others have a data type in "columns", so the caller wants new attributes for them.
  const refused = unknown_columns === 'refuse' ? unknown.filter(({ new_type }) => new_type === undefined) : [];
  if (refused.length > 0) {
    const meant = [...new Set(refused.slice(0, 20).flatMap(({ name }) => nearestName(name!, namesOf(registry)) ?? []))];
    const advice = meant.length === 0 ? '' : ` Did you mean ${meant.join(', ')}?`;
    const preset = given.preset === undefined ? recognizePreset(columns.map(({ header }) => header)) : undefined;
    const program =
      preset === undefined ? '' : ` The file looks like an export of ${preset.title}: send "preset": "${preset.id}".`;
    const [noun, pronoun] = refused.length === 1 ? ['the column', 'it'] : ['the columns', 'them'];
    const message = `The account has no field or attribute for ${noun} ${shown(refused)}.${advice}${program} Map ${pronoun} in "columns", or send "unknown_columns": "skip" or "create".`;
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
