import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { findContacts } from './find-contacts.ts';

/** The operation that finds contacts by the beginning of an identifier. */
export function findContactsRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'findContacts', {
    async handle({ params: { account_id: accountId }, query, actor, disconnectSignal }) {
      await requireAccount(context.db, accountId);
      const registry = await loadRegistry(context.db, accountId);
      const scope = { accountId, registry, unmasked: actor.can('unmasked', accountId) };
      return context.searches.run(accountId, disconnectSignal(), (db) => findContacts(db, scope, query.find));
    },
  });
}
