import type { FastifyInstance } from 'fastify';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { createSignUp } from './sign-ups.ts';

/** The operation that begins a double opt-in. */
export function signUpRoutes(app: FastifyInstance, service: Service): void {
  serve(app, 'createSignUp', {
    async handle({ params: { account_id }, body, requestId }) {
      const signUp = await createSignUp(service, account_id, body, requestId);
      return {
        sign_up_id: signUp.signUpId,
        request_id: signUp.requestId,
        expires_at: signUp.expiresAt.toISOString(),
      };
    },
  });
}
