import type pg from 'pg';
import type { Write } from '#pipeline/operations/batch-model.ts';
import { databaseOn } from '#platform/database/connection/database.ts';
import type { Tally } from '#pipeline/operations/tally.ts';
import { activitiesToStore, copyActivities, findStored, keysOf, type ActivitiesToStore } from './activity-store.ts';
import { inKeyOrder } from './key-order.ts';
import type { ActivityLedger } from './activity-changes.ts';
import { byMonth, type Month } from './month.ts';
import { noteMoves } from './move-store.ts';
import { hasMoves, settleMoves } from './moves.ts';
import { lacksPartitions, makePartitions } from './partition-store.ts';
import type { RecordedActivities } from './recorded.ts';

/** What a batch does to the activities. */
export interface ActivityPlan {
  /** What can be written beside another batch that {@link doNotMeet}; before {@link sharedWrites}. */
  readonly writes: readonly Write[];
  readonly sharedWrites: readonly Write[];
  readonly traces: ActivityTraces;
}

/** By what one can tell whether two batches meet in the activities. */
export interface ActivityTraces {
  readonly moves: boolean;
  readonly months: readonly Month[];
  /** The record ids that are stored, unless they are there already. */
  readonly recordIds: ReadonlyMap<number, unknown>;
}

/**
 * True when of two batches that store activities neither can contain what the other looks for, nor move it.
 *
 * Each stores in one month only: a batch locks one partition then, and the earlier one locks its first. With more, somebody who wants a partition
 * for himself could stand between the two, and the earlier one wait for the later.
 */
export function doNotMeet(a: ActivityTraces, b: ActivityTraces): boolean {
  const [aStores, bStores] = [a.months.length > 0, b.months.length > 0];
  if ((a.moves && bStores) || (b.moves && aStores)) return false;
  if (!aStores || !bStores) return true;
  return a.months.length === 1 && b.months.length === 1 && a.recordIds.keys().every((id) => !b.recordIds.has(id));
}

/**
 * Plans what a batch does to the activities, ready to be sent on the connections that hold the lane. Repeated records become `unchanged` in the
 * tally.
 *
 * Everything that needs no database is done here, and not when it is written: the batch before this one may be under way until then.
 */
export function planActivities(accountId: number, { moves, recorded }: ActivityLedger, tally: Tally): ActivityPlan {
  const { kept, first } = withoutRepeats(recorded, tally);
  const months: ActivitiesToStore[] = [];
  for (const [month, indexes] of byMonth(kept, recorded.moments)) {
    months.push(activitiesToStore(accountId, month, recorded, inKeyOrder(indexes, recorded.keys)));
  }
  const traces = { moves: moves.size > 0, months: months.map(({ month }) => month), recordIds: first };
  const noting: Write[] = moves.size > 0 ? [(client) => noteMoves(databaseOn(client), accountId, moves)] : [];
  if (months.length === 0) return { writes: [], sharedWrites: noting, traces };

  let isStored = false;
  const store: Write = async (client) => {
    await storeMonths(client, accountId, months, tally);
    isStored = true;
  };
  const storeBeside: Write = async (client) => {
    const db = databaseOn(client);
    // What has to be made ready for them would lock out the batch before this one.
    if ((await lacksPartitions(db, traces.months)) || (await hasMoves(db, accountId))) return;
    await store(client);
  };
  const storeBehind: Write = async (client) => {
    if (isStored) return;
    const db = databaseOn(client);
    await makePartitions(db, traces.months);
    await settleMoves(db, accountId, () => new Set(months.flatMap(keysOf)));
    await store(client);
  };
  return { writes: moves.size > 0 ? [] : [storeBeside], sharedWrites: [...noting, storeBehind], traces };
}

async function storeMonths(
  client: pg.ClientBase,
  accountId: number,
  months: readonly ActivitiesToStore[],
  tally: Tally,
): Promise<void> {
  const fresh: Buffer[] = [];
  for (const one of months) {
    const stored = await findStored(client, accountId, one);
    for (const place of stored) tally.recount(one.requests[place]!, 'created', 'unchanged');
    fresh.push(...without(one, stored));
  }
  if (fresh.length > 0) await copyActivities(client, fresh);
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

/**
 * The indexes of the activities without those that repeat one before them in the batch, which are counted as `unchanged`; and the first of each
 * record id.
 */
function withoutRepeats(
  { keys, requests, channels, moments, recordIds }: RecordedActivities,
  tally: Tally,
): { readonly kept: number[]; readonly first: ReadonlyMap<number, number> } {
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
    if (known === undefined) {
      if (!Number.isNaN(id)) first.set(id, index);
    } else if (isRepeat(index, known)) {
      tally.recount(requests[index]!, 'created', 'unchanged');
      continue;
    }
    kept.push(index);
  }
  return { kept, first };
}
