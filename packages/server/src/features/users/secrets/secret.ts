import { randomBytes } from 'node:crypto';
import { sha256 } from '#platform/text/sha256.ts';

/** A secret that was just made: its text, and the hash that is stored. */
export interface NewSecret {
  readonly text: string;
  readonly hash: Buffer;
}

/** Makes a secret of 256 random bits: `prefix` and 43 characters (base64url). */
export function newSecret(prefix = ''): NewSecret {
  const text = `${prefix}${randomBytes(32).toString('base64url')}`;
  return { text, hash: hashSecret(text) };
}

/**
 * Returns the SHA-256 of a secret. Session ids, links and tokens are stored only in this form. A
 * slow hash is not necessary, because random secrets cannot be guessed.
 */
export function hashSecret(text: string): Buffer {
  return sha256(text);
}
