import type { Context } from '#platform/context.ts';
import { DatabaseBusy, type DatabaseWatch } from '#platform/database/connection/database-watch.ts';
import type { Credential } from '#platform/http/authentication/credential.ts';
import { findCredentials } from './credential-store.ts';

/** What the database said about a key hash, and when it was asked. */
export interface Lookup {
  readonly credential: Credential | undefined;
  /** Reading of the clock before the question was sent; what it answers may be older than this by nothing. */
  readonly askedAt: number;
}

/** Looks key hashes up in the database, many in one query. */
export interface CredentialLookup {
  /** Asks about a SHA-256 in hexadecimal; rejects when the database cannot be asked, with {@link DatabaseBusy} when it is only busy. */
  ask(hash: string): Promise<Lookup>;
}

/** Most hashes of one query. */
const hashesPerQuery = 500;

/** Settings of a look-up. */
export interface CredentialLookupOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly clock: () => number;
  /** Milliseconds after which a query without a response counts as failed; see {@link queryTimeout}. */
  readonly timeout: number;
}

/** Milliseconds: more than the 5 s in which the pool finds or makes a connection, because its error says what was wrong. */
export const queryTimeout = 6000;

/**
 * Makes a look-up that has at most one query under way.
 *
 * Keys that arrive meanwhile go together into the next query. So a flood of made-up keys, which no cache can hold back, costs the
 * database one connection and a few index look-ups at a time. A question never joins a query that was sent before it was asked: the
 * answer is at least as new as the question.
 */
export function createCredentialLookup(
  context: Pick<Context, 'db' | 'databaseWatch'>,
  { clock, timeout }: CredentialLookupOptions,
): CredentialLookup {
  interface Waiting {
    readonly answer: Promise<Lookup>;
    readonly resolve: (lookup: Lookup) => void;
    readonly reject: (error: unknown) => void;
  }
  const waiting = new Map<string, Waiting>();
  let busy = false;

  async function work(): Promise<void> {
    busy = true;
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, hashesPerQuery);
      for (const [hash] of batch) waiting.delete(hash);
      const askedAt = clock();
      try {
        const found = await withTimeout(
          findCredentials(
            context.db,
            batch.map(([hash]) => hash),
          ),
          timeout,
          context.databaseWatch,
        );
        for (const [hash, { resolve }] of batch) resolve({ credential: found.get(hash), askedAt });
      } catch (error) {
        for (const [, { reject }] of batch) reject(error);
      }
    }
    busy = false;
  }

  return {
    ask(hash) {
      let entry = waiting.get(hash);
      if (entry === undefined) {
        const { promise: answer, resolve, reject } = Promise.withResolvers<Lookup>();
        entry = { answer, resolve, reject };
        waiting.set(hash, entry);
        // After the sockets that are readable now, so that their keys share the query.
        if (!busy) {
          busy = true;
          setImmediate(() => void work());
        }
      }
      return entry.answer;
    },
  };
}

async function withTimeout<T>(query: Promise<T>, milliseconds: number, watch: DatabaseWatch): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const isBusy = watch.wait();
  const timer = setTimeout(() => {
    const message = 'the database does not respond to a key look-up';
    reject(isBusy() ? new DatabaseBusy(message) : Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
  }, milliseconds);
  try {
    return await Promise.race([query, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
