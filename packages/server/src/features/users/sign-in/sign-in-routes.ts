import type { FastifyInstance } from 'fastify';
import type { Service } from '#platform/http/server/service.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { checkOrigin } from '../sessions/check-origin.ts';
import { findBySession } from '../sessions/person-store.ts';
import { sessionView } from '../sessions/session-view.ts';
import { endSession } from '../sessions/sessions.ts';
import { setUp } from '../set-up/set-up.ts';
import { signInWithCode, signInWithPassword } from './sign-in.ts';

/** The operations of signing in and out. They need no credential. */
export function signInRoutes(app: FastifyInstance, { context }: Service): void {
  checkOrigin(app, context.config);

  serve(app, 'getSession', {
    handle: async ({ incoming }) => sessionView(context, await findBySession(context, incoming)),
  });

  serve(app, 'setUp', {
    async handle(request) {
      const { userId, sessionId } = await setUp(context, request, request.body);
      const { name, email } = request.body;
      return sessionView(context, { userId, name, email, sessionId, isInstallationAdmin: true, memberships: [] });
    },
  });

  serve(app, 'signIn', { handle: (request) => signInWithPassword(context, request, request.body) });

  serve(app, 'sendSecondFactor', {
    handle: (request) => signInWithCode(context, request, request.body.code),
  });

  serve(app, 'signOut', {
    async handle(request) {
      await endSession(context, request);
      return undefined;
    },
  });
}
