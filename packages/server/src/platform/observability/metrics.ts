import type pg from 'pg';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of one process, in a registry of their own. */
export interface Metrics {
  readonly registry: Registry;
  /** HTTP requests by method, route (a pattern, never an address) and status. */
  readonly requests: Counter<'method' | 'route' | 'status'>;
  /** Seconds from the first byte of a request to the last byte of its response. */
  readonly latency: Histogram<'method' | 'route'>;
  /**
   * Requests without a valid credential, by the kind of credential and by outcome: `refused`, or
   * `limited` when the address had failed too often.
   */
  readonly failedAuthentications: Counter<'credential' | 'outcome'>;
  /** Items of accepted requests, by operation. */
  readonly accepted: Counter<'operation'>;
  /** Items that the pipeline has finished, by operation and outcome. */
  readonly applied: Counter<'operation' | 'outcome'>;
  /** Seconds that one batch took to apply. */
  readonly batches: Histogram;
  /** Seconds from acceptance of a request until it was applied. */
  readonly lag: Histogram;
  /** Batch adds that were refused because their account had reached its daily limit. */
  readonly batchesRefused: Counter;
  /** Mails by outcome: `stored` (no mail server), `sent`, `deferred` (retried) or `failed`. */
  readonly mails: Counter<'outcome'>;
  /** Seconds from a change of a contact until its live segments have followed. */
  readonly liveSegmentLag: Histogram;
  /** Contacts that entered or left live segments. */
  readonly liveSegmentChanges: Counter;
  /** Ended imports, by outcome: completed, failed or cancelled. */
  readonly imports: Counter<'outcome'>;
  /** Bytes of the indexes of contacts at the last measurement, by index. */
  readonly indexBytes: Gauge<'index'>;
  /** Estimated bytes of these indexes right after a rebuild. */
  readonly indexFreshBytes: Gauge<'index'>;
  /** Rebuilds of bloated indexes, by outcome: completed, failed, or no_space (too little). */
  readonly indexRebuilds: Counter<'outcome'>;
  /** Finished deliveries, by outcome: delivered or failed. */
  readonly deliveries: Counter<'outcome'>;
  /** Seconds of delivery attempts, by outcome: delivered, or the code of the error. */
  readonly deliveryAttempts: Histogram<'outcome'>;
  /** Seconds of attempts to send events, by outcome: delivered, or the code of the error. */
  readonly eventDeliveryAttempts: Histogram<'outcome'>;
  /** Events that receivers of subscriptions have accepted. */
  readonly eventsDelivered: Counter;
  /** Events that a subscription has not sent yet, for the subscriptions furthest behind. */
  readonly eventLagEvents: Gauge<'account_id' | 'subscription_id'>;
  /** Age in seconds of the oldest of these events. */
  readonly eventLagSeconds: Gauge<'account_id' | 'subscription_id'>;
  /** Event subscriptions by status: active or paused. */
  readonly eventSubscriptions: Gauge<'status'>;
  /** Seconds since the last good backup, by kind; NaN when there is none. */
  readonly backupAge: Gauge<'kind'>;
  /** Seconds since a scheduled backup became due; 0 when none is due. */
  readonly backupOverdue: Gauge<'kind'>;
  /** 1 when the last attempt to make a backup failed, else 0. */
  readonly backupFailed: Gauge<'kind'>;
  /** 1 while the WAL of the embedded server cannot be archived, else 0. */
  readonly walArchiveFailing: Gauge;
  /** Reads on replicas, by outcome: `served`; `behind` or `failed`, then the primary served them. */
  readonly replicaReads: Counter<'replica' | 'outcome'>;
  /** Seconds that a replica is behind; NaN if it could not be read. */
  readonly replicaLag: Gauge<'replica'>;
  /** 1 while reads use a replica, else 0. */
  readonly replicaUsed: Gauge<'replica'>;
  /** 1 while a node of a cluster responds, else 0. */
  readonly nodeUp: Gauge<'node'>;
  /** Shards of each table on a node of a cluster. */
  readonly nodeShards: Gauge<'node'>;
  /** Accounts on a node of a cluster. */
  readonly nodeAccounts: Gauge<'node'>;
  /** Tables that a cluster should distribute, and does not. */
  readonly tablesNotDistributed: Gauge;
  /** Shows the connections of a pool until it ends. Pools with equal labels are added up. */
  watchPool(labels: PoolLabels, pool: pg.Pool): void;
}

/**
 * The use of a pool of connections. `user` is `api`, `worker`, `jobs`, `start` or `describe`;
 * `pool` is `main`, `search` or `replica`.
 */
