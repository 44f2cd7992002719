import type { FastifyInstance } from 'fastify';
import { actorOf } from '#platform/http/authentication/require-actor.ts';
import type { Service } from '#platform/http/server/service.ts';
import { unknownAccount } from '../store/require-account.ts';
import { findDeletion } from './deletion-store.ts';

/**
 * Answers requests on an account that is being deleted as if the account did not exist. Only its
 * audit log stays visible, to installation administrators. Call it after `requireActor`.
 */
export function refuseDeletedAccounts(app: FastifyInstance, { context }: Pick<Service, 'context'>): void {
  app.addHook('onRequest', async (request) => {
    const { account_id: text = '' } = request.params as { account_id?: string };
    if (!/^[1-9]\d{0,8}$/.test(text)) return;
    const accountId = Number(text);
    const isLog = request.routeOptions.config.operationId === 'listAuditLog';
    if (isLog && actorOf(request).isInstallation) return;
    if ((await findDeletion(context.db, accountId)) !== undefined) throw unknownAccount(accountId);
  });
}
