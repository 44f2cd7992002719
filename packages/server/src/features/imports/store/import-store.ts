import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { LongRuns, type LongRunKey } from '#platform/long-runs/long-runs.ts';

/** A row of the table `imports`. */
export type ImportRow = Selectable<Tables['imports']>;

/** The runs of imports. */
export const importRuns = new LongRuns({
  name: 'import',
  isFair: true,
  table: 'imports',
  id: 'import_id',
  madeAt: 'created_at',
  unfinished: ['awaiting_file', 'fetching', 'accepted', 'running'],
  waiting: ['fetching'],
});

/** Returns the key of an import. */
export function keyOf({
  account_id: accountId,
  import_id: id,
}: Pick<ImportRow, 'account_id' | 'import_id'>): LongRunKey {
  return { accountId, id };
}

/**
 * Returns the key in the file store of a file of an import: the imported file, one of its parts, or
 * the file of failures. Each `write` has its own key, so that concurrent writes do not collide.
 */
export function fileKeyOf(
  { account_id, import_id }: Pick<ImportRow, 'account_id' | 'import_id'>,
  write: number,
): string {
  return `imports/${account_id}/${import_id}-${write}`;
}

/** Stores a new import, and returns it. */
export async function insertImport(
  trx: Database,
  row: Omit<Insertable<Tables['imports']>, 'given'> & Pick<ImportRow, 'given'>,
): Promise<ImportRow> {
  return trx
    .insertInto('imports')
    .values({ ...row, given: JSON.stringify(row.given) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

function imports(db: Database, { accountId, id }: LongRunKey) {
  return db.updateTable('imports').where('account_id', '=', accountId).where('import_id', '=', id);
}

/**
 * Begins an upload. Returns the import, whose `writes` is the number of the upload; undefined when
 * the import does not wait for a file.
 */
export async function beginUpload(db: Database, key: LongRunKey): Promise<ImportRow | undefined> {
  return imports(db, key)
    .where('status', '=', 'awaiting_file')
    .set((eb) => ({ writes: eb('writes', '+', 1) }))
    .returningAll()
    .executeTakeFirst();
}

/** Begins to write another file for an import, and returns the number of the write. */
export async function beginWrite(db: Database, key: LongRunKey): Promise<number> {
  const row = await imports(db, key)
    .set((eb) => ({ writes: eb('writes', '+', 1) }))
    .returning('writes')
    .executeTakeFirstOrThrow();
  return row.writes;
}

/** Stores the name of an unfinished file, so that it can be deleted if this process is killed. */
export async function addUnfinishedWrite(db: Database, key: LongRunKey, unfinishedWrite: string): Promise<void> {
  await imports(db, key)
    .set({ unfinished_writes: sql`array_append(unfinished_writes, ${unfinishedWrite}::text)` })
    .execute();
}

/** Removes the name of an unfinished file after the write has ended. */
export async function removeUnfinishedWrite(db: Database, key: LongRunKey, unfinishedWrite: string): Promise<void> {
  await imports(db, key)
    .set({ unfinished_writes: sql`array_remove(unfinished_writes, ${unfinishedWrite}::text)` })
    .execute();
}

/**
 * Adds a part to the file of an import. Returns undefined when another part was added first, or the
 * import does not wait for its file.
 */
export async function appendPart(
  db: Database,
  key: LongRunKey,
  part: {
    readonly write: number;
    readonly fileKey: string;
    readonly start: number;
    readonly size: number;
    /** Size of the whole file in bytes; undefined when the part does not state it. */
    readonly total: number | undefined;
  },
): Promise<ImportRow | undefined> {
  return imports(db, key)
    .where('status', '=', 'awaiting_file')
    .where('received', '=', part.start)
    .set({
      parts: sql`parts || ${part.write}::integer`,
      received: part.start + part.size,
      ...(part.total === undefined ? {} : { stated_size: part.total }),
      // The upkeep deletes the parts of ended imports that have a file_key.
      file_key: sql`coalesce(file_key, ${part.fileKey})`,
    })
    .returningAll()
    .executeTakeFirst();
}

/**
 * Assigns a complete file to an import, and accepts the import. `row` is the import when the upload
 * or fetch of the file began. Returns undefined when the import no longer waits for this file, or
 * its earlier parts do not have exactly `row.received` bytes.
 */
export async function acceptFile(
  trx: Database,
  row: ImportRow,
  { columns, parts, ...file }: Omit<Updateable<Tables['imports']>, 'columns'> & Pick<ImportRow, 'columns' | 'parts'>,
): Promise<ImportRow | undefined> {
  return imports(trx, keyOf(row))
    .where('status', '=', row.status)
    .$if(row.status === 'fetching', (query) => query.where('writes', '=', row.writes))
    .$if(parts.length > 0, (query) => query.where('received', '=', row.received))
    .set({ ...file, parts, columns: JSON.stringify(columns), status: 'accepted', source_url: withoutSecrets })
    .returningAll()
    .executeTakeFirst();
}

/** The URL of a file without its query, which can be a secret. It is needed only for the fetch. */
export const withoutSecrets = sql<string | null>`split_part(split_part(source_url, '#', 1), '?', 1)`;

/**
 * Begins an attempt to fetch the file of an import, and makes every earlier attempt stale. Returns
 * the import, whose `writes` is the number of the attempt; undefined when there is nothing to fetch.
 */
export async function beginFetch(db: Database, key: LongRunKey): Promise<ImportRow | undefined> {
  return imports(db, key)
    .where('status', '=', 'fetching')
    .set((eb) => ({ writes: eb('writes', '+', 1), received: 0 }))
    .returningAll()
    .executeTakeFirst();
}

/**
 * Stores how many bytes an attempt has fetched. Returns false when the attempt must end: the import
 * was cancelled, or a newer attempt has begun.
 */
export async function noteFetched(db: Database, row: ImportRow, received: number): Promise<boolean> {
  const { numUpdatedRows } = await imports(db, keyOf(row))
    .where('status', '=', 'fetching')
    .where('writes', '=', row.writes)
    .set({ received })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Locks an import while an attempt fetches its file. Returns false when the attempt must end. */
export async function lockFetch(trx: Database, { account_id, import_id, writes }: ImportRow): Promise<boolean> {
  const row = await trx
    .selectFrom('imports')
    .where('account_id', '=', account_id)
    .where('import_id', '=', import_id)
    .where('status', '=', 'fetching')
    .where('writes', '=', writes)
    .select('import_id')
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** What an unfinished import writes. */
interface ImportUse {
  readonly id: string;
  readonly name: string;
  readonly attribute_ids: readonly number[];
  readonly audience_ids: readonly number[];
}

/**
 * Lists what the unfinished imports of an account write, the oldest first. Leaves out dry runs. Does
 * not load the columns: those of all imports can have gigabytes.
 */
export async function listUses(db: Database, accountId: number): Promise<readonly ImportUse[]> {
  const { rows } = await sql<ImportUse>`
    select import_id as id, coalesce(file_name, 'a file') as name, audience_ids, array(
        select (field->>'attribute_id')::int from jsonb_array_elements(columns) as field
        where field->>'attribute_id' is not null
      ) as attribute_ids
    from imports where account_id = ${accountId} and status in ('accepted', 'running') and not dry_run
    order by import_id`.execute(db);
  return rows;
}

/** Counts the imports of an account whose files are being fetched, or wait to be fetched. */
export async function countFetching(db: Database, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('imports')
    .where('account_id', '=', accountId)
    .where('status', '=', 'fetching')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Locks an import that has ended and whose mail was not created. Returns undefined if there is no
 * mail to create.
 */
export async function lockUnnotified(trx: Database, { accountId, id }: LongRunKey): Promise<ImportRow | undefined> {
  return trx
    .selectFrom('imports')
    .where('account_id', '=', accountId)
    .where('import_id', '=', id)
    .where('finished_at', 'is not', null)
    .where('notify_email', 'is not', null)
    .where('mail_id', 'is', null)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

/** Stores which mail reports the end of an import. */
export async function setMailId(trx: Database, key: LongRunKey, mailId: string): Promise<void> {
  await imports(trx, key).set({ mail_id: mailId }).execute();
}

/**
 * Stores the key, size and expiry of the file of failures. Returns false if the import already has
 * one.
 */
export async function setFailuresKey(
  db: Database,
  key: LongRunKey,
  file: Pick<ImportRow, 'failures_key' | 'failures_size' | 'failures_expire_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await imports(db, key).where('failures_key', 'is', null).set(file).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns true when an imported file of an account exists that was uploaded before a time. */
export async function hasFileUploadedBefore(db: Database, accountId: number, before: Date): Promise<boolean> {
  const row = await db
    .selectFrom('imports')
    .where('account_id', '=', accountId)
    .where('file_key', 'is not', null)
    .where('uploaded_at', '<', before)
    .select('import_id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * An import with a file that the upkeep looks at. Without its columns, because those of many imports
 * can have gigabytes.
 */
export type ImportFile = Pick<ImportRow, 'account_id' | 'import_id' | 'failures_key'>;

const fileColumns = ['account_id', 'import_id', 'failures_key'] as const;

/** Lists the imports of an account that have a file of failures. */
export async function listImportsWithFailures(db: Database, accountId: number): Promise<ImportFile[]> {
  return db
    .selectFrom('imports')
    .where('account_id', '=', accountId)
    .where('failures_key', 'is not', null)
    .select(fileColumns)
    .orderBy('import_id')
    .execute();
}

/** Stores that the file of failures is deleted. `failures_expire_at` stays and shows why. */
export async function clearFailuresKey(db: Database, key: LongRunKey): Promise<void> {
  await imports(db, key).set({ failures_key: null }).execute();
}

/** Stores that the imported file and the unfinished files of an import are deleted. */
export async function clearFileKeys(db: Database, key: LongRunKey): Promise<void> {
  await imports(db, key).set({ file_key: null, unfinished_writes: [] }).execute();
}

/** Lists the imports that ended before a time and still have files, the oldest first. */
export async function listWithLeftovers(db: Database, before: Date, limit: number): Promise<ImportFile[]> {
  return db
    .selectFrom('imports')
    .where('finished_at', '<', before)
    .where((eb) => eb.or([eb('file_key', 'is not', null), sql<boolean>`unfinished_writes <> '{}'`]))
    .select(fileColumns)
    .orderBy('finished_at')
    .limit(limit)
    .execute();
}

/** Lists the imports whose file of failures has expired, the oldest first. */
export async function listExpiredFailures(db: Database, now: Date, limit: number): Promise<ImportFile[]> {
  return db
    .selectFrom('imports')
    .where('failures_key', 'is not', null)
    .where('failures_expire_at', '<=', now)
    .select(fileColumns)
    .orderBy('failures_expire_at')
    .limit(limit)
    .execute();
}
