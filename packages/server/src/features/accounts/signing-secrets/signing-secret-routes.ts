import type { FastifyInstance } from 'fastify';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { signingSecretView } from './signing-secret-view.ts';
import { rotateSigningSecret, signingSecretsOf } from './signing-secrets.ts';

/** Operations on the secret that signs the callbacks of an account. */
export function signingSecretRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'getSigningSecret', {
    handle: async ({ params }) => signingSecretView(await signingSecretsOf(context, context.db, params.account_id)),
  });

  serve(app, 'rotateSigningSecret', {
    handle: async ({ params, actor }) =>
      signingSecretView(await rotateSigningSecret(context, params.account_id, actor.author)),
  });
}
