import { sql } from 'kysely';
import { AggregatorRegistry, Gauge } from 'prom-client';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';

/** The work that waits in the pipeline. */
interface Backlog {
  /** Number of accepted requests that wait. */
  readonly requests: number;
  /** Number of items (contacts) in them. */
  readonly items: number;
  /** Seconds that the oldest of them has waited. */
  readonly lagSeconds: number;
}

// The exact number of waiting requests matters to nobody beyond this; counting more would be work for every probe.
const countAtMost = 10_000;

async function backlogOf(context: Context): Promise<Backlog> {
  const { rows } = await sql<{ requests: number; items: number; oldest: Date | null }>`
    select count(*) as requests, coalesce(sum(total), 0)::bigint as items, min(accepted_at) as oldest
    from (select total, accepted_at from request_queue limit ${countAtMost}) q`.execute(context.db);
  const { requests, items, oldest } = rows[0]!;
  return {
    requests,
    items,
    lagSeconds: oldest === null ? 0 : Math.max(0, (context.now().getTime() - oldest.getTime()) / 1000),
  };
}

/** Serves `/healthz`, `/readyz` and `/metrics`, which need no key (architecture §8). `others` answers the metrics of the other processes, as prom-client's JSON. */
export function observabilityRoutes(app: FastifyInstance, context: Context, others: () => readonly object[]): void {
  app.get('/healthz', { schema: { hide: true }, logLevel: 'silent' }, () => ({ status: 'ok' }));

  app.get('/readyz', { schema: { hide: true }, logLevel: 'silent' }, async (_request, reply) => {
    try {
      // Reading a table of the schema: the database is there, and the migrations were done.
      const backlog = await backlogOf(context);
      return { status: 'ok', pipeline: { waiting_requests: backlog.requests, lag_seconds: backlog.lagSeconds } };
    } catch {
      return reply.code(503).send({ status: 'unavailable', reason: 'the database cannot be reached' });
    }
  });

  const { registry } = context.metrics;
  const registers = [registry];
  const waiting = new Gauge({
    name: 'roster_pipeline_waiting_requests',
    help: `Accepted requests that wait to be applied (at most ${countAtMost}).`,
    registers,
  });
  const waitingItems = new Gauge({
    name: 'roster_pipeline_waiting_items',
    help: 'Items in the waiting requests.',
    registers,
  });
  const oldest = new Gauge({
    name: 'roster_pipeline_oldest_seconds',
    help: 'Age of the oldest waiting request.',
    registers,
  });
  const connections = new Gauge({
    name: 'roster_pool_connections',
    help: 'Database connections of the process, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'idle' }, context.pool.idleCount);
      this.set({ state: 'busy' }, context.pool.totalCount - context.pool.idleCount);
      this.set({ state: 'wanted' }, context.pool.waitingCount);
    },
  });
  app.get('/metrics', { schema: { hide: true }, logLevel: 'silent' }, async (_request, reply) => {
    try {
      const backlog = await backlogOf(context);
      waiting.set(backlog.requests);
      waitingItems.set(backlog.items);
      oldest.set(backlog.lagSeconds);
    } catch {
      // The other metrics are most wanted when the database is away.
      for (const gauge of [waiting, waitingItems, oldest]) gauge.set(Number.NaN);
    }
    void connections;
    // Added up and not put one after the other: a name may appear only once.
    const all = AggregatorRegistry.aggregate([await registry.getMetricsAsJSON(), ...others()]);
    return reply.type(registry.contentType).send(await all.metrics());
  });
}
