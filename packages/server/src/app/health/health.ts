import { AggregatorRegistry, Gauge } from 'prom-client';
import type { FastifyInstance } from 'fastify';
import type { Context } from '#platform/context.ts';
import { databaseFault } from '#platform/database/connection/database.ts';
import { createBacklogReader, NoReading } from './backlog-reader.ts';
import { backlogCountedTo, readBacklog } from '#pipeline/log/backlog-store.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';

/** For how long the oldest waiting request has waited. */
function lagSeconds(context: Context, oldest: Date | null): number {
  return oldest === null ? 0 : Math.max(0, (context.now().getTime() - oldest.getTime()) / 1000);
}

// Load balancers and Prometheus call the processes by their IP addresses.
const open = { schema: { hide: true }, config: { takesAnyAddress: true }, logLevel: 'silent' } as const;

/** Serves `/healthz`, `/readyz` and `/metrics`, which need no key. `others` answers the metrics of the other processes, as prom-client's JSON. */
export function observabilityRoutes(app: FastifyInstance, context: Context, others: () => readonly object[]): void {
  const readNow = createBacklogReader(async () => readBacklog(context.db));
  app.get('/healthz', open, () => ({ status: 'ok' }));

  app.get('/readyz', open, async (_request, reply) => {
    try {
      // Reading a table of the schema: the database is there, and the migrations were done.
      const { requests, oldest } = await readNow();
      return { status: 'ok', pipeline: { waiting_requests: requests, lag_seconds: lagSeconds(context, oldest) } };
    } catch (error) {
      const reason =
        error instanceof NoReading
          ? 'the database does not respond in time'
          : databaseFault(error) === 'unreachable'
            ? 'the database cannot be reached'
            : 'the database does not answer as it should; the log says why';
      context.log.warn({ err: describeError(error) }, 'not ready');
      return reply.code(503).send({ status: 'unavailable', reason });
    }
  });

  const { registry } = context.metrics;
  const registers = [registry];
  const waiting = new Gauge({
    name: 'roster_pipeline_waiting_requests',
    help: `Accepted requests that wait to be applied (at most ${backlogCountedTo}).`,
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
    help: 'Searches of the process, by state: waiting for their turn, or running (two for one that counts on a second connection).',
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
      oldest.set(lagSeconds(context, backlog.oldest));
    } catch {
      // The other metrics are most wanted when the database is away.
      for (const gauge of [waiting, waitingItems, oldest]) gauge.set(Number.NaN);
    }
    void searches;
    // Added up and not put one after the other: a name may appear only once.
    const all = AggregatorRegistry.aggregate([await registry.getMetricsAsJSON(), ...others()]);
    return reply.type(registry.contentType).send(await all.metrics());
  });
}
