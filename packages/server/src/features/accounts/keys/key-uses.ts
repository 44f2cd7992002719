import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';

/** Milliseconds between two writes of the last uses. */
const interval = 20_000;

/** Remembers when each API key was used, and stores it from time to time. */
export interface KeyUses extends AsyncDisposable {
  /** Notes that a request with the key is served now. */
  note(apiKeyId: number): void;
}

/**
 * Makes the memory of a process. It writes one statement for all keys every {@link interval}, so
 * that a request costs nothing. A killed process loses the uses of this time.
 */
export function createKeyUses(context: Pick<Context, 'db' | 'now' | 'log'>): KeyUses {
  let uses = new Map<number, Date>();
  const timer = setInterval(() => void store(), interval).unref();

  async function store(): Promise<void> {
    if (uses.size === 0) return;
    const written = uses;
    uses = new Map();
    try {
      await storeUses(context, written);
    } catch (error) {
      // Keep the uses for the next time, but not instead of newer ones.
      uses = new Map([...written, ...uses]);
      context.log.debug({ err: describeError(error) }, 'the last use of API keys could not be stored');
    }
  }

  return {
    note: (apiKeyId) => void uses.set(apiKeyId, context.now()),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await store();
    },
  };
}

/** Stores the last use of API keys, unless a later use is stored already. */
async function storeUses({ db }: Pick<Context, 'db'>, uses: ReadonlyMap<number, Date>): Promise<void> {
  // In the order of the ids, so that two processes cannot wait for each other.
  const sorted = [...uses].sort(([a], [b]) => a - b);
  await sql`
    update api_keys set last_used_at = used.at
    from (
      select k.api_key_id, u.at
      from api_keys k
      join unnest(${sorted.map(([id]) => id)}::int[], ${sorted.map(([, at]) => at)}::timestamptz[]) as u(id, at)
        on u.id = k.api_key_id
      where k.last_used_at is null or k.last_used_at < u.at
      order by k.api_key_id
      for update of k skip locked
    ) as used
    where api_keys.api_key_id = used.api_key_id`.execute(db);
}
