import { sql, type Insertable, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { LongRuns, type LongRunKey } from '#platform/long-runs/long-runs.ts';

/** A row of `imports`. */
export type ImportRow = Selectable<Tables['imports']>;

/** Imports as long work. */
export const importRuns = new LongRuns({
  name: 'import',
  table: 'imports',
  id: 'import_id',
  madeAt: 'created_at',
  unfinished: ['awaiting_file', 'accepted', 'running'],
});

/** The key of a row. */
export function keyOf({ account_id: accountId, import_id: id }: ImportRow): LongRunKey {
  return { accountId, id };
}

/** Stores a new import, and answers it. */
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

/** Begins an upload, and answers the import with its number; undefined when it does not wait for a file. */
export async function beginUpload(db: Database, key: LongRunKey): Promise<ImportRow | undefined> {
  return imports(db, key)
    .where('status', '=', 'awaiting_file')
    .set((eb) => ({ writes: eb('writes', '+', 1) }))
    .returningAll()
    .executeTakeFirst();
}

/** Begins to write another file for an import, and answers its number. */
export async function beginWrite(db: Database, key: LongRunKey): Promise<number> {
  const row = await imports(db, key)
    .set((eb) => ({ writes: eb('writes', '+', 1) }))
    .returning('writes')
    .executeTakeFirstOrThrow();
  return row.writes;
}

/** Writes down what a write leaves in the store if this process is killed. */
export async function noteUnfinished(db: Database, key: LongRunKey, unfinishedWrite: string): Promise<void> {
  await imports(db, key)
    .set({ unfinished_writes: sql`array_append(unfinished_writes, ${unfinishedWrite}::text)` })
    .execute();
}

/** Writes down that a write has left nothing. */
export async function forgetUnfinished(db: Database, key: LongRunKey, unfinishedWrite: string): Promise<void> {
  await imports(db, key)
    .set({ unfinished_writes: sql`array_remove(unfinished_writes, ${unfinishedWrite}::text)` })
    .execute();
}

/** Adds a part to the file of an import; undefined when it is not the next one any more, or the import does not wait for its file. */
export async function appendPart(
  db: Database,
  key: LongRunKey,
  part: {
    readonly write: number;
    readonly place: string;
    readonly start: number;
    readonly size: number;
    /** Bytes of the whole file; undefined when the part does not state them. */
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
      // What clears the store looks for imports that have ended and still have a file.
      file_key: sql`coalesce(file_key, ${part.place})`,
    })
    .returningAll()
    .executeTakeFirst();
}

/** What is known of a file that was sent. */
export type UploadedFile = Pick<
  ImportRow,
  'file_size' | 'compression' | 'format' | 'encoding' | 'delimiter' | 'primary_key' | 'columns'
>;

/** Gives an import its file; undefined when it does not wait for one any more, or has not `received` so many bytes in parts before. */
export async function acceptFile(
  trx: Database,
  key: LongRunKey,
  { columns, ...file }: UploadedFile & Pick<ImportRow, 'file_key' | 'uploaded_at' | 'parts'>,
  received: number | undefined,
): Promise<ImportRow | undefined> {
  return imports(trx, key)
    .where('status', '=', 'awaiting_file')
    .$if(received !== undefined, (query) => query.where('received', '=', received!))
    .set({ ...file, columns: JSON.stringify(columns), status: 'accepted' })
    .returningAll()
    .executeTakeFirst();
}

/** Writes down where the file of failures is; false when there is one already. */
export async function noteFailures(
  db: Database,
  key: LongRunKey,
  file: Pick<ImportRow, 'failures_key' | 'failures_expire_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await imports(db, key).where('failures_key', 'is', null).set(file).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** True while a file is there that was sent to an account before a moment: its import runs, or is being cleared up. */
export async function hasFileFrom(db: Database, accountId: number, before: Date): Promise<boolean> {
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

/** Imports of an account that have a file of failures. */
export async function listImportsWithFailures(db: Database, accountId: number): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .where('account_id', '=', accountId)
    .where('failures_key', 'is not', null)
    .selectAll()
    .orderBy('import_id')
    .execute();
}

/** Writes down that the file of failures is deleted; when it expired stays. */
export async function forgetFailures(db: Database, key: LongRunKey): Promise<void> {
  await imports(db, key).set({ failures_key: null }).execute();
}

/** Writes down that the file of an import, and what unfinished writes have left, is deleted. */
export async function noteDeleted(db: Database, key: LongRunKey): Promise<void> {
  await imports(db, key).set({ file_key: null, unfinished_writes: [] }).execute();
}

/** Imports that ended before a moment, and whose files are still there. */
export async function listUncleared(db: Database, before: Date, limit: number): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .where('finished_at', '<', before)
    .where((eb) => eb.or([eb('file_key', 'is not', null), sql<boolean>`unfinished_writes <> '{}'`]))
    .selectAll()
    .orderBy('finished_at')
    .limit(limit)
    .execute();
}

/** Imports whose files of failures are due to be deleted. */
export async function listExpiredFailures(db: Database, now: Date, limit: number): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .where('failures_key', 'is not', null)
    .where('failures_expire_at', '<=', now)
    .selectAll()
    .orderBy('failures_expire_at')
    .limit(limit)
    .execute();
}
