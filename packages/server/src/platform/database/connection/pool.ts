import type { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Logger } from 'pino';
import { readOnlyCode } from './database-fault.ts';
import { DatabaseBusy, type DatabaseWatch } from './database-watch.ts';

type Done = (release?: unknown) => void;
type ConnectCallback = (error: Error | undefined, client: pg.PoolClient | undefined, done: Done) => void;

/**
 * A pool whose connect() throws {@link DatabaseBusy} in two cases: all connections stay in use for
 * too long, or a new connection is not opened in time although the database is reachable.
 *
 * A connection on which a write was refused as read-only is closed when it is released. After a
 * failover, the next connection can lead to another server, or the session can have another setting.
 */
export class Pool extends pg.Pool {
  readonly #watch: DatabaseWatch;
  /** Connections that a read-only server has refused a write on. */
  readonly #readOnly = new WeakSet<pg.PoolClient>();
  /** The log of the process. */
  readonly logger: Logger;

  constructor(options: pg.PoolConfig, watch: DatabaseWatch, log: Logger) {
    super(options);
    this.logger = log;
    this.#watch = watch;
    this.on('connect', (client) => {
      watch.noteResponse();
      client.on('drain', () => watch.noteResponse());
      errorsOf(client).on('errorMessage', ({ code }) => {
        if (code === readOnlyCode) this.#readOnly.add(client);
      });
    });
    this.on('release', (_error, client) => {
      // The pool then removes the client, because it has ended.
      if (this.#readOnly.has(client)) void client.end();
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    const isBusy = this.#watch.wait();
    if (callback === undefined) {
      return super.connect().catch((error: unknown) => {
        throw explain(error as Error, isBusy);
      });
    }
    super.connect((error, client, done) =>
      callback(error === undefined ? undefined : explain(error, isBusy), client, done),
    );
  }
}

/** Returns the emitter of the errors that the server sends. The types of the client lack it. */
function errorsOf(client: pg.PoolClient): EventEmitter<{ errorMessage: [{ readonly code?: string }] }> {
  return (client as unknown as { readonly connection: ReturnType<typeof errorsOf> }).connection;
}

// The errors of the pool have no codes.
const noFreeConnection = 'timeout exceeded when trying to connect';
const notConnected = 'Connection terminated due to connection timeout';

function explain(cause: Error, isBusy: () => boolean): Error {
  switch (cause?.message) {
    case noFreeConnection:
      return new DatabaseBusy('all connections of the pool stayed in use', { cause });
    case notConnected:
      return isBusy() ? new DatabaseBusy('the process or the database was too busy to connect', { cause }) : cause;
    default:
      return cause;
  }
}
