import pg from 'pg';
import { within } from '#platform/loops/within.ts';
import { openPool, type PoolOptions } from '../connection/database.ts';
import { disconnect } from '../connection/disconnect.ts';
import { openConnection } from '../connection/open-connection.ts';
import type { PrimaryState } from './primary-state.ts';
import { compareWith, unusable, type ReplicaState } from './replica-state.ts';

/** A streaming replica of the database. */
export interface Replica extends AsyncDisposable {
  /** Host and port, for logs and metrics. */
  readonly name: string;
  /** Connections for reads. */
  readonly pool: pg.Pool;
  /** Other connections, to cancel reads. */
  readonly control: pg.Pool;
  readonly state: ReplicaState;
  /** Compares the replica with the primary. Ends all reads on it if it does not respond. */
  probe(primary: PrimaryState): Promise<ReplicaState>;
  /**
   * Reports that a read could not reach the replica. It counts as unreachable until a probe has
   * opened a new connection: a server can serve old connections and accept no new ones.
   */
  reportUnreachable(error: unknown): void;
}

/** Milliseconds after which a replica that does not respond is unreachable. */
const patience = 2000;

/** Opens the connections to a replica. Until its first probe it counts as unreachable. */
export function openReplica(options: PoolOptions): Replica {
  const { host, port } = new URL(options.url);
  const pool = openPool({ ...options, connectTimeout: patience });
  const { statementTimeout: _, ...limits } = options;
  const control = openPool({
    ...limits,
    name: `${options.name} control`,
    size: 2,
    silenceLimit: 2 * patience,
    connectTimeout: patience,
  });
  const busy = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => void busy.add(client));
  pool.on('release', (_error, client) => void busy.delete(client));
  let state = unusable('unreachable');
  let mustConnect = false;
  let isOfAnotherHistory = false;

  async function compare(primary: PrimaryState): Promise<ReplicaState> {
    const found = await inTime(compareWith(primary, control));
    // Later, the primary can overtake such a server. Then it looks as if it were only behind.
    if (found.problem === 'of another history') isOfAnotherHistory = true;
    else if (found.lagSeconds === 0) isOfAnotherHistory = false;
    return isOfAnotherHistory ? unusable('of another history') : found;
  }

  return {
    name: port === '' ? `${host}:5432` : host,
    pool,
    control,
    get state() {
      return state;
    },
    async probe(primary) {
      const connects = mustConnect;
      const connecting = connects ? connectOnce(options) : Promise.resolve();
      const [compared, connected] = await Promise.allSettled([compare(primary), connecting]);
      if (compared.status === 'rejected') {
        state = unusable('unreachable', reasonOf(compared.reason));
        // A server that hangs sends no error, so the reads on it would wait for a long time.
        if (!isFromServer(compared.reason))
          for (const client of busy) disconnect(client, 'the replica does not respond');
      } else if (connected.status === 'rejected') {
        state = unusable('unreachable', reasonOf(connected.reason));
      } else if (connects || !mustConnect) {
        mustConnect = false;
        state = compared.value;
      }
      // Otherwise a read has reported a failure during this probe. The next probe connects.
      return state;
    },
    reportUnreachable(error) {
      mustConnect = true;
      state = unusable('unreachable', reasonOf(error));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([pool.end(), control.end()]);
    },
  };
}

/** Rejects if the work takes too long. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  return within(patience, work, () => {
    throw new Error(`it did not respond within ${patience / 1000} s`);
  });
}

async function connectOnce({ url, name }: PoolOptions): Promise<void> {
  const client = await openConnection(url, `${name} control`, patience);
  await client.end();
}

const isFromServer = (error: unknown): boolean => error instanceof pg.DatabaseError;

/** The messages of a connection and of the statements of a probe have no secrets. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  if (/^timeout expired$|due to connection timeout$/.test(error.message))
    return `it accepted no connection within ${patience / 1000} s`;
  return error.message;
}
