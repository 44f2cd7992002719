import type { FastifyInstance } from 'fastify';
import { serve } from '#platform/http/operations/serve.ts';
import { endDownloadsAtStop } from '#platform/http/connection/downloads.ts';
import type { Service } from '#platform/http/server/service.ts';
import { createFairGate } from '#platform/load/fair-gate.ts';
import { exportPerson } from './export-person.ts';

// Each export holds a connection and a snapshot of the database while its client reads.
const concurrentExports = 2;

/** Adds the operator route that exports all data about one person (docs/privacy.md). */
export function personRoutes(app: FastifyInstance, { context }: Service): void {
  const trackDownload = endDownloadsAtStop(app);
  const gate = createFairGate<'person'>({
    total: concurrentExports,
    perKey: concurrentExports,
    waitingPerKey: 0,
    timeout: 0,
  });
  serve(app, 'exportContact', {
    async handle({ params: { account_id, contact_id }, actor, setHeader }) {
      const stream = await exportPerson(context, gate, account_id, contact_id, actor.author);
      setHeader('content-type', 'application/json; charset=utf-8');
      return trackDownload(stream);
    },
  });
}
