import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { mask } from '#features/registry/masking.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { listWaitingSignUps } from './sign-up-store.ts';
import { createSignUp } from './sign-ups.ts';

/** Registers the operations that begin a double opt-in, and list those that wait. */
export function signUpRoutes(app: FastifyInstance, service: Service): void {
  serve(app, 'createSignUp', {
    async handle({ params: { account_id }, body, requestId }) {
      const { signUpId, expiresAt } = await createSignUp(service, account_id, body, requestId);
      return { sign_up_id: signUpId, request_id: requestId, expires_at: expiresAt.toISOString() };
    },
  });

  serve(app, 'listSignUps', {
    async handle({ params: { account_id: accountId }, query, actor }) {
      const { db, now } = service.context;
      await requireAccount(db, accountId);
      const email = (await loadRegistry(db, accountId)).find('EMAIL');
      const masking = actor.can('unmasked', accountId) ? 'none' : (email?.dataMasking ?? 'none');
      return newestPageOf(query, {
        load: (before, limit) => listWaitingSignUps(db, accountId, now(), before, limit),
        idOf: (row) => row.sign_up_id,
        view: (row) => ({
          sign_up_id: row.sign_up_id,
          email: row.email === null ? null : mask(masking, row.email),
          created_at: row.created_at.toISOString(),
          expires_at: row.expires_at.toISOString(),
        }),
      });
    },
  });
}
