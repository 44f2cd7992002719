import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { given } from '#platform/given.ts';
import { createDatabaseWatch, type DatabaseWatch } from './database-watch.ts';
import { Pool } from './pool.ts';
import { noteProcessId, processIdStatement } from './process-id.ts';
import { readOnlyCode } from './database-fault.ts';
import { limitSilence } from './silence-limit.ts';
import { settingStatements } from './open-connection.ts';
import type { Tables } from '../schema/tables.ts';

/** The query builder over the tables of the service. */
export type Database = Kysely<Tables>;

// By default, int8 is read as text. Every bigint here is a count or a sequence far below 2^53.
const types = typesWith(pg.types.builtins.INT8, Number, pg.types);

/**
 * Returns the parsers of all connections, with one more for the text form of a type (given by its
 * number). An error of that parser fails the statement.
 */
export function typesWith(
  type: number,
  parse: (text: string) => unknown,
  others: pg.CustomTypesConfig = types,
): pg.CustomTypesConfig {
  return {
    getTypeParser: ((asked: number, format?: 'text' | 'binary') =>
      asked === type && format !== 'binary'
        ? parse
        : others.getTypeParser(asked, format)) as pg.CustomTypesConfig['getTypeParser'],
  };
}

/** Settings of one connection pool. */
export interface PoolOptions {
  /** Connection URL of the database. */
  readonly url: string;
  /** Shown in pg_stat_activity, so that operators can tell the processes apart. */
  readonly name: string;
  /** Maximum number of connections. */
  readonly size: number;
  /** Milliseconds after which the server cancels a statement; default 0 = never. */
  readonly statementTimeout?: number;
  /** Milliseconds after which the server stops waiting for a lock; default 0 = never. */
  readonly lockTimeout?: number;
  /**
   * Ends a connection when the server sends nothing for so many milliseconds while a statement
   * runs. Default: never.
   */
  readonly silenceLimit?: number;
  /** Milliseconds to wait for a connection, a free or a new one; default 5000. */
  readonly connectTimeout?: number;
  /** Milliseconds until a connection without work is closed; default 60,000. */
  readonly idleTimeout?: number;
  /** Server settings for every connection of the pool. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The watch of the process; default: a new watch. */
  readonly watch?: DatabaseWatch;
  readonly log: Logger;
}

/**
 * Milliseconds for pools that no caller waits for. Each minute, tasks need many connections for a
 * moment. A connection without work takes 3 MiB in PostgreSQL.
 */
export const shortIdleTimeout = 5000;

// JIT is off by default in the embedded server, but not in others. Our statements never run for so
// long that compiling their expressions would pay.
const poolSettings = { jit: 'off' };

/** Opens a pool. It connects when needed. A lost idle connection is logged and replaced. */
export function openPool(options: PoolOptions): pg.Pool {
  const { silenceLimit, statementTimeout, lockTimeout, watch = createDatabaseWatch() } = options;
  // Not as parameters of the connection: PgBouncer refuses those that it does not know.
  const timeouts = given({ statement_timeout: statementTimeout, lock_timeout: lockTimeout });
  const settings = settingStatements({ ...poolSettings, ...timeouts, ...options.settings });
  const poolConfig: pg.PoolConfig = {
    connectionString: options.url,
    application_name: options.name,
    max: options.size,
    types,
    keepAlive: true,
    connectionTimeoutMillis: options.connectTimeout ?? 5000,
    idleTimeoutMillis: options.idleTimeout ?? 60_000,
    // The pool awaits this promise, although its types do not say so.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: (client: pg.ClientBase) => {
      if (silenceLimit !== undefined) limitSilence(client, silenceLimit);
      return setUp(client, settings);
    },
  };
  const pool = new Pool(poolConfig, watch, options.log);
  // Without a listener, a lost idle connection would end the process. The message contains no
  // personal data.
  pool.on('error', (error) => {
    // While the pool ends, the server may end first and report lost connections.
    if (!pool.ending) options.log.warn({ err: { message: error.message } }, 'lost a database connection');
  });
  // The same for a connection in use. Its statement fails, so the caller learns of it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Sets the settings of a new connection (statements that end with a semicolon), and asks for its
 * process on the server, in one message.
 */
export async function setUp(client: pg.ClientBase, settings: string): Promise<void> {
  const results = (await client.query(`${settings} ${processIdStatement}`)) as unknown as pg.QueryResult[];
  noteProcessId(client, results.at(-1)!);
}

/** Opens the query builder on a pool. */
export function openDatabase(pool: pg.Pool): Database {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Closes a query builder and its pool. Kysely closes the pool only if it has run a query. */
export async function closeDatabase({ db, pool }: { readonly db: Database; readonly pool: pg.Pool }): Promise<void> {
  await db.destroy();
  if (!pool.ending) await pool.end();
}

/**
 * Makes a query builder on connections that a function returns. Each connection is released after
 * its statement or transaction.
 */
export function databaseFrom(connect: () => Promise<PostgresPoolClient>): Database {
  const pool = { connect, end: async () => undefined, options: {} };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Makes a query builder on one connection, such as for a transaction that has begun. */
export function databaseOn(client: pg.ClientBase): Database {
  const connection = {
    query: client.query.bind(client),
    release: () => undefined,
  } as PostgresPoolClient;
  return databaseFrom(async () => connection);
}

export { databaseFault } from './database-fault.ts';

/** True when a server refused a write because it is read-only. */
export function isReadOnlyError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === readOnlyCode;
}

/** True when the server has no space left on its disk. */
export function isDatabaseFull(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '53100';
}

/** True when the server stopped waiting for a lock of another session (`lock_timeout`). */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}

/** True when a statement names a table or schema that the server does not have. */
export function isMissingTable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '42P01' || error.code === '3F000');
}

/**
 * True when a row was refused because its partition is missing, or because it belongs to another
 * partition than PostgreSQL had chosen. Partitions have just changed, so a retry can succeed.
 */
export function isPartitionViolation(error: unknown): boolean {
  // Violations of check constraints have the same code and a constraint name.
  return error instanceof pg.DatabaseError && error.code === '23514' && error.constraint === undefined;
}
