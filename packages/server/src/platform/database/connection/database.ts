import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { createDatabaseWatch, DatabaseBusy, type DatabaseWatch } from './database-watch.ts';
import { Pool } from './pool.ts';
import { limitSilence } from './silence-limit.ts';
import type { Tables } from '../schema/tables.ts';

/** The query builder over the tables of the service. */
export type Database = Kysely<Tables>;

// int8 arrives as text by default. Every bigint here is a count or a sequence number, far below 2^53.
const types = typesWith(pg.types.builtins.INT8, Number, pg.types);

/** The parsers of every connection, with one of the caller's for the text form of a type (by its number); what it throws fails the statement. */
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
  /** Shown in pg_stat_activity, so that an operator can tell the processes apart. */
  readonly name: string;
  /** Most connections. */
  readonly size: number;
  /** Milliseconds after which the server cancels a statement; 0 (the default) = never. */
  readonly statementTimeout?: number;
  /** Milliseconds after which the server gives up waiting for a lock; 0 (the default) = never. */
  readonly lockTimeout?: number;
  /** Milliseconds after which a connection is ended whose server says nothing while a statement runs; default: never. */
  readonly silenceLimit?: number;
  /** Settings of the server that every connection of the pool begins with. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The watch of the process; default: one of its own. */
  readonly watch?: DatabaseWatch;
  readonly log: Logger;
}

// Compiling an expression takes longer than it saves: no statement of ours runs for seconds, and a server of one's own does it by default.
const connectionSettings = { jit: 'off' };

/** Opens a pool; connections are made when they are first needed. A lost idle connection is logged and replaced. */
export function openPool(options: PoolOptions): pg.Pool {
  const settings = Object.entries({ ...connectionSettings, ...options.settings })
    .map(([name, value]) => `set ${name} = ${value};`)
    .join(' ');
  const { silenceLimit, watch = createDatabaseWatch() } = options;
  const poolConfig: pg.PoolConfig = {
    connectionString: options.url,
    application_name: options.name,
    max: options.size,
    types,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    ...(options.statementTimeout === undefined ? {} : { statement_timeout: options.statementTimeout }),
    ...(options.lockTimeout === undefined ? {} : { lock_timeout: options.lockTimeout }),
    // The pool waits for the promise; its types only do not say so.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: (client: pg.ClientBase) => {
      if (silenceLimit !== undefined) limitSilence(client, silenceLimit);
      return client.query(settings);
    },
  };
  const pool = new Pool(poolConfig, watch);
  // Without a listener, losing an idle connection would end the process. The message of the server carries no data.
  pool.on('error', (error) => {
    // The server may end before it has read that a connection of a pool that ends is closed.
    if (!pool.ending) options.log.warn({ err: { message: error.message } }, 'a database connection was lost');
  });
  // The same for a connection that is in use: whoever uses it sees the failure of its statement.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The query builder on a pool. */
export function openDatabase(pool: pg.Pool): Database {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** The query builder on connections that a function hands out; each is released after its statement or transaction. */
export function databaseFrom(connect: () => Promise<PostgresPoolClient>): Database {
  const pool = { connect, end: async () => undefined, options: {} };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** The query builder on one connection, which stays the caller's: for what happens within a transaction that the caller has begun. */
export function databaseOn(client: pg.ClientBase): Database {
  const connection = {
    query: client.query.bind(client),
    release: () => undefined,
  } as PostgresPoolClient;
  return databaseFrom(async () => connection);
}

/** The kinds of database errors that callers tell apart; others are defects or bad data. */
export type DatabaseFault = 'unreachable' | 'timeout' | 'data';

/**
 * Tells why a statement failed.
 *
 * `unreachable`: the server is away, starting, stopping, refuses to let us in, is out of connections, memory or disk, or the transaction lost
 * a race: trying again later can help. `timeout`: cancelled by statement_timeout. `data`: the server understood and refused. undefined: not a database error.
 */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Error)) return undefined;
  // What it is about can have the same codes and messages.
  if (error.name === 'StorageFault') return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === '57014') return 'timeout';
  if (code !== undefined && /^(08|28|3D|40|53|57|58)/.test(code) && code.length === 5) return 'unreachable';
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code) && 'severity' in error) return 'data';
  if (code !== undefined && /^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)/.test(code))
    return 'unreachable';
  // node-postgres reports these without a code.
  if (
    error instanceof DatabaseBusy ||
    /^timeout expired$|^Connection terminated|not queryable|connection error/i.test(error.message)
  ) {
    return 'unreachable';
  }
  return undefined;
}

/** True when the server gave up waiting for a lock that another session holds (`lock_timeout`). */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}
