import { AggregatorRegistry, Gauge } from 'prom-client';
import type { FastifyInstance } from 'fastify';
import type { Context } from '#platform/context.ts';
import { databaseFault, isReadOnlyError } from '#platform/database/connection/database.ts';
import { BacklogTimeout, createBacklogReader } from './backlog-reader.ts';
import { backlogCountedTo, readBacklog } from '#pipeline/log/backlog-store.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { requireWrites } from '#platform/database/statements/read-only.ts';

/** Returns for how many seconds the oldest request in the queue has waited. */
function lagSeconds(context: Context, oldest: Date | null): number {
  return oldest === null ? 0 : Math.max(0, (context.now().getTime() - oldest.getTime()) / 1000);
}

// Load balancers and Prometheus call the processes by their IP addresses.
const open = { schema: { hide: true }, config: { takesAnyAddress: true }, logLevel: 'silent' } as const;

/**
 * Adds the routes `/healthz`, `/readyz` and `/metrics`, which need no key. `others` returns the
 * metrics of the other processes in the JSON format of prom-client.
 */
export function observabilityRoutes(app: FastifyInstance, context: Context, others: () => readonly object[]): void {
  const readNow = createBacklogReader(async () => {
    // The backlog of a cluster is on its nodes. All writes need the coordinator, too.
    const coordinatorWrites = context.config.layout === 'citus' ? requireWrites(context.pool) : undefined;
    const [backlog] = await Promise.all([readBacklog(context), coordinatorWrites]);
    if (backlog.isReadOnly) await requireWrites((await context.servers.shards())[0]!.server.pool);
    // The result is kept for a second. Its age must not count as lag.
    return { ...backlog, lag: lagSeconds(context, backlog.oldest) };
  });
  app.get('/healthz', open, () => ({ status: 'ok' }));

  app.get('/readyz', open, async (_request, reply) => {
    try {
      // These queries succeed only if the database is reachable, migrated and not read-only.
      const { requests, lag } = await readNow();
      const pipeline = { waiting_requests: requests, lag_seconds: lag };
      if (context.config.layout === 'single') return { status: 'ok', pipeline };
      // If one node is down, the process still serves the accounts on other nodes.
      const servers = [...new Set((await context.servers.shards()).map(({ server }) => server))];
      const unreachable = servers.filter(({ isDown }) => isDown).length;
      return { status: 'ok', pipeline, nodes: { reachable: servers.length - unreachable, unreachable } };
    } catch (error) {
      const reason =
        error instanceof BacklogTimeout
          ? 'the database does not respond in time'
          : isReadOnlyError(error)
            ? 'the database is read-only'
            : databaseFault(error) === 'unreachable'
              ? 'the database cannot be reached'
              : 'a query failed; the log says why';
      context.log.warn({ err: describeError(error) }, 'not ready');
      return reply.code(503).send({ status: 'unavailable', reason });
    }
  });

  const { registry } = context.metrics;
  const registers = [registry];
  const waiting = new Gauge({
    name: 'roster_pipeline_waiting_requests',
    help: `Accepted requests that are waiting to be applied, counted up to ${backlogCountedTo}.`,
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
  const searches = new Gauge({
    name: 'roster_searches',
    help: 'Searches by state: waiting for a connection, or running. A search that also counts uses two connections and is counted twice.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'running' }, context.searches.running);
      this.set({ state: 'waiting' }, context.searches.waiting);
    },
  });
  app.get('/metrics', open, async (_request, reply) => {
    try {
      const backlog = await readNow();
      waiting.set(backlog.requests);
      waitingItems.set(backlog.items);
      oldest.set(backlog.lag);
    } catch {
      // Serve the other metrics even if the database is unreachable.
      for (const gauge of [waiting, waitingItems, oldest]) gauge.set(Number.NaN);
    }
    void searches;
    // Processes share metric names. Prometheus accepts each name only once, so the values are added
    // up.
    const all = AggregatorRegistry.aggregate([await registry.getMetricsAsJSON(), ...others()]);
    return reply.type(registry.contentType).send(await all.metrics());
  });
}
