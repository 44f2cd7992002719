import { loadContacts } from '../contacts/load.ts';
import type { WorkingSet } from '../contacts/working-set.ts';
import type { Context } from '../context.ts';
import { decodeBatch, keysOf, type DecodedBatch } from './apply.ts';
import { nextRequests } from './batch-store.ts';

/** A batch that is ready to be applied. */
export interface ReadyBatch extends DecodedBatch {
  /** The keys that it touches; undefined when it may touch any contact. */
  readonly keys: ReadonlySet<string> | undefined;
  /** Its contacts, loaded ahead; undefined when the batch before it may change them. */
  readonly contacts: Promise<WorkingSet> | undefined;
}

/** Reads the batches of one account ahead of their turn, on other connections than the one that applies. */
export interface LaneReader {
  /**
   * Reads and decodes the oldest waiting requests, without those of `current`, the batch that is being applied; and loads their contacts,
   * unless that batch may change one of them. While PostgreSQL writes one batch, another of its processes reads for the next.
   */
  read(current?: ReadyBatch): Promise<ReadyBatch>;
}

/**
 * Opens the reader of a lane. The caller holds the lane, and drops what was read when it lets go or a batch fails: only then is it certain
 * that nobody else has changed the contacts, and that the account has kept its primary key.
 */
export function openLane(
  { pool, log }: Pick<Context, 'pool' | 'log'>,
  accountId: number,
  primaryKey: string,
): LaneReader {
  return {
    async read(current) {
      const requests = await nextRequests(pool, accountId, current?.requests.map((request) => request.seq) ?? []);
      const batch = await decodeBatch(requests, log);
      const keys = keysOf(batch, primaryKey);
      const ahead =
        keys !== undefined && keys.size > 0 && current?.keys !== undefined && keys.isDisjointFrom(current.keys);
      const contacts = ahead ? loadContacts(pool, accountId, byKey(keys)) : undefined;
      // Whoever applies the batch sees the failure; until then it must not count as unhandled.
      contacts?.catch(() => undefined);
      return { ...batch, keys, contacts };
    },
  };
}

function* byKey(keys: Iterable<string>) {
  for (const value of keys) yield { by: 'key', value } as const;
}
