import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import pg from 'pg';

type Done = (release?: unknown) => void;
type ConnectCallback = (error: Error | undefined, client: pg.PoolClient | undefined, done: Done) => void;

/** A process whose event loop was busy for this part of the time reads the answers of the database late. */
const busyLoop = 0.5;

/**
 * A pool that tells a busy process from a database that is away: both end as a timeout of connecting. The failure of a connection that was
 * not made in time is a pool exhaustion when the process was busy, or when the database answered on another connection meanwhile.
 */
export class Pool extends pg.Pool {
  /** When the database last answered on any connection of the pool, by `performance.now()`. */
  #answeredAt = Number.NEGATIVE_INFINITY;

  constructor(options: pg.PoolConfig) {
    super(options);
    this.on('connect', (client) => {
      client.on('drain', () => (this.#answeredAt = performance.now()));
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    const since = performance.now();
    const loop = performance.eventLoopUtilization();
    if (callback === undefined) {
      return super.connect().catch((error: unknown) => {
        throw this.#explain(error as Error, since, loop);
      });
    }
    super.connect((error, client, done) =>
      callback(error === undefined ? undefined : this.#explain(error, since, loop), client, done),
    );
  }

  #explain(error: Error, since: number, loop: EventLoopUtilization): Error {
    if (error?.message !== 'Connection terminated due to connection timeout') return error;
    const isBusy = this.#answeredAt >= since || performance.eventLoopUtilization(loop).utilization > busyLoop;
    return isBusy ? new Error(`${poolExhausted} to a busy database`, { cause: error }) : error;
  }
}

/** How the message of a pool begins whose connections all stayed in use. */
const poolExhausted = 'timeout exceeded when trying to connect';

/** True when every connection of a pool stayed in use for as long as the pool waits, or the process was too busy to make one: the database may be well. */
export function isPoolExhausted(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(poolExhausted);
}
