import { createHash, randomBytes } from 'node:crypto';

/** A new API key: `rk_` and 43 characters that carry 256 random bits (base64url). */
export function generateApiKey(): string {
  return `rk_${randomBytes(32).toString('base64url')}`;
}

/** SHA-256 of an API key, the only form in which it is stored. A slow hash would add nothing: generated keys cannot be guessed. */
export function hashApiKey(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey).digest();
}

/**
 * The first characters of an API key, by which people tell keys apart: eight of at least 32, so that the hint does not
 * give much of the secret away.
 */
export function apiKeyHint(apiKey: string): string {
  return apiKey.slice(0, 8);
}
