import type { FastifyInstance } from 'fastify';
import { serve } from '#platform/http/operations/serve.ts';
import { endDownloadsAtStop } from '#platform/http/connection/downloads.ts';
import type { Service } from '#platform/http/server/service.ts';
import { createFairGate } from '#platform/load/fair-gate.ts';
import { exportPerson } from './export-person.ts';

// Each keeps a connection, and a moment of the database, for as long as its client reads.
const exportsAtOnce = 2;

/** What is known of one person, for the person (docs/privacy.md). */
export function personRoutes(app: FastifyInstance, { context }: Service): void {
  const underWay = endDownloadsAtStop(app);
  const gate = createFairGate<'person'>({
    total: exportsAtOnce,
    perKey: exportsAtOnce,
    waitingPerKey: 0,
    patience: 0,
  });
  serve(app, 'exportContact', {
    async handle({ params: { account_id, contact_id }, setHeader }) {
      const pieces = await exportPerson(context, gate, account_id, contact_id);
      setHeader('content-type', 'application/json; charset=utf-8');
      return underWay(pieces);
    },
  });
}
