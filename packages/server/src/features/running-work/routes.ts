import type { Permission } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { presentActor } from '#platform/http/authentication/require-actor.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { openEventStream } from './event-stream.ts';
import { loadWork, visibleWork } from './list-work.ts';
import { StreamLimits } from './stream-limits.ts';
import { createWorkWatch } from './work-watch.ts';

/** Registers the operations on the running work of an account. */
export function runningWorkRoutes(app: FastifyInstance, service: Service): void {
  const { context } = service;
  const watch = createWorkWatch(context);
  const limits = new StreamLimits();
  const stopping = new AbortController();
  // An open stream would delay the stop. The client connects again, to another process.
  app.addHook('preClose', async () => stopping.abort());

  serve(app, 'listRunning', {
    async handle({ params: { account_id: accountId }, actor }) {
      await requireAccount(context.db, accountId);
      const can = (permission: Permission): boolean => actor.can(permission, accountId);
      return { data: visibleWork(await loadWork(context, accountId), can) };
    },
  });

  serve(app, 'streamRunning', {
    async handle({ params: { account_id: accountId }, actor, incoming, setHeader }) {
      await requireAccount(context.db, accountId);
      // A key of an account, the operator token, or a person with any number of windows.
      const leave = limits.enter(actor.author, accountId);
      setHeader('content-type', 'text/event-stream; charset=utf-8');
      // nginx and others collect responses unless this header is set.
      setHeader('x-accel-buffering', 'no');
      setHeader('cache-control', 'no-store, no-transform');
      // After the stream, an open connection would delay a stop of the service.
      setHeader('connection', 'close');
      const can = (permission: Permission): boolean => actor.can(permission, accountId);
      const check = () => presentRights(service, incoming, accountId);
      const stream = openEventStream(watch, { accountId, can, check }, stopping.signal);
      stream.once('close', leave);
      return stream;
    },
  });
}

/** Returns the present rights of a caller; undefined when the caller may not listen anymore. */
async function presentRights(
  service: Service,
  request: FastifyRequest,
  accountId: number,
): Promise<((permission: Permission) => boolean) | undefined> {
  try {
    const actor = await presentActor(service, request);
    await requireAccount(service.context.db, accountId);
    return (permission) => actor.can(permission, accountId);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
