import type { Write } from '../contacts/save.ts';
import { databaseOn } from '../db/database.ts';
import type { Tally } from '../requests/tally.ts';
import { activitiesToStore, copyActivities, findStored, keysOf, type ActivitiesToStore } from './activity-store.ts';
import { inKeyOrder } from './key-order.ts';
import type { ActivityLedger } from './ledger.ts';
import { byMonth } from './month.ts';
import { noteMoves } from './move-store.ts';
import { settleMoves } from './moves.ts';
import { makePartitions } from './partition-store.ts';
import type { RecordedActivities } from './recorded.ts';

/**
 * What a batch does to the activities, ready to be sent on the connection that holds the lane. Repeated records become `unchanged` in the tally.
 *
 * Everything that needs no database is done here, and not when it is written: the batch before this one may be under way until then.
 */
export function activityWrites(accountId: number, ledger: ActivityLedger, tally: Tally): Write[] {
  const { moves, recorded } = ledger;
  const months: ActivitiesToStore[] = [];
  for (const [month, indexes] of byMonth(withoutRepeats(recorded, tally), recorded.moments)) {
    months.push(activitiesToStore(accountId, month, recorded, inKeyOrder(indexes, recorded.keys)));
  }
  return [
    ...(moves.size === 0 ? [] : ([(client) => noteMoves(databaseOn(client), accountId, moves)] satisfies Write[])),
    ...(months.length === 0 ? [] : [storing(accountId, months, tally)]),
  ];
}

function storing(accountId: number, months: readonly ActivitiesToStore[], tally: Tally): Write {
  return async (client) => {
    const db = databaseOn(client);
    await makePartitions(
      db,
      months.map(({ month }) => month),
    );
    await settleMoves(db, accountId, () => new Set(months.flatMap(keysOf)));
    const fresh: Buffer[] = [];
    for (const one of months) {
      const stored = await findStored(client, accountId, one);
      for (const place of stored) tally.recount(one.requests[place]!, 'created', 'unchanged');
      fresh.push(...without(one, stored));
    }
    if (fresh.length > 0) await copyActivities(client, fresh);
  };
}

/** The tuples without those of some places, in as few pieces as possible. */
function without({ tuples, begins }: ActivitiesToStore, places: ReadonlySet<number>): Buffer[] {
  if (places.size === 0) return [tuples];
  const pieces: Buffer[] = [];
  for (let from = 0, place = 0; place < begins.length; place++) {
    const isEnd = place === begins.length - 1;
    if (!isEnd && !places.has(place)) continue;
    if (place > from) pieces.push(tuples.subarray(begins[from], begins[place]));
    from = place + 1;
  }
  return pieces;
}

/** The indexes of the activities without those that repeat one before them in the batch, which are counted as `unchanged`. */
function withoutRepeats({ keys, requests, channels, moments, recordIds }: RecordedActivities, tally: Tally): number[] {
  // Nearly always an id is there once, and only repeated ones have to be compared.
  const first = new Map<number, number>();
  const others = new Set<string>();
  const nameOf = (index: number): string => `${recordIds[index]} ${channels[index]} ${moments[index]} ${keys[index]}`;
  const isRepeat = (index: number, known: number): boolean => {
    const name = nameOf(index);
    if (name === nameOf(known) || others.has(name)) return true;
    others.add(name);
    return false;
  };
  const kept: number[] = [];
  for (let index = 0; index < keys.length; index++) {
    if (keys[index] === null) continue;
    const id = recordIds[index]!;
    const known = Number.isNaN(id) ? undefined : first.get(id);
    if (known === undefined) first.set(id, index);
    else if (isRepeat(index, known)) {
      tally.recount(requests[index]!, 'created', 'unchanged');
      continue;
    }
    kept.push(index);
  }
  return kept;
}
