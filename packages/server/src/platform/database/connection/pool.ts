import pg from 'pg';
import type { Logger } from 'pino';
import { DatabaseBusy, type DatabaseWatch } from './database-watch.ts';

type Done = (release?: unknown) => void;
type ConnectCallback = (error: Error | undefined, client: pg.PoolClient | undefined, done: Done) => void;

/**
 * A pool whose connect() throws {@link DatabaseBusy} in two cases: all connections stay in use for
 * too long, or a new connection is not opened in time although the database is reachable.
 */
export class Pool extends pg.Pool {
  readonly #watch: DatabaseWatch;
  /** The log of the process. */
  readonly logger: Logger;

  constructor(options: pg.PoolConfig, watch: DatabaseWatch, log: Logger) {
    super(options);
    this.logger = log;
    this.#watch = watch;
    this.on('connect', (client) => {
      watch.noteResponse();
      client.on('drain', () => watch.noteResponse());
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
