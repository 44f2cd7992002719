import type { Context } from '#platform/context.ts';
import { DatabaseBusy, type DatabaseWatch } from '#platform/database/connection/database-watch.ts';
import type { Credential } from '#platform/http/authentication/credential.ts';
import { within } from '#platform/loops/within.ts';
import { findCredentials } from './credential-store.ts';

/** The result of looking up a key hash. */
export interface Lookup {
  /** Undefined when the database does not have the key. */
  readonly credential: Credential | undefined;
  /** The time of the clock just before the query was sent. The result is at least as new. */
  readonly askedAt: number;
}

/** Looks up key hashes in the database, many in one query. */
export interface CredentialLookup {
  /**
   * Looks up a SHA-256 in hexadecimal. Rejects with {@link DatabaseBusy} when the database is only
   * busy, and with another error when it is unreachable.
   */
  ask(hash: string): Promise<Lookup>;
}

/** Maximum number of hashes in one query. */
const hashesPerQuery = 500;

/** Options of {@link createCredentialLookup}. */
export interface CredentialLookupOptions {
  /** Returns milliseconds of a clock that never goes back. */
  readonly clock: () => number;
  /** Milliseconds after which a query without a response fails; see {@link queryTimeout}. */
  readonly timeout: number;
}

/**
 * Milliseconds. The pool gives up after 5 s. This timeout is longer, because the error of the pool
 * says more about the cause.
 */
export const queryTimeout = 6000;

/**
 * Makes a look-up that runs at most one query at a time.
 *
 * Keys that arrive during a query share the next query. A cache does not help against a flood of
 * invented keys, but this look-up does: the flood uses only one connection of the database.
 * A key never joins a query that has already been sent, so its result is never older than the call.
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
        const found = await inTime(
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
        // Wait until Node.js has read all sockets that have data. Their keys then share one query.
        if (!busy) {
          busy = true;
          setImmediate(() => void work());
        }
      }
      return entry.answer;
    },
  };
}

function inTime<T>(query: Promise<T>, milliseconds: number, watch: DatabaseWatch): Promise<T> {
  const isBusy = watch.wait();
  return within(milliseconds, query, () => {
    const message = 'the database did not respond to the look-up of an API key';
    throw isBusy() ? new DatabaseBusy(message) : Object.assign(new Error(message), { code: 'ETIMEDOUT' });
  });
}
