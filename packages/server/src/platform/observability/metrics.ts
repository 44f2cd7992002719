import type pg from 'pg';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ConnectionsRole } from '#platform/config/connections.ts';

/** The metrics of one process. */
export type Metrics = ReturnType<typeof createMetrics>;

/** The use of a pool of connections. */
interface PoolLabels {
  readonly user: ConnectionsRole;
  readonly pool: 'main' | 'search' | 'replica';
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Makes the metrics of a process, in a registry of their own. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  /** Makes a histogram of seconds. */
  const histogram = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  const gauge = <Label extends string = never>(
    name: string,
    help: string,
    labelNames: Label[] = [],
    aggregator: 'sum' | 'max' | 'min' = 'sum',
  ) => new Gauge({ name, help, labelNames, aggregator, registers });
  return {
    registry,
    /** HTTP requests by method, route (a pattern, never an address) and status. */
    requests: counter('roster_http_requests_total', 'HTTP requests.', ['method', 'route', 'status']),
    /** Seconds from the first byte of a request to the last byte of its response. */
    latency: histogram('roster_http_request_seconds', 'Time to respond to HTTP requests.', ['method', 'route']),
    /**
     * Requests without a valid credential, by the kind of credential and by outcome: `refused`, or
     * `limited` when the address had failed too often.
     */
    failedAuthentications: counter(
      'roster_failed_authentications_total',
      'Requests without a valid credential. Limited ones came from an address that had failed too often.',
      ['credential', 'outcome'],
    ),
    accepted: counter('roster_accepted_items_total', 'Items of accepted requests.', ['operation']),
    /** Items that the pipeline has finished, by operation and outcome. */
    applied: counter('roster_applied_items_total', 'Items that the pipeline has finished.', ['operation', 'outcome']),
    batches: histogram('roster_batch_seconds', 'Time to apply one batch.'),
    lag: histogram('roster_pipeline_lag_seconds', 'Time from acceptance of a request until it was applied.'),
    batchesRefused: counter(
      'roster_batches_refused_total',
      'Batch adds refused because their account had reached its daily limit.',
    ),
    /** Mails by outcome: `stored` (no mail server), `sent`, `deferred` (retried) or `failed`. */
    mails: startingAtZero(
      ['stored', 'sent', 'deferred', 'failed'],
      counter('roster_mails_total', 'Mails by outcome. Deferred ones are sent again later.', ['outcome']),
    ),
    liveSegmentLag: histogram(
      'roster_live_segment_lag_seconds',
      'Time from a change of a contact until its live segments have followed.',
    ),
    liveSegmentChanges: counter('roster_live_segment_changes_total', 'Contacts that entered or left live segments.'),
    imports: startingAtZero(
      ['completed', 'failed', 'cancelled'],
      counter('roster_imports_total', 'Ended imports: completed, failed or cancelled.', ['outcome']),
    ),
    // Every worker reports the same sizes, so the maximum counts.
    indexBytes: gauge(
      'roster_index_bytes',
      'Size of the indexes of contacts, measured once an hour.',
      ['index'],
      'max',
    ),
    indexFreshBytes: gauge(
      'roster_index_fresh_bytes',
      'Estimated size of the large indexes of contacts if they were rebuilt.',
      ['index'],
      'max',
    ),
    indexRebuilds: startingAtZero(
      ['completed', 'failed', 'no_space'],
      counter(
        'roster_index_rebuilds_total',
        'Rebuilds of bloated indexes: completed, failed, or no_space (too little disk space to begin).',
        ['outcome'],
      ),
    ),
    deliveries: startingAtZero(
      ['delivered', 'failed'],
      counter('roster_deliveries_total', 'Finished deliveries: delivered, or failed permanently.', ['outcome']),
    ),
    deliveryAttempts: histogram(
      'roster_delivery_attempt_seconds',
      'Time of delivery attempts. The outcome is delivered, or the code of the error.',
      ['outcome'],
    ),
    eventDeliveryAttempts: histogram(
      'roster_event_delivery_attempt_seconds',
      'Time of attempts to send events to subscriptions. The outcome is delivered, or the code of the error.',
      ['outcome'],
    ),
    eventsDelivered: counter('roster_events_delivered_total', 'Events that receivers of subscriptions have accepted.'),
    // Every worker reports the same lags, so the maximum counts.
    eventLagEvents: gauge(
      'roster_event_subscription_lag_events',
      'Events that a subscription has not sent yet. Only the 100 subscriptions furthest behind.',
      ['account_id', 'subscription_id'],
      'max',
    ),
    /** Age in seconds of the oldest of these events. */
    eventLagSeconds: gauge(
      'roster_event_subscription_lag_seconds',
      'Age of the oldest event that a subscription has not sent yet.',
      ['account_id', 'subscription_id'],
      'max',
    ),
    eventSubscriptions: gauge('roster_event_subscriptions', 'Event subscriptions, by status.', ['status'], 'max'),
    backupAge: gauge('roster_backup_age_seconds', 'Time since the last good backup; NaN when there is none.', ['kind']),
    backupOverdue: gauge(
      'roster_backup_overdue_seconds',
      'Time since a scheduled backup became due; 0 when none is due.',
      ['kind'],
    ),
    backupFailed: gauge('roster_backup_last_failed', '1 when the last attempt to make a backup failed.', ['kind']),
    walArchiveFailing: gauge(
      'roster_wal_archive_failing',
      '1 while the WAL of the embedded PostgreSQL cannot be archived.',
    ),
    replicaReads: counter(
      'roster_replica_reads_total',
      'Reads on replicas: served, behind or failed. The primary served the last two.',
      ['replica', 'outcome'],
    ),
    // Several processes probe each replica. The largest lag and the worst state count.
    replicaLag: gauge(
      'roster_replica_lag_seconds',
      'Time that a replica is behind; NaN if it could not be read.',
      ['replica'],
      'max',
    ),
    replicaUsed: gauge('roster_replica_used', '1 while reads use a replica.', ['replica'], 'min'),
    nodeUp: gauge('roster_cluster_node_up', '1 while a node of the cluster responds, else 0.', ['node'], 'min'),
    nodeShards: gauge('roster_cluster_node_shards', 'Shards of each table on a node of the cluster.', ['node'], 'max'),
    nodeAccounts: gauge('roster_cluster_node_accounts', 'Accounts on a node of the cluster.', ['node'], 'max'),
    tablesNotDistributed: gauge(
      'roster_cluster_tables_not_distributed',
      'Tables that are not distributed over the nodes, but should be.',
      [],
      'max',
    ),
    /** Shows the connections of a pool until it ends. Pools with equal labels are added up. */
    watchPool: createPoolWatch(registers),
  };
}

function createPoolWatch(registers: Registry[]) {
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
  return (labels: PoolLabels, pool: pg.Pool): void => void pools.push([labels, pool]);
}

/** Begins a counter with 0. Prometheus would miss a first failure that begins a series with 1. */
function startingAtZero(outcomes: readonly string[], counter: Counter<'outcome'>): Counter<'outcome'> {
  for (const outcome of outcomes) counter.inc({ outcome }, 0);
  return counter;
}
