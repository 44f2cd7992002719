import { maxInteger } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#platform/http/operations/serve.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { requireAccount } from '../store/require-account.ts';
import { listApiKeys } from './api-key-store.ts';
import { apiKeyView, createdApiKeyView } from './api-key-view.ts';
import { createApiKey, revokeApiKey } from './api-keys.ts';

/** Operations on the API keys of an account. */
export function apiKeyRoutes(app: FastifyInstance, { context, credentials }: Service): void {
  serve(app, 'createApiKey', {
    async handle({ params, body, actor }) {
      await requireAccount(context.db, params.account_id);
      const made = await createApiKey(context, params.account_id, body, actor);
      credentials.forget(params.account_id);
      return createdApiKeyView(made, context.now());
    },
  });

  serve(app, 'listApiKeys', {
    async handle({ params, query }) {
      await requireAccount(context.db, params.account_id);
      return pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) => listApiKeys(context.db, params.account_id, after?.[0] ?? 0, limit),
        position: (row) => [row.api_key_id],
        view: (row) => apiKeyView(row, context.now()),
      });
    },
  });

  serve(app, 'revokeApiKey', {
    async handle({ params, actor }) {
      await revokeApiKey(context, params.account_id, params.api_key_id, actor.author);
      credentials.forget(params.account_id);
      return undefined;
    },
  });
}
