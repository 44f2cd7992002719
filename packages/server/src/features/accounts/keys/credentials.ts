import { LRUCache } from 'lru-cache';
import type { Context } from '#platform/context.ts';
import { listen } from '#platform/database/connection/listen.ts';
import { accountChannel } from '../store/account-channel.ts';
import { hashApiKey } from './api-key.ts';
import { createKeyUses } from './key-uses.ts';
import type { Credential, CredentialStore } from '#platform/http/authentication/credential.ts';
import { findAccountCredential } from './credential-store.ts';
import { createCredentialLookup, queryTimeout, type Lookup } from './credential-lookup.ts';

// Milliseconds. A revoked key must stop working within 5 s in every process, even if a notification
// is lost. The other 2 s are a reserve for slow machines.
const maxAge = 3000;
// When an entry of this age is used, it is read again in the background. So callers that use a key
// often never wait for the database.
const refreshAge = 1500;
// Short, because an unknown key can be created a moment later, and must then work soon.
const unknownMaxAge = 1000;

/** Options for tests. */
export interface CredentialStoreOptions {
  /** Returns milliseconds of a clock that never goes back. Default: `performance.now`. */
  readonly clock?: () => number;
  /** Milliseconds after which a look-up fails. Default: {@link queryTimeout}. */
  readonly timeout?: number;
}

/**
 * Makes the credential store of a process, which caches credentials by the hash of the API key.
 *
 * - A notification on {@link accountChannel} removes the entries of an account at once. If a
 *   notification is lost, the entries still become too old.
 * - When the database is unreachable, `find` fails if the entry is too old. Callers then get a 503.
 */
export function createCredentialStore(context: Context, options: CredentialStoreOptions = {}): CredentialStore {
  const clock = options.clock ?? (() => performance.now());
  const lookup = createCredentialLookup(context, { clock, timeout: options.timeout ?? queryTimeout });
  const known = new LRUCache<string, Lookup & { credential: Credential }>({ max: 10_000 });
  const unknown = new LRUCache<string, Lookup>({ max: 1000 });
  const refreshing = new Set<string>();
  const uses = createKeyUses(context);
  // Counts changes. The result of a query is not cached if an account changed while the query ran.
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
    // Ignore a failure: when the entry is too old, `find` reads it again and reports the failure.
    void read(hash)
      .catch(() => undefined)
      .finally(() => refreshing.delete(hash));
  }

  function forget(accountId: number): void {
    changes++;
    for (const [hash, { credential }] of known.entries()) if (credential.accountId === accountId) known.delete(hash);
    unknown.clear();
  }

  /** Called when listening starts or restarts, because notifications may have been missed. */
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
      if (expiresAt !== null && expiresAt <= context.now()) return undefined;
      if (credential?.apiKeyId !== undefined) uses.note(credential.apiKeyId);
      return credential;
    },
    forget,
    ofAccount: (accountId, rights) => findAccountCredential(context.db, accountId, rights),
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      await uses[Symbol.asyncDispose]();
    },
  };
}
