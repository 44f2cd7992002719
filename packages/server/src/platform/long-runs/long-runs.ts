import { sql, type Kysely, type RawBuilder, type Selectable, type Updateable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { JobName } from '#platform/jobs/job-table.ts';

/** Work of one kind that takes minutes, such as exports: where it is stored, and what people call it. */
export interface LongRunKind<Table extends keyof Tables> {
  /** Its name for people, and the name of its job. */
  readonly name: JobName;
  /** Its table, with at least the columns account_id, status, run and started_at. */
  readonly table: Table;
  /** The column with its identifier, a time-ordered UUID. */
  readonly id: keyof RunRow<Table> & string;
  /** The column with the moment when it was made. */
  readonly madeAt: keyof RunRow<Table> & string;
  /** The statuses of those that have not ended. In `accepted` it waits for its job. */
  readonly unfinished: readonly string[];
}

/** Identifies one piece of long work. */
export interface LongRunKey {
  readonly accountId: number;
  readonly id: string;
}

/** One run of it: the job that does the work runs again after a stop or a failure, and only its newest run may write. */
export interface LongRun extends LongRunKey {
  readonly run: number;
}

/** Changes of columns. */
export type Changes<Table extends keyof Tables> = {
  readonly [C in keyof Updateable<Tables[Table]>]?: Updateable<Tables[Table]>[C] | RawBuilder<unknown>;
};

/** A run has to end: the work was cancelled, or another run has taken over. */
export class RunOver extends Error {
  override readonly name = 'RunOver';
}

/** A row of the table of one kind. */
export type RunRow<Table extends keyof Tables> = Selectable<Tables[Table]>;

/** The statuses in which a job does the work. */
const withJob = ['accepted', 'running'];

/** Stores work of one kind that takes minutes, and lets only the newest run of each write. */
export class LongRuns<Table extends keyof Tables> {
  readonly kind: LongRunKind<Table>;
  readonly #table: string;
  readonly #id: string;

  constructor(kind: LongRunKind<Table>) {
    this.kind = kind;
    this.#table = kind.table;
    this.#id = kind.id;
  }

  /** Finds one; undefined when there is none. */
  async find(db: Database, { accountId, id }: LongRunKey): Promise<RunRow<Table> | undefined> {
    return this.#select(db).where('account_id', '=', accountId).where(this.#id, '=', id).executeTakeFirst();
  }

  /** Finds one; throws `not_found`. */
  async require(db: Database, key: LongRunKey): Promise<RunRow<Table>> {
    const row = await this.find(db, key);
    if (row !== undefined) return row;
    throw new ApiError('not_found', { params: { what: `${this.kind.name} ${key.id} in account ${key.accountId}` } });
  }

  /** Lists those of an account, newest first, from before the identifier `before` on. */
  async list(
    db: Database,
    accountId: number,
    { status, before }: { readonly status?: string | undefined; readonly before?: string | undefined },
    limit: number,
  ): Promise<RunRow<Table>[]> {
    let rows = this.#select(db).where('account_id', '=', accountId);
    if (status !== undefined) rows = rows.where('status', '=', status);
    if (before !== undefined) rows = rows.where(this.#id, '<', before);
    return rows.orderBy(this.#id, 'desc').limit(limit).execute();
  }

  /** Lists those of an account that wait for their job or run, the oldest first. */
  async listWithJob(db: Database, accountId: number): Promise<RunRow<Table>[]> {
    const rows = this.#select(db).where('account_id', '=', accountId).where('status', 'in', withJob);
    return rows.orderBy(this.#id).execute();
  }

  /** Lists those of all accounts that were made before a moment and have not ended, the oldest first. */
  async listUnfinished(db: Database, before: Date, limit: number): Promise<RunRow<Table>[]> {
    const madeAt: string = this.kind.madeAt;
    const rows = this.#select(db).where('status', 'in', this.kind.unfinished).where(madeAt, '<', before);
    return rows.orderBy(madeAt).limit(limit).execute();
  }

  /** Begins a run, with changes of other columns, and returns the row with its number; undefined when the work has ended. */
  async begin(db: Database, key: LongRunKey, at: Date, changes: Changes<Table>): Promise<RunRow<Table> | undefined> {
    const waiting = this.#update(db, key).where('status', 'in', withJob);
    const begun = { status: 'running', run: sql`run + 1`, started_at: sql`coalesce(started_at, ${at})` };
    return waiting
      .set({ ...begun, ...changes })
      .returningAll()
      .$castTo<RunRow<Table>>()
      .executeTakeFirst();
  }

  /** Finds the row of a run; undefined when the run has to end. */
  async findRunning(db: Database, { run, ...key }: LongRun): Promise<RunRow<Table> | undefined> {
    return this.#select(db)
      .where('account_id', '=', key.accountId)
      .where(this.#id, '=', key.id)
      .where('status', '=', 'running')
      .where('run', '=', run)
      .executeTakeFirst();
  }

  /** Finds the row of a run; throws a {@link RunOver} when the run has to end. */
  async requireRunning(db: Database, run: LongRun): Promise<RunRow<Table>> {
    const row = await this.findRunning(db, run);
    if (row === undefined) throw this.over();
    return row;
  }

  /** Writes down how far a run is; throws a {@link RunOver} when the run has to end. */
  async note(db: Database, run: LongRun, changes: Changes<Table>): Promise<void> {
    if ((await this.#write(db, run, changes)) === undefined) throw this.over();
  }

  /** Ends work by a run; undefined when the run is not the newest any more, or the work has ended before. */
  async end(trx: Database, run: LongRun, changes: Changes<Table>): Promise<RunRow<Table> | undefined> {
    return this.#write(trx, run, changes);
  }

  /** Ends work whether it runs or not, or only in the status `from`; undefined when it has ended, or gone on, before. */
  async endUnfinished(
    trx: Database,
    key: LongRunKey,
    changes: Changes<Table>,
    from?: string,
  ): Promise<RunRow<Table> | undefined> {
    const found = this.#update(trx, key).where('status', 'in', from === undefined ? this.kind.unfinished : [from]);
    return found.set(changes).returningAll().$castTo<RunRow<Table>>().executeTakeFirst();
  }

  /** The error of a run that has to end. */
  over(): RunOver {
    return new RunOver(`the ${this.kind.name} was cancelled, or runs elsewhere`);
  }

  async #write(db: Database, run: LongRun, changes: Changes<Table>): Promise<RunRow<Table> | undefined> {
    const running = this.#update(db, run).where('status', '=', 'running').where('run', '=', run.run);
    return running.set(changes).returningAll().$castTo<RunRow<Table>>().executeTakeFirst();
  }

  #select(db: Database) {
    return anyTable(db).selectFrom(this.#table).selectAll().$castTo<RunRow<Table>>();
  }

  #update(db: Database, { accountId, id }: LongRunKey) {
    return anyTable(db).updateTable(this.#table).where('account_id', '=', accountId).where(this.#id, '=', id);
  }
}

/** The types of the query builder cannot follow a table that is a parameter: the methods above give the rows their types. */
// oxlint-disable-next-line typescript/no-explicit-any
function anyTable(db: Database): Kysely<any> {
  return db;
}
