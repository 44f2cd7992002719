import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Service } from './service.ts';

/**
 * Answers requests of an account with `account_unavailable` while its node of the cluster is down. So
 * they use no connection to the coordinator, which would wait for the node.
 *
 * Call it after the authentication. `hook` is the one of the authentication.
 */
export function refuseAccountsOnDownNodes(
  scope: FastifyInstance,
  { context }: Pick<Service, 'context'>,
  hook: 'onRequest' | 'preHandler' = 'onRequest',
): void {
  // On a single server there is nothing to check.
  if (context.config.layout === 'single') return;
  scope.addHook(hook, async (request: FastifyRequest) => {
    if (!context.servers.anyDown) return;
    const accountId = request.credential?.accountId ?? accountInPath(request);
    if (accountId !== undefined) await context.servers.of(accountId);
  });
}

function accountInPath(request: FastifyRequest): number | undefined {
  const { account_id: text = '' } = request.params as { account_id?: string };
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
