import type { Faults } from '@roster/contract';
import type { FastifyRequest } from 'fastify';

/** Reads the header `Idempotency-Key`. Adds a fault and returns undefined when it is invalid. */
export function readIdempotencyKey({ headers }: FastifyRequest, faults: Faults): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key.trim())) return key.trim();
  const message = 'must have 1 to 255 printable ASCII characters and no spaces';
  return faults.add('invalid_format', message, 'Idempotency-Key');
}
