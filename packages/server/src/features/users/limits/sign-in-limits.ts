import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Context } from '#platform/context.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { hashSecret } from '../secrets/secret.ts';
import { emailKey } from '../store/user-store.ts';
import { networkOf } from '#platform/http/connection/network-of.ts';

declare module '#platform/context.ts' {
  interface Context {
    readonly signInLimits: SignInLimits;
  }
}

/** Who tries: the IP address, and the e-mail address or the user. Both need not exist. */
export interface Attempt {
  readonly address: string;
  /**
   * What is tried: a kind, and an e-mail address or a number, such as `code:7`. Callers choose the
   * address, so every kind needs its prefix: otherwise the address `code:7` would count as user 7.
   */
  readonly subject: `${'sign-in' | 'code' | 'link' | 'passkey' | 'reset'}:${string}`;
}

/** Returns the subject of attempts to sign in with the password of an e-mail address. */
export function signInSubject(email: string): Attempt['subject'] {
  return `sign-in:${emailKey(email)}`;
}

/**
 * Limits failed sign-ins, in all processes together. It treats addresses that exist and addresses
 * that do not exist in the same way.
 */
export interface SignInLimits {
  /**
   * Counts an attempt before its secret is checked, so that attempts at the same time are counted,
   * too. Throws `too_many_sign_ins`.
   */
  begin(attempt: Attempt): Promise<void>;
  /**
   * Counts a start of a sign-in that stores a row before the person is known. Throws
   * `too_many_sign_ins`.
   */
  start(address: string): Promise<void>;
  /**
   * Counts a mail with an invitation to an account. The mails of all accounts wait in one line with
   * the links for new passwords. Throws `rate_limited`.
   */
  invite(accountId: number): Promise<void>;
  /** Forgets an attempt that succeeded. */
  succeed(attempt: Attempt): Promise<void>;
  /** Forgets all attempts for an e-mail address, after its owner has proved to have it. */
  forget(email: string): Promise<void>;
}

// In seconds. The pair stops one guesser. The subject stops guessers with many IP addresses, and
// the network stops those who try many e-mail addresses. These two are larger: the owner of an
// address must not be locked out easily, and an office shares one network.
const limits = {
  pair: { points: 10, duration: 15 * 60 },
  subject: { points: 50, duration: 60 * 60 },
  network: { points: 100, duration: 60 * 60 },
  // Each start stores a row for ten minutes. A whole office can start at the same time.
  start: { points: 1000, duration: 10 * 60 },
  invitations: { points: 1000, duration: 24 * 60 * 60 },
} as const;

/** Makes the limits of a process. They are stored in the database, so that processes share them. */
export function createSignInLimits({ pool }: Pick<Context, 'pool'>): SignInLimits {
  const common = {
    storeClient: pool,
    tableName: 'sign_in_limits',
    tableCreated: true,
    // The upkeep of the workers deletes old rows.
    clearExpiredByTimeout: false,
  };
  const limiterOf = (name: keyof typeof limits) =>
    new RateLimiterPostgres({ ...common, keyPrefix: name, ...limits[name] });
  const pair = limiterOf('pair');
  const subject = limiterOf('subject');
  const network = limiterOf('network');
  const start = limiterOf('start');
  const invitations = limiterOf('invitations');

  return {
    async begin(attempt) {
      const keys = keysOf(attempt);
      await consume(pair, keys.pair);
      await consume(subject, keys.subject);
      await consume(network, keys.network);
    },
    async start(address) {
      await consume(start, hashed(networkOf(address)));
    },
    async invite(accountId) {
      await consume(invitations, String(accountId), 'rate_limited');
    },
    async succeed(attempt) {
      const keys = keysOf(attempt);
      await pair.delete(keys.pair);
      await subject.reward(keys.subject);
      await network.reward(keys.network);
    },
    async forget(email) {
      await subject.delete(hashed(emailKey(signInSubject(email))));
    },
  };
}

/** Counts an attempt. Throws an error beyond the limit. */
async function consume(
  limiter: RateLimiterPostgres,
  key: string,
  code: 'too_many_sign_ins' | 'rate_limited' = 'too_many_sign_ins',
): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    throw new ApiError(code, {
      params: { seconds },
      headers: { 'retry-after': String(seconds) },
    });
  }
}

/** Deletes the counters that have expired. */
export async function forgetOldLimits({ db }: Context): Promise<void> {
  // The library takes the time from the system, not from the context.
  await db.deleteFrom('sign_in_limits').where('expire', '<', Date.now()).execute();
}

function keysOf({ address, subject }: Attempt) {
  const network = hashed(networkOf(address));
  const hashedSubject = hashed(emailKey(subject));
  return { pair: `${network}:${hashedSubject}`, subject: hashedSubject, network };
}

/** Hashes a part of a key, because the table must not contain addresses of people. */
function hashed(text: string): string {
  return hashSecret(text).toString('base64url');
}