interface PoolLabels {
  readonly user: string;
  readonly pool: 'main' | 'search' | 'replica';
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
      help: 'Time to respond to HTTP requests.',
      labelNames: ['method', 'route'],
      buckets: seconds,
      registers,
    }),
    failedAuthentications: new Counter({
      name: 'roster_failed_authentications_total',
      help: 'Requests without a valid credential. Limited ones came from an address that had failed too often.',
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
      help: 'Items that the pipeline has finished.',
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
      help: 'Batch adds refused because their account had reached its daily limit.',
      registers,
    }),
    mails: startingAtZero(
      ['stored', 'sent', 'deferred', 'failed'],
      new Counter({
        name: 'roster_mails_total',
        help: 'Mails by outcome. Deferred ones are sent again later.',
        labelNames: ['outcome'],
        registers,
      }),
    ),
    liveSegmentLag: new Histogram({
      name: 'roster_live_segment_lag_seconds',
      help: 'Time from a change of a contact until its live segments have followed.',
      buckets: seconds,
      registers,
    }),
    liveSegmentChanges: new Counter({
      name: 'roster_live_segment_changes_total',
      help: 'Contacts that entered or left live segments.',
      registers,
    }),
    imports: startingAtZero(
      ['completed', 'failed', 'cancelled'],
      new Counter({
        name: 'roster_imports_total',
        help: 'Ended imports: completed, failed or cancelled.',
        labelNames: ['outcome'],
        registers,
      }),
    ),
    // Every worker reports the same sizes, so the maximum counts.
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
        help: 'Rebuilds of bloated indexes: completed, failed, or no_space (too little disk space to begin).',
        labelNames: ['outcome'],
        registers,
      }),
    ),
    deliveries: startingAtZero(
      ['delivered', 'failed'],
      new Counter({
        name: 'roster_deliveries_total',
        help: 'Finished deliveries: delivered, or failed permanently.',
        labelNames: ['outcome'],
        registers,
      }),
    ),
    deliveryAttempts: new Histogram({
      name: 'roster_delivery_attempt_seconds',
      help: 'Time of delivery attempts. The outcome is delivered, or the code of the error.',
      labelNames: ['outcome'],
      buckets: seconds,
      registers,
    }),
    eventDeliveryAttempts: new Histogram({
      name: 'roster_event_delivery_attempt_seconds',
      help: 'Time of attempts to send events to subscriptions. The outcome is delivered, or the code of the error.',
      labelNames: ['outcome'],
      buckets: seconds,
      registers,
    }),
    eventsDelivered: new Counter({
      name: 'roster_events_delivered_total',
      help: 'Events that receivers of subscriptions have accepted.',
      registers,
    }),
    // Every worker reports the same lags, so the maximum counts.
    eventLagEvents: new Gauge({
      name: 'roster_event_subscription_lag_events',
      help: 'Events that a subscription has not sent yet. Only the 100 subscriptions furthest behind.',
      labelNames: ['account_id', 'subscription_id'],
      aggregator: 'max',
      registers,
    }),
    eventLagSeconds: new Gauge({
      name: 'roster_event_subscription_lag_seconds',
      help: 'Age of the oldest event that a subscription has not sent yet.',
      labelNames: ['account_id', 'subscription_id'],
      aggregator: 'max',
      registers,
    }),
    eventSubscriptions: new Gauge({
      name: 'roster_event_subscriptions',
      help: 'Event subscriptions, by status.',
      labelNames: ['status'],
      aggregator: 'max',
      registers,
    }),
    backupAge: new Gauge({
      name: 'roster_backup_age_seconds',
      help: 'Time since the last good backup; NaN when there is none.',
      labelNames: ['kind'],
      registers,
    }),
    backupOverdue: new Gauge({
      name: 'roster_backup_overdue_seconds',
      help: 'Time since a scheduled backup became due; 0 when none is due.',
      labelNames: ['kind'],
      registers,
    }),
    backupFailed: new Gauge({
      name: 'roster_backup_last_failed',
      help: '1 when the last attempt to make a backup failed.',
      labelNames: ['kind'],
      registers,
    }),
    walArchiveFailing: new Gauge({
      name: 'roster_wal_archive_failing',
      help: '1 while the WAL of the embedded PostgreSQL cannot be archived.',
      registers,
    }),
    replicaReads: new Counter({
      name: 'roster_replica_reads_total',
      help: 'Reads on replicas: served, behind or failed. The primary served the last two.',
      labelNames: ['replica', 'outcome'],
      registers,
    }),
    // Several processes probe each replica. The largest lag and the worst state count.
    replicaLag: new Gauge({
      name: 'roster_replica_lag_seconds',
      help: 'Time that a replica is behind; NaN if it could not be read.',
      labelNames: ['replica'],
      aggregator: 'max',
      registers,
    }),
    replicaUsed: new Gauge({
      name: 'roster_replica_used',
      help: '1 while reads use a replica.',
      labelNames: ['replica'],
      aggregator: 'min',
      registers,
    }),
    nodeUp: new Gauge({
      name: 'roster_cluster_node_up',
      help: '1 while a node of the cluster responds, else 0.',
      labelNames: ['node'],
      aggregator: 'min',
      registers,
    }),
    nodeShards: new Gauge({
      name: 'roster_cluster_node_shards',
      help: 'Shards of each table on a node of the cluster.',
      labelNames: ['node'],
      aggregator: 'max',
      registers,
    }),
    nodeAccounts: new Gauge({
      name: 'roster_cluster_node_accounts',
      help: 'Accounts on a node of the cluster.',
      labelNames: ['node'],
      aggregator: 'max',
      registers,
    }),
    tablesNotDistributed: new Gauge({
      name: 'roster_cluster_tables_not_distributed',
      help: 'Tables that are not distributed over the nodes, but should be.',
      aggregator: 'max',
      registers,
    }),
    watchPool: createPoolWatch(registers),
  };
}

function createPoolWatch(registers: Registry[]): Metrics['watchPool'] {
  const pools: (readonly [PoolLabels, pg.Pool])[] = [];
  const connections = new Gauge({
    name: 'roster_pool_connections',
    help: 'Database connections by user, pool and state.',
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

/** Begins a counter with 0. Prometheus would miss a first failure that begins a series with 1. */
function startingAtZero(outcomes: readonly string[], counter: Counter<'outcome'>): Counter<'outcome'> {
  for (const outcome of outcomes) counter.inc({ outcome }, 0);
  return counter;
}
