import type { FastifyInstance } from 'fastify';
import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { missingPermission } from '#platform/http/authentication/require-actor.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { endDownloadsAtStop } from '#platform/http/connection/downloads.ts';
import type { Service } from '#platform/http/server/service.ts';
import { createFairGate } from '#platform/load/fair-gate.ts';
import { exportPerson } from './export-person.ts';

// Each export holds a connection and a snapshot of the database while its client reads. A slow
// client can hold them for long, so one account does not get all.
const limits = { total: 3, perKey: 2, waitingPerKey: 0, timeout: 0 };

/** Adds the operator route that exports all data about one person (docs/privacy.md). */
export function personRoutes(app: FastifyInstance, { context }: Service): void {
  const trackDownload = endDownloadsAtStop(app);
  const gate = createFairGate<number>(limits);
  serve(app, 'exportContact', {
    async handle({ params: { account_id, contact_id }, actor, setHeader }) {
      await requireUnmasked(context, actor, account_id);
      const stream = await exportPerson(context, gate, account_id, contact_id, actor.author);
      setHeader('content-type', 'application/json; charset=utf-8');
      return trackDownload(stream);
    },
  });
}

/**
 * Requires the permission `unmasked` if the account has masked attributes. A copy with masks would
 * not be everything about the person, so there is none. Throws `missing_permission`.
 */
async function requireUnmasked({ db }: Pick<Context, 'db'>, actor: Actor, accountId: number): Promise<void> {
  if (actor.can('unmasked', accountId)) return;
  const { attributes } = await loadRegistry(db, accountId);
  const masked = attributes.find(({ dataMasking }) => dataMasking !== 'none');
  if (masked === undefined) return;
  throw missingPermission('unmasked', `: the export of a person has the values of ${masked.name}, which are masked`);
}
