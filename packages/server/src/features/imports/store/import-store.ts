import type { ImportFailureCode, ImportStatus } from '@roster/contract';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { FoundColumn } from '#platform/database/schema/import-tables.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A row of `imports`. */
export type ImportRow = Selectable<Tables['imports']>;

/** Which import. */
export interface ImportKey {
  readonly accountId: number;
  readonly importId: string;
}

/** One run of an import: only the newest may go on. */
export interface ImportRun extends ImportKey {
  readonly run: number;
}

/** The key of a row. */
export function keyOf({ account_id: accountId, import_id: importId }: ImportRow): ImportKey {
  return { accountId, importId };
}

/** Statuses of imports that have not ended. */
const unfinished = ['awaiting_file', 'accepted', 'running'] as const;

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

/** The import of a key. */
export async function findImport(db: Database, { accountId, importId }: ImportKey): Promise<ImportRow | undefined> {
  return db
    .selectFrom('imports')
    .where('account_id', '=', accountId)
    .where('import_id', '=', importId)
    .selectAll()
    .executeTakeFirst();
}

/** Imports of an account, newest first, from before the import `before` on. */
export async function listImports(
  db: Database,
  accountId: number,
  { status, before }: { readonly status?: ImportStatus | undefined; readonly before?: string | undefined },
  limit: number,
): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .where('account_id', '=', accountId)
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(before !== undefined, (query) => query.where('import_id', '<', before!))
    .selectAll()
    .orderBy('import_id', 'desc')
    .limit(limit)
    .execute();
}

function imports(db: Database, { accountId, importId }: ImportKey) {
  return db.updateTable('imports').where('account_id', '=', accountId).where('import_id', '=', importId);
}

/** Begins an upload, and answers the import with its number; undefined when it does not wait for a file. */
export async function beginUpload(db: Database, key: ImportKey): Promise<ImportRow | undefined> {
  return imports(db, key)
    .where('status', '=', 'awaiting_file')
    .set((eb) => ({ writes: eb('writes', '+', 1) }))
    .returningAll()
    .executeTakeFirst();
}

/** Begins to write another file for an import, and answers its number. */
export async function beginWrite(db: Database, key: ImportKey): Promise<number> {
  const row = await imports(db, key)
    .set((eb) => ({ writes: eb('writes', '+', 1) }))
    .returning('writes')
    .executeTakeFirstOrThrow();
  return row.writes;
}

/** Writes down what a write leaves in the store if this process is killed. */
export async function noteUnfinished(db: Database, key: ImportKey, unfinishedWrite: string): Promise<void> {
  await imports(db, key)
    .set({ unfinished_writes: sql`array_append(unfinished_writes, ${unfinishedWrite}::text)` })
    .execute();
}

/** Writes down that a write has left nothing. */
export async function forgetUnfinished(db: Database, key: ImportKey, unfinishedWrite: string): Promise<void> {
  await imports(db, key)
    .set({ unfinished_writes: sql`array_remove(unfinished_writes, ${unfinishedWrite}::text)` })
    .execute();
}

/** Adds a part to the file of an import; undefined when it is not the next one any more, or the import does not wait for its file. */
export async function appendPart(
  db: Database,
  key: ImportKey,
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
  key: ImportKey,
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

/** Begins a run; undefined when the import has ended. */
export async function beginRun(db: Database, key: ImportKey, at: Date): Promise<ImportRow | undefined> {
  return imports(db, key)
    .where('status', 'in', ['accepted', 'running'])
    .set((eb) => ({
      status: 'running',
      run: eb('run', '+', 1),
      run_started_at: at,
      run_started_bytes: eb.ref('bytes_read'),
      run_started_rows: eb.ref('rows_read'),
      started_at: eb.fn.coalesce('started_at', eb.val(at)),
    }))
    .returningAll()
    .executeTakeFirst();
}

function running(db: Database, run: ImportRun) {
  return imports(db, run).where('status', '=', 'running').where('run', '=', run.run);
}

/** What a run writes down of itself. */
export type RunNotes = Partial<
  Pick<
    ImportRow,
    | 'surveyed'
    | 'bytes_total'
    | 'bytes_read'
    | 'rows_read'
    | 'chunks'
    | 'all_read'
    | 'created'
    | 'updated'
    | 'unchanged'
    | 'failed'
    | 'warnings'
    | 'run_started_at'
  >
> & { readonly columns?: readonly FoundColumn[] };

/** Writes down how far a run is; false when it is not the newest any more, or the import has ended: then it has to end. */
export async function noteRun(db: Database, run: ImportRun, { columns, ...notes }: RunNotes): Promise<boolean> {
  const { numUpdatedRows } = await running(db, run)
    .set({ ...notes, ...(columns === undefined ? {} : { columns: JSON.stringify(columns) }) })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The import of a run as it is now; undefined when the run is not the newest any more, or the import has ended. */
export async function findRunning(db: Database, { run, ...key }: ImportRun): Promise<ImportRow | undefined> {
  const row = await findImport(db, key);
  return row?.status === 'running' && row.run === run ? row : undefined;
}

/** How an import ended. */
export interface ImportEnd {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly finished_at: Date;
  readonly failure_code?: ImportFailureCode;
  readonly failure_message?: string;
}

/** Ends an import by its newest run; undefined when the run is not the newest any more, or the import has ended before. */
export async function endRun(trx: Database, run: ImportRun, end: ImportEnd): Promise<ImportRow | undefined> {
  return running(trx, run).set(end).returningAll().executeTakeFirst();
}

/** Ends an import whatever it does, or only while its status is `from`; undefined when it has ended, or gone on, before. */
export async function endUnfinished(
  trx: Database,
  key: ImportKey,
  end: ImportEnd & Partial<UploadedFile>,
  from?: ImportStatus,
): Promise<ImportRow | undefined> {
  const { columns, ...fields } = end;
  return imports(trx, key)
    .where('status', 'in', from === undefined ? unfinished : [from])
    .set({ ...fields, ...(columns === undefined ? {} : { columns: JSON.stringify(columns) }) })
    .returningAll()
    .executeTakeFirst();
}

/** Writes down where the file of failures is; false when there is one already. */
export async function noteFailures(
  db: Database,
  key: ImportKey,
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
export async function forgetFailures(db: Database, key: ImportKey): Promise<void> {
  await imports(db, key).set({ failures_key: null }).execute();
}

/** Writes down that the file of an import, and what unfinished writes have left, is deleted. */
export async function noteDeleted(db: Database, key: ImportKey): Promise<void> {
  await imports(db, key).set({ file_key: null, unfinished_writes: [] }).execute();
}

/** Imports of an account that have not ended and have their columns. */
export async function listUnfinishedImportsOf(db: Database, accountId: number): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .where('account_id', '=', accountId)
    .where('status', 'in', ['accepted', 'running'])
    .selectAll()
    .orderBy('import_id')
    .execute();
}

/** Imports of all accounts that were made before a moment and have not ended, the oldest first. */
export async function listUnfinishedImports(db: Database, before: Date, limit: number): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .where('status', 'in', unfinished)
    .where('created_at', '<', before)
    .selectAll()
    .orderBy('created_at')
    .limit(limit)
    .execute();
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
