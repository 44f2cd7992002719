import { randomBytes } from 'node:crypto';
import { hashSecret } from '../secrets/secret.ts';

/** Number of recovery codes of a user. */
const recoveryCodeCount = 10;

// Without letters and digits that look alike: 0 and o, 1, i and l, u and v.
const alphabet = '23456789abcdefghjkmnpqrstwxyz';
const codeLength = 16;

/** Makes recovery codes such as `q7hd-2mzk-x4cb-9tnc`, with about 77 random bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const letters = Array.from({ length: codeLength }, randomLetter).join('');
    return letters.replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** Returns the hash of a recovery code. Case, spaces and dashes do not matter. */
export function hashRecoveryCode(code: string): Buffer {
  return hashSecret(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
}

/** Returns a letter of the alphabet. Bytes that would favour the first letters are skipped. */
function randomLetter(): string {
  for (;;) {
    const byte = randomBytes(1)[0]!;
    if (byte < 256 - (256 % alphabet.length)) return alphabet[byte % alphabet.length]!;
  }
}
