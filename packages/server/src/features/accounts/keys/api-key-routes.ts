import { CreateApiKeyBody, CreatedApiKey, pageAnswer, PageQuery } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import { maxInteger, pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { accountParams } from '../account-routes.ts';
import { requireAccount } from '../store/require-account.ts';
import { listApiKeys } from './api-key-store.ts';
import { apiKeyView, createdApiKeyView } from './api-key-view.ts';
import { createApiKey, revokeApiKey } from './api-keys.ts';

const tag = 'API keys';

const apiKeyParams = Type.Object({
  ...accountParams.properties,
  api_key_id: Type.Integer({ minimum: 1, maximum: maxInteger }),
});

/** Operations on the API keys of an account (decisions §9). */
export function apiKeyRoutes(app: FastifyInstance, { context, credentials }: Service): void {
  serveAdmin(app, {
    method: 'POST',
    path: '/accounts/:account_id/api-keys',
    operationId: 'createApiKey',
    tag,
    summary: 'Create an API key',
    description:
      'Creates an API key. The key is shown only in this answer; only its hash is stored. Any number of keys are valid at once: to rotate, create the new key, change the clients, revoke the old one.',
    params: accountParams,
    body: CreateApiKeyBody,
    examples: {
      all: { summary: 'Everything but unmasked values', value: { name: 'Website 2026' } },
      readOnly: {
        summary: 'Search only, until a date',
        value: { name: 'Dashboard', scopes: ['contacts:read', 'attributes:read'], expires_at: '2027-01-31T00:00:00Z' },
      },
    },
    status: 201,
    answer: CreatedApiKey,
    async handle({ params, body }) {
      await requireAccount(context.db, params.account_id);
      const made = await createApiKey(context, params.account_id, body);
      credentials.forget(params.account_id);
      return createdApiKeyView(made, context.now());
    },
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/api-keys',
    operationId: 'listApiKeys',
    tag,
    summary: 'List API keys',
    description:
      'Lists the API keys of the account in order of their ids, with revoked and expired ones, without the keys themselves.',
    params: accountParams,
    query: PageQuery,
    answer: pageAnswer('ApiKey'),
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

  serveAdmin(app, {
    method: 'DELETE',
    path: '/accounts/:account_id/api-keys/:api_key_id',
    operationId: 'revokeApiKey',
    tag,
    summary: 'Revoke an API key',
    description:
      'Revokes an API key for good. It stops working at once here and within 5 seconds on every process. Revoking it again changes nothing. It stays in the listing.',
    params: apiKeyParams,
    status: 204,
    async handle({ params }) {
      await revokeApiKey(context, params.account_id, params.api_key_id);
      credentials.forget(params.account_id);
      return undefined;
    },
  });
}
