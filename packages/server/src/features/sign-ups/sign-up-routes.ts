import type { FastifyInstance } from 'fastify';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { createSignUp } from './sign-ups.ts';

/** Registers the operation that begins a double opt-in. */
export function signUpRoutes(app: FastifyInstance, service: Service): void {
  serve(app, 'createSignUp', {
    async handle({ params: { account_id }, body, requestId }) {
      const { signUpId, expiresAt } = await createSignUp(service, account_id, body, requestId);
      return { sign_up_id: signUpId, request_id: requestId, expires_at: expiresAt.toISOString() };
    },
  });
}
