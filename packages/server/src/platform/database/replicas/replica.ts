import type pg from 'pg';
import { within } from '#platform/loops/within.ts';
import { openPool, type PoolOptions } from '../connection/database.ts';
import { disconnect } from '../connection/disconnect.ts';
import { identitySql, type PrimaryState } from './primary-state.ts';
import { readWalPosition } from './wal-position.ts';

/** Why reads cannot use a replica at the moment. */
export type ReplicaProblem = 'unreachable' | 'not a replica' | 'of another database' | 'behind';

/** What the last probe of a replica has found. */
export interface ReplicaState {
  /** Undefined while reads can use the replica. */
  readonly problem: ReplicaProblem | undefined;
  /** Bytes of WAL that the replica has not replayed yet; undefined if unknown. */
  readonly lagBytes: number | undefined;
  /** Seconds since the last replayed commit; 0 if nothing is missing, undefined if unknown. */
  readonly lagSeconds: number | undefined;
}

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
}

/** Milliseconds after which a replica that does not respond to a probe is unreachable. */
const probeTimeout = 2000;
/** Seconds that a replica may be behind. Reads would wait for it, and then use the primary. */
const maxLagSeconds = 1;

/** Opens the connections to a replica. Until its first probe it counts as unreachable. */
export function openReplica(options: PoolOptions): Replica {
  const { host, port } = new URL(options.url);
  const pool = openPool(options);
  const { statementTimeout: _, ...limits } = options;
  const control = openPool({ ...limits, name: `${options.name} control`, size: 2, silenceLimit: 2 * probeTimeout });
  const busy = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => void busy.add(client));
  pool.on('release', (_error, client) => void busy.delete(client));
  let state: ReplicaState = { problem: 'unreachable', lagBytes: undefined, lagSeconds: undefined };

  return {
    name: port === '' ? `${host}:5432` : host,
    pool,
    control,
    get state() {
      return state;
    },
    async probe(primary) {
      state = await read(control, primary);
      // A server that hangs sends no error, so the reads on it would wait for a long time.
      if (state.problem === 'unreachable')
        for (const client of busy) disconnect(client, 'the replica does not respond');
      return state;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([pool.end(), control.end()]);
    },
  };
}

async function read(control: pg.Pool, primary: PrimaryState): Promise<ReplicaState> {
  const unknown = { lagBytes: undefined, lagSeconds: undefined };
  const asked = control
    .query<{ is_replica: boolean; identity: string; replayed: string | null; seconds: number | null }>(
      `select pg_is_in_recovery() as is_replica, ${identitySql} as identity, pg_last_wal_replay_lsn()::text as replayed,
              extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as seconds`,
    )
    .catch(() => undefined);
  const answer = await within(probeTimeout, asked, () => undefined);
  const row = answer?.rows[0];
  if (row === undefined) return { problem: 'unreachable', ...unknown };
  if (!row.is_replica || row.replayed === null) return { problem: 'not a replica', ...unknown };
  if (row.identity !== primary.identity) return { problem: 'of another database', ...unknown };
  const missing = primary.position - readWalPosition(row.replayed);
  const lagBytes = Math.max(0, Number(missing));
  const lagSeconds = lagBytes === 0 ? 0 : Math.max(0, row.seconds ?? Number.POSITIVE_INFINITY);
  return { problem: lagSeconds > maxLagSeconds ? 'behind' : undefined, lagBytes, lagSeconds };
}
