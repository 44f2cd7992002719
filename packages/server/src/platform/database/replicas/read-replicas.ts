import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { pause } from '#platform/loops/pause.ts';
import { databaseFault, type Database } from '../connection/database.ts';
import { describeError } from '../connection/describe-error.ts';
import type { Metrics } from '#platform/observability/metrics.ts';
import { provePrimary, readPoint, type ReadPoint } from './primary-state.ts';
import type { ReplicaState } from './replica-state.ts';
import type { Replica } from './replica.ts';
import { readWalPosition } from './wal-position.ts';

/** A server that reads can use. */
export interface ReadServer {
  /** Connections for reads. */
  readonly pool: pg.Pool;
  /** Other connections, to cancel reads. */
  readonly control: pg.Pool;
  /**
   * Waits until the server has everything that was committed before the read. Call it on the
   * connection of the read, before its first statement and outside a transaction.
   */
  readonly ready: (db: Database) => Promise<void>;
}

/** How a read on a replica ended. `behind` and `failed` were repeated on the primary. */
type ReadOutcome = 'served' | 'behind' | 'failed';

/** Options of {@link ReadReplicas.read}. */
export interface ReadOptions {
  /** The server for reads without a replica. */
  readonly primary: Omit<ReadServer, 'ready'>;
  /** Milliseconds to wait for a replica that is behind; default 100. */
  readonly patience?: number;
  /** When it is aborted, a failed read is not repeated. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends reads to replicas, and repeats them on the primary if a replica cannot serve them. */
export interface ReadReplicas extends AsyncDisposable {
  /**
   * Runs a read on a replica that has everything that was committed before this call. Runs it on
   * the primary if there is no such replica. If the replica fails, the read runs a second time, so
   * it must only read.
   */
  read<T>(read: (server: ReadServer) => Promise<T>, options: ReadOptions): Promise<T>;
  /** The replicas, in the order of `ROSTER_REPLICA_URL`. */
  readonly all: readonly Replica[];
}

/** Parts of {@link openReadReplicas}. */
export interface ReadReplicasOptions {
  readonly replicas: readonly Replica[];
  /** Connections to the primary for the statement before each read. */
  readonly primary: pg.Pool;
  /** Other connections to the primary for the probes, so that searches cannot block them. */
  readonly probePrimary: pg.Pool;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'replicaReads' | 'replicaLag' | 'replicaUsed'>;
  /** Milliseconds between two probes; default 1000. */
  readonly interval?: number;
}

/** The replica did not replay everything in time. */
class ReplicaBehind extends Error {
  override readonly name = 'ReplicaBehind';
}

/** Sends reads to replicas, and probes them regularly. */
export function openReadReplicas(options: ReadReplicasOptions): ReadReplicas {
  const { replicas, primary, log, metrics, interval = 1000 } = options;
  const ending = new AbortController();
  const probing = replicas.length === 0 ? undefined : probeUntil(ending.signal, options, interval);
  /** Until when a replica is not used, because a read on it was in vain. */
  const avoided = new Map<Replica, number>();
  let turn = 0;

  function choose(): Replica | undefined {
    const usable = replicas.filter(
      (replica) => replica.state.problem === undefined && (avoided.get(replica) ?? 0) <= performance.now(),
    );
    return usable[turn++ % usable.length];
  }

  function count(replica: Replica, outcome: ReadOutcome): void {
    metrics.replicaReads.inc({ replica: replica.name, outcome });
  }

  return {
    all: replicas,
    async read(read, { primary: without, patience = 100, signal }) {
      const replica = choose();
      const onPrimary = { ...without, ready: () => Promise.resolve() };
      if (replica === undefined) return read(onPrimary);
      const point = await readPoint(primary);
      if (point === undefined) return read(onPrimary);
      const ready = (db: Database): Promise<void> => waitFor(db, point, patience);
      try {
        const result = await read({ pool: replica.pool, control: replica.control, ready });
        count(replica, 'served');
        return result;
      } catch (error) {
        const fault = faultOf(error);
        if (fault === undefined || signal?.aborted === true) throw error;
        count(replica, fault === 'behind' ? 'behind' : 'failed');
        avoided.set(replica, performance.now() + interval);
        if (fault === 'unreachable') replica.reportUnreachable(error);
        if (fault === 'refused')
          log.warn(
            { replica: replica.name, err: describeError(error) },
            'the replica refused a read, and the primary serves it',
          );
        return read(onPrimary);
      }
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await probing;
      await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
    },
  };
}

/**
 * Classifies an error of a read on a replica. Undefined: the primary would not do better.
 *
 * - `unreachable`: no connection, or it broke.
 * - `cancelled`: the server has ended the statement, such as for its replay.
 * - `refused`: the statement cannot run there, such as without the right to read a table.
 */
function faultOf(error: unknown): 'behind' | 'unreachable' | 'cancelled' | 'refused' | undefined {
  if (error instanceof ReplicaBehind) return 'behind';
  const isFromServer = error instanceof pg.DatabaseError;
  if (databaseFault(error) === 'unreachable') return isFromServer ? 'cancelled' : 'unreachable';
  // Rights and missing tables, statements that a replica cannot run, damaged files.
  return isFromServer && /^(25|42|XX)/.test(error.code ?? '') ? 'refused' : undefined;
}

async function waitFor(db: Database, { position, mark }: ReadPoint, patience: number): Promise<void> {
  const until = performance.now() + patience;
  for (let wait = 1; ; wait = Math.min(100, wait * 2)) {
    const { rows } = await sql<{ replayed: string | null; has_mark: boolean | null }>`
      select pg_last_wal_replay_lsn()::text as replayed,
        (select marks @> array[${mark}::uuid] from history_marks) as has_mark`.execute(db);
    const { replayed, has_mark: hasMark } = rows[0]!;
    if (hasMark === true && replayed !== null && readWalPosition(replayed) >= position) return;
    if (performance.now() + wait > until) throw new ReplicaBehind(`not replayed in ${patience} ms`);
    await sleep(wait);
  }
}

/** Probes all replicas until the signal, and logs what changes. Never rejects. */
async function probeUntil(
  signal: AbortSignal,
  { replicas, probePrimary, log, metrics }: ReadReplicasOptions,
  interval: number,
): Promise<void> {
  const logged = new Map<Replica, string>();

  function logChange(replica: Replica, { problem, reason }: ReplicaState): void {
    const found = `${problem}: ${reason}`;
    if (logged.get(replica) === found) return;
    logged.set(replica, found);
    if (problem === undefined) log.info({ replica: replica.name }, 'reads use the replica');
    else log.warn({ replica: replica.name, problem, reason }, 'reads use the primary instead of the replica');
  }

  while (!signal.aborted) {
    const primary = await provePrimary(probePrimary).catch(() => undefined);
    // Without the primary nothing can be compared, and no read can be served anyway.
    if (primary !== undefined) {
      await Promise.all(
        replicas.map(async (replica) => {
          const state = await replica.probe(primary);
          metrics.replicaLag.set({ replica: replica.name }, state.lagSeconds ?? Number.NaN);
          metrics.replicaUsed.set({ replica: replica.name }, state.problem === undefined ? 1 : 0);
          logChange(replica, state);
        }),
      );
    }
    await pause(interval, { signal, ref: false });
  }
}
