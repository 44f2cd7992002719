import { createFairGate } from '#platform/load/fair-gate.ts';
import { enterGate } from '#platform/load/enter-gate.ts';
import { hashArgon2, isOutdated, verifyArgon2 } from './argon2.ts';

declare module '#platform/context.ts' {
  interface Context {
    readonly passwords: Passwords;
  }
}

/** Hashes and checks passwords. Each call costs about 50 ms of a thread. */
export interface Passwords {
  /** Returns the hash of a new password. */
  hash(password: string): Promise<string>;
  /**
   * Checks a password. Without a hash, it does the same work and returns `wrong`, so that the time
   * does not tell whether a user exists. `outdated`: right, but the hash should be replaced.
   */
  verify(password: string, hash: string | null | undefined): Promise<'right' | 'outdated' | 'wrong'>;
}

// Hashes run on the threads that also read files. Two at a time leave threads for other work. One
// kind of work can fill all slots but one, so the gate has one more.
const limits = { total: 3, perKey: 2, waitingPerKey: 50, timeout: 10_000 };

/**
 * Makes the password hashing of a process. Throws `overloaded` when too many hashes wait.
 *
 * Passwords are compared in Unicode NFC, because keyboards write the same letter in several ways.
 */
export function createPasswords(): Passwords {
  const gate = createFairGate<'sign-in'>(limits);
  let dummy: Promise<string> | undefined;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const leave = await enterGate(gate, 'sign-in', 'overloaded');
    try {
      return await work();
    } finally {
      leave();
    }
  }

  return {
    hash: (password) => inTurn(() => hashArgon2(password.normalize('NFC'))),
    async verify(password, hash) {
      // Made once. Its own cost is not repeated at each unknown address.
      const known = hash ?? (await (dummy ??= hashArgon2('no password has this hash')));
      const isRight = await inTurn(() => verifyArgon2(password.normalize('NFC'), known));
      if (!isRight || hash === null || hash === undefined) return 'wrong';
      return isOutdated(hash) ? 'outdated' : 'right';
    },
  };
}
