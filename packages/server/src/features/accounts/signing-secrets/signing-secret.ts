import { randomBytes } from 'node:crypto';

/** A new secret for signing callbacks: `whsec_` and 43 characters that carry 256 random bits (base64url). */
export function generateSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}
