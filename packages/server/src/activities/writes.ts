import type { Write } from '../contacts/save.ts';
import { databaseOn } from '../db/database.ts';
import type { Tally } from '../requests/tally.ts';
import { copyActivities, findStored } from './activity-store.ts';
import type { NewActivity } from './activity.ts';
import { inKeyOrder } from './key-order.ts';
import type { ActivityLedger } from './ledger.ts';
import { byMonth } from './month.ts';
import { noteMoves } from './move-store.ts';
import { settleMoves } from './moves.ts';
import { channelNumberAt, momentAt, recordIdAt } from './packed-tuple.ts';
import { makePartitions } from './partition-store.ts';

/** What a batch does to the activities, ready to be sent on the connection that holds the lane. Repeated records become `unchanged` in the tally. */
export function activityWrites(accountId: number, ledger: ActivityLedger, tally: Tally): Write[] {
  const { moves, recorded } = ledger;
  return [
    ...(moves.size === 0 ? [] : ([(client) => noteMoves(databaseOn(client), accountId, moves)] satisfies Write[])),
    ...(recorded.length === 0 ? [] : [storing(accountId, recorded, tally)]),
  ];
}

function storing(accountId: number, recorded: readonly NewActivity[], tally: Tally): Write {
  return async (client) => {
    const db = databaseOn(client);
    const distinct = inKeyOrder(withoutRepeats(recorded, tally));
    const months = byMonth(distinct, ({ bytes, begin }) => momentAt(bytes, begin));
    await makePartitions(db, months.keys());
    await settleMoves(db, accountId, () => new Set(distinct.map(({ key }) => key)));
    const stored = new Set<NewActivity>();
    for (const [month, some] of months) {
      for (const one of await findStored(client, accountId, month, some)) stored.add(one);
    }
    for (const { request } of stored) tally.recount(request, 'created', 'unchanged');
    const fresh = stored.size === 0 ? distinct : distinct.filter((one) => !stored.has(one));
    if (fresh.length > 0) await copyActivities(client, accountId, fresh);
  };
}

/** The activities without those that repeat one before them in the batch, which are counted as `unchanged`. */
function withoutRepeats(recorded: readonly NewActivity[], tally: Tally): readonly NewActivity[] {
  // Nearly always an id is there once, and only repeated ones have to be compared.
  const first = new Map<number, NewActivity>();
  const others = new Set<string>();
  return recorded.filter((one) => {
    const id = recordIdAt(one.bytes, one.begin);
    if (id === undefined) return true;
    const known = first.get(id);
    if (known === undefined) {
      first.set(id, one);
      return true;
    }
    const name = nameOf(one);
    if (name !== nameOf(known) && !others.has(name)) {
      others.add(name);
      return true;
    }
    tally.recount(one.request, 'created', 'unchanged');
    return false;
  });
}

/** What makes a record the same as another. */
function nameOf({ key, bytes, begin }: NewActivity): string {
  return `${recordIdAt(bytes, begin)} ${channelNumberAt(bytes, begin)} ${momentAt(bytes, begin)} ${key}`;
}
