import { SigningSecret } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import type { Service } from '#platform/http/server/service.ts';
import { accountParams } from '../account-routes.ts';
import { signingSecretView } from './signing-secret-view.ts';
import { rotateSigningSecret, signingSecretsOf } from './signing-secrets.ts';

const tag = 'Deliveries';

/** Operations on the secret that the callbacks of an account are signed with (decisions §5). */
export function signingSecretRoutes(app: FastifyInstance, { context }: Service): void {
  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/signing-secret',
    operationId: 'getSigningSecret',
    tag,
    summary: 'Get the signing secret',
    description:
      'Answers the secret that the callbacks of the account are signed with. Give it to the receivers, so that they can check that a callback comes from here; `docs/callbacks.md` shows how.',
    params: accountParams,
    answer: SigningSecret,
    handle: async ({ params }) => signingSecretView(await signingSecretsOf(context, context.db, params.account_id)),
  });

  serveAdmin(app, {
    method: 'POST',
    path: '/accounts/:account_id/signing-secret/rotate',
    operationId: 'rotateSigningSecret',
    tag,
    summary: 'Rotate the signing secret',
    description:
      'Makes a new signing secret. For 24 hours callbacks carry two signatures, one by each secret, so that receivers can change over without a gap. Rotating again within that time ends the oldest secret at once.',
    params: accountParams,
    answer: SigningSecret,
    handle: async ({ params }) => signingSecretView(await rotateSigningSecret(context, params.account_id)),
  });
}
