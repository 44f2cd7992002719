import { hash } from 'node:crypto';

/** Returns the SHA-256 of a text in UTF-8. */
export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
