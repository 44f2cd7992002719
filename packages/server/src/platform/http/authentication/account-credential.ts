import { scopes } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { notFound } from '#platform/errors/api-error.ts';
import type { Service } from '../server/service.ts';
import { actorOf } from './require-actor.ts';

/**
 * Gives the operations of an API key the credential of the caller, for the account in the path. It
 * has the permissions of the caller as scopes. Call it after `requireActor`.
 */
export function useAccountCredential(app: FastifyInstance, { credentials }: Service): void {
  app.addHook('onRequest', async (request) => {
    const { account_id: text = '' } = request.params as { account_id?: string };
    const actor = actorOf(request);
    const accountId = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
    const credential =
      accountId === undefined
        ? undefined
        : await credentials.ofAccount(accountId, {
            author: actor.author,
            scopes: new Set(scopes.filter((scope) => actor.can(scope, accountId))),
          });
    if (credential === undefined) throw notFound(`account ${text.slice(0, 20)}`);
    request.credential = credential;
  });
}
