import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../server/service.ts';
import { apiKeyAsToken, invalidCredential, misplacedCredential } from './authenticate-challenge.ts';

/** Authenticates all routes of a scope by the operator token, before the body is read. */
export function requireOperator(app: FastifyInstance, { adminToken, failedAuthentications }: Service): void {
  const expected = sha256(adminToken);
  app.addHook('onRequest', async (request) => {
    const token = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    // Compared before the limit of failures is checked: the right token must work from every
    // address. Hashes have the same length, so the comparison always takes the same time.
    if (token === undefined || !timingSafeEqual(sha256(token), expected)) {
      const hint = token === undefined ? misplacedCredential(request, 'operator') : apiKeyAsToken(token);
      const error = invalidCredential('invalid_operator_token', 'operator', hint);
      throw failedAuthentications.fail(request.ip, 'operator_token', error);
    }
  });
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
