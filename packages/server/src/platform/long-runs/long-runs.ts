import { sql, type Kysely, type RawBuilder, type Selectable, type Updateable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { notFound } from '#platform/errors/api-error.ts';
import type { JobName } from '#platform/jobs/job-table.ts';
import { nextPriority } from '#platform/jobs/next-priority.ts';

/** Where long work of one kind, such as exports, is stored, and how it is named in messages. */
export interface LongRunKind<Table extends keyof Tables> {
  /** Its name in messages; also the name of its job, unless {@link jobs} has others. */
  readonly name: JobName;
  /** All kinds of jobs that can do the work. Default: only `name`. */
  readonly jobs?: readonly JobName[];
  /** Its table. It has at least the columns account_id, status, run and started_at. */
  readonly table: Table;
  /** The column with its identifier, a time-ordered UUID. */
  readonly id: keyof RunRow<Table> & string;
  /** The column with the time when it was created. */
  readonly madeAt: keyof RunRow<Table> & string;
  /** True: while other accounts wait, an account can have only one run in a process. */
  readonly isFair?: true;
  /** The statuses of work that has not ended. Work in `accepted` waits for its job. */
  readonly unfinished: readonly string[];
  /** Further statuses of work that waits for something else than its job or its caller. */
  readonly waiting?: readonly string[];
}

/** Returns the words for a kind of long work in messages, such as `bulk change`. */
export function nounOf(name: JobName): string {
  return name.replaceAll('_', ' ');
}

/** Identifies one export, import or other long work. */
export interface LongRunKey {
  readonly accountId: number;
  readonly id: string;
}

/** One run of long work. Its job can run again, and only the newest run may write. */
export interface LongRun extends LongRunKey {
  readonly run: number;
}

/** Changes of columns. */
export type Changes<Table extends keyof Tables> = {
  readonly [C in keyof Updateable<Tables[Table]>]?: Updateable<Tables[Table]>[C] | RawBuilder<unknown>;
};

/** The run must end: the work was cancelled, or a newer run has taken over. */
export class RunOver extends Error {
  override readonly name = 'RunOver';
}

/** A row of the table of one kind of long work. */
export type RunRow<Table extends keyof Tables> = Selectable<Tables[Table]>;

/** The statuses of work that has a job. */
const withJob = ['accepted', 'running'];

/** Maximum rows of {@link LongRuns.listRecent}, of each part. */
const recent = 100;

/** Stores long work of one kind. Only the newest run of each may write. */
export class LongRuns<Table extends keyof Tables> {
  readonly kind: LongRunKind<Table>;
  readonly #table: string;
  readonly #id: string;

  constructor(kind: LongRunKind<Table>) {
    this.kind = kind;
    this.#table = kind.table;
    this.#id = kind.id;
  }

  /** Finds work by its key; returns undefined when it does not exist. */
  async find(db: Database, { accountId, id }: LongRunKey): Promise<RunRow<Table> | undefined> {
    return this.#select(db).where('account_id', '=', accountId).where(this.#id, '=', id).executeTakeFirst();
  }

  /** Finds work by its key; throws `not_found` when it does not exist. */
  async require(db: Database, key: LongRunKey): Promise<RunRow<Table>> {
    const row = await this.find(db, key);
    if (row !== undefined) return row;
    throw notFound(`${nounOf(this.kind.name)} ${key.id} in account ${key.accountId}`);
  }

  /** Lists the work of an account, newest first. `before` is the last id of the page before. */
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

  /** Lists the work of an account that has a job, the oldest first. */
  async listWithJob(db: Database, accountId: number): Promise<RunRow<Table>[]> {
    const rows = this.#select(db).where('account_id', '=', accountId).where('status', 'in', withJob);
    return rows.orderBy(this.#id).execute();
  }

  /** Lists the unfinished work of an account. */
  async listOfAccount(db: Database, accountId: number): Promise<RunRow<Table>[]> {
    return this.#select(db).where('account_id', '=', accountId).where('status', 'in', this.kind.unfinished).execute();
  }

  /** Counts the unfinished work of an account. */
  async countUnfinished(db: Database, accountId: number): Promise<number> {
    const rows = anyTable(db).selectFrom(this.#table).where('account_id', '=', accountId);
    const { count } = await rows
      .where('status', 'in', this.kind.unfinished)
      .select((eb) => eb.fn.countAll<string | number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /**
   * Lists the work of an account that has a job or waits, or that ended after `since`, newest first.
   * Looks for ended work only among the newest hundred. Returns only some columns, because others
   * can have megabytes, and this runs once a second.
   */
  async listRecent<Column extends keyof RunRow<Table> & string>(
    db: Database,
    accountId: number,
    since: Date,
    columns: readonly Column[],
  ): Promise<Pick<RunRow<Table>, Column>[]> {
    type Recent = Pick<RunRow<Table>, Column> & { readonly finished_at: Date | null };
    const rows = anyTable(db)
      .selectFrom(this.#table)
      .where('account_id', '=', accountId)
      .select([...columns, this.#id, 'finished_at'])
      .orderBy(this.#id, 'desc')
      .limit(recent);
    const statuses = [...withJob, ...(this.kind.waiting ?? [])];
    const unfinished = (await rows.where('status', 'in', statuses).execute()) as Recent[];
    const newest = (await rows.execute()) as Recent[];
    const ended = newest.filter(({ finished_at: at }) => at !== null && at > since);
    const idOf = (row: object): string => String((row as Record<string, unknown>)[this.#id]);
    // Work can end between the two queries.
    const endedIds = new Set(ended.map(idOf));
    return [...ended, ...unfinished.filter((row) => !endedIds.has(idOf(row)))].sort((a, b) =>
      idOf(b) < idOf(a) ? -1 : 1,
    );
  }

  /** Returns the priority of the job of the next work of an account; see `nextPriority` of jobs. */
  async nextPriority(db: Database, accountId: number): Promise<number> {
    const waiting = this.#select(db).where('account_id', '=', accountId).where('status', 'in', withJob);
    return nextPriority(db, sql`${waiting}`);
  }

  /** Returns whether work of another account waits for its job. */
  async othersWait(db: Database, accountId: number): Promise<boolean> {
    const rows = this.#select(db).where('account_id', '!=', accountId).where('status', '=', 'accepted');
    return (await rows.limit(1).executeTakeFirst()) !== undefined;
  }

  /**
   * Lists the unfinished work of all accounts that was created before a moment, oldest first.
   * `after` is the last id of the page before.
   */
  async listUnfinished(
    db: Database,
    before: Date,
    limit: number,
    after: string | undefined,
  ): Promise<readonly LongRunKey[]> {
    const madeAt: string = this.kind.madeAt;
    let rows = anyTable(db)
      .selectFrom(this.#table)
      .where('status', 'in', this.kind.unfinished)
      .where(madeAt, '<', before);
    if (after !== undefined) rows = rows.where(this.#id, '>', after);
    return rows
      .select(['account_id as accountId', `${this.#id} as id`])
      .orderBy(this.#id)
      .limit(limit)
      .execute();
  }

  /**
   * Begins a run and makes other changes to the row. Returns the row with the new run number;
   * undefined when the work has ended.
   */
  async begin(db: Database, key: LongRunKey, at: Date, changes: Changes<Table>): Promise<RunRow<Table> | undefined> {
    const waiting = this.#update(db, key).where('status', 'in', withJob);
    const begun = { status: 'running', run: sql`run + 1`, started_at: sql`coalesce(started_at, ${at})` };
    return waiting
      .set({ ...begun, ...changes })
      .returningAll()
      .$castTo<RunRow<Table>>()
      .executeTakeFirst();
  }

  /** Finds the row of a run; returns undefined when the run must end. */
  async findRunning(db: Database, { run, ...key }: LongRun): Promise<RunRow<Table> | undefined> {
    return this.#select(db)
      .where('account_id', '=', key.accountId)
      .where(this.#id, '=', key.id)
      .where('status', '=', 'running')
      .where('run', '=', run)
      .executeTakeFirst();
  }

  /** Finds the row of a run; throws a {@link RunOver} when the run must end. */
  async requireRunning(db: Database, run: LongRun): Promise<RunRow<Table>> {
    const row = await this.findRunning(db, run);
    if (row === undefined) throw this.over();
    return row;
  }

  /** Stores the progress of a run; throws a {@link RunOver} when the run must end. */
  async note(db: Database, run: LongRun, changes: Changes<Table>): Promise<void> {
    if ((await this.#write(db, run, changes)) === undefined) throw this.over();
  }

  /**
   * Ends the work as the given run. Returns undefined when this is not the newest run, or the work
   * has already ended.
   */
  async end(trx: Database, run: LongRun, changes: Changes<Table>): Promise<RunRow<Table> | undefined> {
    return this.#write(trx, run, changes);
  }

  /**
   * Ends unfinished work, whether it runs or not; with `from`, only in that status. Returns
   * undefined when the work is no longer in such a status.
   */
  async endUnfinished(
    trx: Database,
    key: LongRunKey,
    changes: Changes<Table>,
    from?: string,
  ): Promise<RunRow<Table> | undefined> {
    const found = this.#update(trx, key).where('status', 'in', from === undefined ? this.kind.unfinished : [from]);
    return found.set(changes).returningAll().$castTo<RunRow<Table>>().executeTakeFirst();
  }

  /** Makes the error of a run that must end. */
  over(): RunOver {
    return new RunOver(`the ${nounOf(this.kind.name)} was cancelled, or runs elsewhere`);
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

/** The query builder cannot type a table that is a parameter. The methods above add the types. */
// oxlint-disable-next-line typescript/no-explicit-any
function anyTable(db: Database): Kysely<any> {
  return db;
}
