import { LRUCache } from 'lru-cache';
import type { Context } from '#platform/context.ts';
import { listen } from '#platform/database/connection/listen.ts';
import { accountChannel } from '../store/account-channel.ts';
import { hashApiKey } from './api-key.ts';
import type { Credential, CredentialStore } from '#platform/http/authentication/credential.ts';
import { createCredentialLookup, queryTimeout, type Lookup } from './credential-lookup.ts';

// A revoked key has to stop within 5 s on every process, also when the announcement of the change is lost.
// What was read is used for 3 s from the moment of asking; the rest is room for a slow machine.
const maxAge = 3000;
// From here on a used entry is read again in the background, so that callers of a busy key never wait for the database.
const refreshAge = 1500;
// An unknown key may be made a moment later, and must not work for long by mistake of ours.
const unknownMaxAge = 1000;

/** Options for tests. */
export interface CredentialStoreOptions {
  /** Milliseconds of a clock that never goes back; default `performance.now`. */
  readonly clock?: () => number;
  /** Milliseconds after which a look-up fails; default {@link queryTimeout}. */
  readonly timeout?: number;
}

/**
 * Makes the credential store of a process.
 *
 * API keys are cached by their hash: known keys 3 s at most and unknown ones 1 s, within fixed numbers of entries, so that made-up keys cannot push
 * out real ones. Changes are heard on {@link accountChannel} and forgotten at once; without the announcement the age ends them. When the
 * database cannot be reached, find() fails as soon as the cached answer is too old, which callers see as 503.
 */
export function createCredentialStore(context: Context, options: CredentialStoreOptions = {}): CredentialStore {
  const clock = options.clock ?? (() => performance.now());
  const lookup = createCredentialLookup(context, { clock, timeout: options.timeout ?? queryTimeout });
  const known = new LRUCache<string, Lookup & { credential: Credential }>({ max: 10_000 });
  const unknown = new LRUCache<string, Lookup>({ max: 1000 });
  const refreshing = new Set<string>();
  // Grows with every change; an answer that was asked for before the last change is used, but not kept.
  let changes = 0;

  const listener = listen(context, accountChannel, (accountId) => {
    if (accountId === undefined) forgetAll();
    else forget(Number(accountId));
  });

  async function read(hash: string): Promise<Credential | undefined> {
    const before = changes;
    const answer = await lookup.ask(hash);
    if (changes === before) {
      if (answer.credential === undefined) unknown.set(hash, answer);
      else known.set(hash, { ...answer, credential: answer.credential });
      (answer.credential === undefined ? known : unknown).delete(hash);
    }
    return answer.credential;
  }

  function refresh(hash: string): void {
    if (refreshing.has(hash)) return;
    refreshing.add(hash);
    // A failure shows when the entry is too old to be used.
    void read(hash)
      .catch(() => undefined)
      .finally(() => refreshing.delete(hash));
  }

  function forget(accountId: number): void {
    changes++;
    for (const [hash, { credential }] of known.entries()) if (credential.accountId === accountId) known.delete(hash);
    unknown.clear();
  }

  /** Listening begins, or begins again after changes may have been missed. */
  function forgetAll(): void {
    changes++;
    known.clear();
    unknown.clear();
  }

  return {
    async find(apiKey) {
      const hash = hashApiKey(apiKey).toString('hex');
      let credential: Credential | undefined;
      const entry = known.get(hash) ?? unknown.get(hash);
      const age = entry === undefined ? Number.POSITIVE_INFINITY : clock() - entry.askedAt;
      if (age < (entry?.credential === undefined ? unknownMaxAge : maxAge)) {
        credential = entry?.credential;
        if (credential !== undefined && age >= refreshAge) refresh(hash);
      } else {
        credential = await read(hash);
      }
      const expiresAt = credential?.expiresAt ?? null;
      return expiresAt !== null && expiresAt <= context.now() ? undefined : credential;
    },
    forget,
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}
