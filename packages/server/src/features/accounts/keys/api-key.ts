import { randomBytes } from 'node:crypto';
import { sha256 } from '#platform/text/sha256.ts';

/** Generates an API key: `rk_` and 256 random bits as 43 characters (base64url). */
export function generateApiKey(): string {
  return `rk_${randomBytes(32).toString('base64url')}`;
}

/**
 * Returns the SHA-256 of an API key. Keys are stored only in this form. A slow hash is not
 * necessary, because generated keys cannot be guessed.
 */
export function hashApiKey(apiKey: string): Buffer {
  return sha256(apiKey);
}

/**
 * Returns the first eight characters of an API key, to help people tell keys apart. A key has at
 * least 32 characters, so the hint reveals little of the secret.
 */
export function apiKeyHint(apiKey: string): string {
  return apiKey.slice(0, 8);
}
