import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { requirePermission } from '#platform/http/authentication/require-actor.ts';
import { entityTag, readIfMatch } from '#platform/http/operations/entity-tag.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { changeContact, checkChange } from './change-contact.ts';
import { loadProfile } from './profile.ts';

/** The operations that show and change one contact. */
export function profileRoutes(app: FastifyInstance, { context, acceptor }: Service): void {
  serve(app, 'getContact', {
    async handle({ params: { account_id: accountId, contact_id: contactId }, actor, setHeader, disconnectSignal }) {
      await requireAccount(context.db, accountId);
      const profile = await loadProfile(context, {
        accountId,
        contactId,
        unmasked: actor.can('unmasked', accountId),
        activity: actor.can('activity:read', accountId),
        signal: disconnectSignal(),
      });
      setHeader('etag', profile.version);
      return profile;
    },
  });

  serve(app, 'updateContact', {
    async check({ params: { account_id: accountId }, body }, faults) {
      await requireAccount(context.db, accountId);
      await checkChange(context.db, accountId, body ?? {}, faults);
    },
    async handle({ params: { account_id: accountId, contact_id: contactId }, ...request }) {
      // The answer shows the contact.
      requirePermission(request.actor, 'contacts:read', accountId);
      const answer = await changeContact(context, acceptor, {
        accountId,
        contactId,
        author: request.actor.author,
        unmasked: request.actor.can('unmasked', accountId),
        activity: request.actor.can('activity:read', accountId),
        requestId: request.requestId,
        change: request.body,
        ifUpdatedAt: readIfMatch(request.incoming.headers),
        signal: request.disconnectSignal(),
      });
      request.setHeader('etag', entityTag(new Date(answer.contact.updated_at)));
      return answer;
    },
  });
}
