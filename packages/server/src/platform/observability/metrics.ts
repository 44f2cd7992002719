import type pg from 'pg';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The counters and histograms of one process, registered in a registry of their own. */
export interface Metrics {
  readonly registry: Registry;
  /** HTTP requests by method, route (a pattern, never an address) and status. */
  readonly requests: Counter<'method' | 'route' | 'status'>;
  /** Seconds from the first byte of a request to the last of its answer. */
  readonly latency: Histogram<'method' | 'route'>;
  /** Requests without a valid credential, by the kind of credential and outcome: `refused`, or `limited` when the address failed too often. */
  readonly failedAuthentications: Counter<'credential' | 'outcome'>;
  /** Items of accepted requests, by operation. */
  readonly accepted: Counter<'operation'>;
  /** Items that the pipeline has finished with, by operation and outcome. */
  readonly applied: Counter<'operation' | 'outcome'>;
  /** Seconds that one batch took to apply. */
  readonly batches: Histogram;
  /** Seconds from acceptance of a request until it was applied. */
  readonly lag: Histogram;
  /** Batch adds that were refused because the daily limit of their account was reached. */
  readonly batchesRefused: Counter;
  /** Mails by what became of them: `stored` (no mail server), `sent`, `deferred` (tried again later), `failed`. */
  readonly mails: Counter<'outcome'>;
  /** Imports that have ended, by outcome: completed, failed or cancelled. */
  readonly imports: Counter<'outcome'>;
  /** Bytes of the indexes of contacts, by index, when they were measured last. */
  readonly indexBytes: Gauge<'index'>;
  /** Bytes that they would have if they were new. */
  readonly indexFreshBytes: Gauge<'index'>;
  /** Rebuilds of indexes that had grown, by outcome: completed, failed, or no_space when there was too little to begin. */
  readonly indexRebuilds: Counter<'outcome'>;
  /** Deliveries that are finished, by outcome: delivered or failed. */
  readonly deliveries: Counter<'outcome'>;
  /** Seconds that attempts to deliver took, by outcome: delivered, or the code of the error. */
  readonly deliveryAttempts: Histogram<'outcome'>;
  /** Age of the last good backup in seconds, by kind; not a number when there is none. */
  readonly backupAge: Gauge<'kind'>;
  /** Seconds since a backup of the schedule has been due; 0 when none is. */
  readonly backupOverdue: Gauge<'kind'>;
  /** 1 when the last attempt at a backup failed, else 0. */
  readonly backupFailed: Gauge<'kind'>;
  /** 1 while the WAL of the embedded server cannot be archived, else 0. */
  readonly walArchiveFailing: Gauge;
  /** Shows the connections of a pool until it has ended; those of pools with the same labels together. */
  watchPool(labels: PoolLabels, pool: pg.Pool): void;
}

/** What a pool of connections is for: `user` is `api`, `worker`, `jobs`, `start` or `describe`, and `pool` is `main` or `search`. */
interface PoolLabels {
  readonly user: string;
  readonly pool: 'main' | 'search';
}

