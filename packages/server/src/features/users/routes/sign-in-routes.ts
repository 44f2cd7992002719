import type { FastifyInstance } from 'fastify';
import type { Service } from '#platform/http/server/service.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Person } from '#platform/http/authentication/actor.ts';
import { acceptInvitation, lookUpInvitation } from '../invitations/accept-invitation.ts';
import type { Attempt } from '../limits/sign-in-limits.ts';
import { passkeyOptions, signInWithPasskey } from '../passkeys/passkeys.ts';
import { completePasswordReset, requestPasswordReset } from '../password-resets/password-resets.ts';
import { checkOrigin } from '../sessions/check-origin.ts';
import { findBySession } from '../sessions/person-store.ts';
import { sessionView } from '../sessions/session-view.ts';
import { endSession } from '../sessions/sessions.ts';
import { setUp } from '../set-up/set-up.ts';
import { signInWithCode, signInWithPassword } from '../sign-in/sign-in.ts';

/** The operations of signing in and out, and of the links in mails. They need no credential. */
export function signInRoutes(app: FastifyInstance, { context }: Service): void {
  const { signInLimits } = context;
  checkOrigin(app, context.config);

  serve(app, 'getSession', {
    handle: async ({ incoming }) => sessionView(context, await findBySession(context, incoming, 'use')),
  });

  serve(app, 'setUp', {
    async handle(request) {
      const { incoming, body } = request;
      const { userId } = await withLink(incoming.ip, () => setUp(context, request, body));
      return sessionView(context, newPerson(userId));
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

  serve(app, 'getPasskeyOptions', {
    async handle(request) {
      await signInLimits.start(request.incoming.ip);
      return { options: { ...(await passkeyOptions(context, request)) } };
    },
  });

  serve(app, 'signInWithPasskey', {
    async handle(request) {
      const attempt: Attempt = { address: request.incoming.ip, subject: `passkey:${request.body.response.id}` };
      await signInLimits.begin(attempt);
      await signInWithPasskey(context, request, request.body);
      await signInLimits.succeed(attempt);
      return { status: 'signed_in' } as const;
    },
  });

  serve(app, 'requestPasswordReset', {
    async handle({ body, incoming }) {
      await requestPasswordReset(context, incoming.ip, body.email);
      return undefined;
    },
  });

  serve(app, 'completePasswordReset', {
    async handle({ body, incoming }) {
      await withLink(incoming.ip, () => completePasswordReset(context, body));
      return undefined;
    },
  });

  serve(app, 'lookUpInvitation', {
    handle: ({ body, incoming }) => withLink(incoming.ip, () => lookUpInvitation(context, body.token)),
  });

  serve(app, 'acceptInvitation', {
    async handle(request) {
      const { body, incoming } = request;
      const person = await findBySession(context, incoming, 'use');
      const userId = await withLink(incoming.ip, () => acceptInvitation(context, request, person, body));
      return sessionView(context, person ?? newPerson(userId));
    },
  });

  /** Limits how many links one address can try. */
  async function withLink<T>(address: string, work: () => Promise<T>): Promise<T> {
    const attempt: Attempt = { address, subject: `link:${address}` };
    await signInLimits.begin(attempt);
    const result = await work();
    await signInLimits.succeed(attempt);
    return result;
  }
}

/** A person who has just got a user. The view reads everything else from the database. */
function newPerson(userId: number): Person {
  return { userId, name: '', email: '', isInstallationAdmin: false, memberships: [] };
}
