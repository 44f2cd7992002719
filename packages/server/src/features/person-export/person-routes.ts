import { PersonExport } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { contactParams } from '#features/contacts/routes/move-routes.ts';
import { serveAdmin } from '#platform/http/operations/admin.ts';
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
  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/contacts/:contact_id/export',
    operationId: 'exportContact',
    tag: 'Privacy',
    summary: 'Export a contact',
    description: [
      'Answers all that the service knows of one person, as it is at one moment: the contact with every attribute (nothing is masked: the operator token stands above the scopes of API keys), lists and segments, opt-outs, sign-ups, mails, the requests that touched it as far as they are kept, and all its activities.',
      'The answer is streamed, and can be long: it has no `Content-Length`. An answer that breaks off is recognised by its connection, which is cut, and by the last field, `complete`, which is missing. Two exports are written at the same time; further ones are told to come again.',
      'The audit log keeps that the contact of this number was exported.',
    ].join('\n\n'),
    params: contactParams,
    answer: PersonExport,
    async handle({ params: { account_id, contact_id }, setHeader }) {
      const bundle = await exportPerson(context, gate, account_id, contact_id);
      setHeader('content-type', 'application/json; charset=utf-8');
      return underWay(bundle);
    },
  });
}