/** Makes the metrics of a process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
  return {
    registry,
    requests: new Counter({
      name: 'roster_http_requests_total',
      help: 'HTTP requests.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    latency: new Histogram({
      name: 'roster_http_request_seconds',
      help: 'Time to answer HTTP requests.',
      labelNames: ['method', 'route'],
      buckets: seconds,
      registers,
    }),
    failedAuthentications: new Counter({
      name: 'roster_failed_authentications_total',
      help: 'Requests without a valid credential; limited ones came from an address that failed too often.',
      labelNames: ['credential', 'outcome'],
      registers,
    }),
    accepted: new Counter({
      name: 'roster_accepted_items_total',
      help: 'Items of accepted requests.',
      labelNames: ['operation'],
      registers,
    }),
    applied: new Counter({
      name: 'roster_applied_items_total',
      help: 'Items that the pipeline has finished with.',
      labelNames: ['operation', 'outcome'],
      registers,
    }),
    batches: new Histogram({
      name: 'roster_batch_seconds',
      help: 'Time to apply one batch.',
      buckets: seconds,
      registers,
    }),
    lag: new Histogram({
      name: 'roster_pipeline_lag_seconds',
      help: 'Time from acceptance of a request until it was applied.',
      buckets: seconds,
      registers,
    }),
    batchesRefused: new Counter({
      name: 'roster_batches_refused_total',
      help: 'Batch adds beyond the daily limit of their account.',
      registers,
    }),
    mails: startingAtZero(
      ['stored', 'sent', 'deferred', 'failed'],
      new Counter({
        name: 'roster_mails_total',
        help: 'Mails by outcome; deferred ones are tried again.',
        labelNames: ['outcome'],
        registers,
      }),
    ),
    imports: startingAtZero(
      ['completed', 'failed', 'cancelled'],
      new Counter({
        name: 'roster_imports_total',
        help: 'Imports that have ended: completed, failed or cancelled.',
        labelNames: ['outcome'],
        registers,
      }),
    ),
    // Every worker shows the same: of several, one counts.
    indexBytes: new Gauge({
      name: 'roster_index_bytes',
      help: 'Size of the indexes of contacts, measured once an hour.',
      labelNames: ['index'],
      aggregator: 'max',
      registers,
    }),
    indexFreshBytes: new Gauge({
      name: 'roster_index_fresh_bytes',
      help: 'Estimated size of the large indexes of contacts if they were rebuilt.',
      labelNames: ['index'],
      aggregator: 'max',
      registers,
    }),
    indexRebuilds: startingAtZero(
      ['completed', 'failed', 'no_space'],
      new Counter({
        name: 'roster_index_rebuilds_total',
        help: 'Rebuilds of indexes that had grown: completed, failed, or no_space when there was too little to begin.',
        labelNames: ['outcome'],
        registers,
      }),
    ),
    deliveries: startingAtZero(
      ['delivered', 'failed'],
      new Counter({
        name: 'roster_deliveries_total',
        help: 'Deliveries that are finished: delivered, or failed for good.',
        labelNames: ['outcome'],
        registers,
      }),
    ),
    deliveryAttempts: new Histogram({
      name: 'roster_delivery_attempt_seconds',
      help: 'Time of attempts to deliver; the outcome is delivered or why it failed.',
      labelNames: ['outcome'],
      buckets: seconds,
      registers,
    }),
    backupAge: new Gauge({
      name: 'roster_backup_age_seconds',
      help: 'Age of the last good backup; not a number when there is none.',
      labelNames: ['kind'],
      registers,
    }),
    backupOverdue: new Gauge({
      name: 'roster_backup_overdue_seconds',
      help: 'Time since a scheduled backup has been due; 0 when none is.',
      labelNames: ['kind'],
      registers,
    }),
    backupFailed: new Gauge({
      name: 'roster_backup_last_failed',
      help: '1 when the last attempt at a backup failed.',
      labelNames: ['kind'],
      registers,
    }),
    walArchiveFailing: new Gauge({
      name: 'roster_wal_archive_failing',
      help: '1 while the WAL of the embedded PostgreSQL cannot be archived.',
      registers,
    }),
    watchPool: createPoolWatch(registers),
  };
}

function createPoolWatch(registers: Registry[]): Metrics['watchPool'] {
  const pools: (readonly [PoolLabels, pg.Pool])[] = [];
  const connections = new Gauge({
    name: 'roster_pool_connections',
    help: 'Database connections, by what uses them, pool and state.',
    labelNames: ['user', 'pool', 'state'],
    registers,
    collect() {
      connections.reset();
      for (const [labels, { ended, idleCount, totalCount, waitingCount }] of pools) {
        if (ended) continue;
        connections.inc({ ...labels, state: 'idle' }, idleCount);
        connections.inc({ ...labels, state: 'busy' }, totalCount - idleCount);
        connections.inc({ ...labels, state: 'wanted' }, waitingCount);
      }
    },
  });
  return (labels, pool) => void pools.push([labels, pool]);
}

/** Shows a counter from the start: Prometheus takes a series that begins with 1 for one that has not changed, and would miss the first failure. */
function startingAtZero(outcomes: readonly string[], counter: Counter<'outcome'>): Counter<'outcome'> {
  for (const outcome of outcomes) counter.inc({ outcome }, 0);
  return counter;
}
