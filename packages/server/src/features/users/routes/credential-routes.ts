import { maxInteger } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { notFound } from '#platform/errors/api-error.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import type { Attempt } from '../limits/sign-in-limits.ts';
import { deletePasskey, listPasskeys } from '../passkeys/passkey-store.ts';
import { passkeyView } from '../passkeys/passkey-view.ts';
import { addPasskey, newPasskeyOptions } from '../passkeys/passkeys.ts';
import { deleteSecondFactor } from '../second-factor/authenticator-store.ts';
import { finishAuthenticator, startAuthenticator } from '../second-factor/authenticator.ts';
import { confirmationFailed } from '../sign-in/sign-in-failed.ts';
import { deleteToken, listTokens } from '../tokens/token-store.ts';
import { createToken, tokenView } from '../tokens/tokens.ts';
import { personOf, requireRecentSignIn, requireSession } from '../profile/requirements.ts';

/** The authenticator app, the passkeys and the tokens of a person. */
export function credentialRoutes(app: FastifyInstance, { context }: Service): void {
  const { db, signInLimits } = context;

  serve(app, 'startAuthenticator', {
    handle: async ({ actor }) => startAuthenticator(context, await requireRecentSignIn(context, actor)),
  });

  serve(app, 'confirmAuthenticator', {
    async handle({ actor, body, incoming }) {
      const person = await requireRecentSignIn(context, actor);
      const attempt: Attempt = { address: incoming.ip, subject: `code:${person.userId}` };
      await signInLimits.begin(attempt);
      const codes = await finishAuthenticator(context, person, body.code);
      if (codes === undefined) throw confirmationFailed();
      await signInLimits.succeed(attempt);
      return { recovery_codes: codes };
    },
  });

  serve(app, 'removeAuthenticator', {
    async handle({ actor }) {
      const { userId } = await requireRecentSignIn(context, actor);
      await db.transaction().execute((trx) => deleteSecondFactor(trx, userId));
      return undefined;
    },
  });

  serve(app, 'getNewPasskeyOptions', {
    async handle(request) {
      const person = await requireRecentSignIn(context, request.actor);
      return { options: { ...(await newPasskeyOptions(context, request, person)) } };
    },
  });

  serve(app, 'addPasskey', {
    async handle(request) {
      const person = await requireRecentSignIn(context, request.actor);
      return passkeyView(await addPasskey(context, request, person, request.body));
    },
  });

  serve(app, 'listPasskeys', {
    handle: async ({ actor, query }) =>
      pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) => listPasskeys(db, personOf(actor).userId, after?.[0] ?? 0, limit),
        position: (row) => [row.passkey_id],
        view: passkeyView,
      }),
  });

  serve(app, 'deletePasskey', {
    async handle({ actor, params: { passkey_id: id } }) {
      const { userId } = await requireRecentSignIn(context, actor);
      if (!(await deletePasskey(db, userId, id))) throw notFound(`passkey ${id}`);
      return undefined;
    },
  });

  serve(app, 'createPersonalToken', {
    async handle({ actor, body }) {
      const person = await requireRecentSignIn(context, actor);
      const { row, token } = await createToken(context, person, body);
      return { ...tokenView(row, context.now()), token };
    },
  });

  serve(app, 'listPersonalTokens', {
    handle: async ({ actor, query }) =>
      pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) => listTokens(db, personOf(actor).userId, after?.[0] ?? 0, limit),
        position: (row) => [row.token_id],
        view: (row) => tokenView(row, context.now()),
      }),
  });

  serve(app, 'deletePersonalToken', {
    async handle({ actor, params: { token_id: id } }) {
      if (!(await deleteToken(db, requireSession(actor).userId, id))) throw notFound(`token ${id}`);
      return undefined;
    },
  });
}
