import { randomBytes } from 'node:crypto';

/** Generates a signing secret: `whsec_` and 256 random bits as 43 characters (base64url). */
export function generateSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}
