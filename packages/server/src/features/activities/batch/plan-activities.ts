import type pg from 'pg';
import type { Write } from '#pipeline/operations/batch-model.ts';
import { databaseOn } from '#platform/database/connection/database.ts';
import type { Tally } from '#pipeline/operations/tally.ts';
import type { ActivityChanges, NewActivity } from './activity-changes.ts';
import {
  activityRow,
  copyActivities,
  findStored,
  searchStored,
  type ActivityRow,
  type StoredSearch,
} from '../store/activity-store.ts';
import { monthOf, type Month } from '../store/month.ts';
import { noteMoves } from '../moves/move-store.ts';
import { hasMoves, settleMoves } from '../moves/moves.ts';
import { lacksPartitions, makePartitions } from '../store/partition-store.ts';

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
 * Plans the changes of a batch to the activities, ready to be sent on the connections that hold the lane. Repeated
 * records become `unchanged` in the tally.
 *
 * Everything that needs no database is done here, and not when it is written: the batch before this one may be under way until then.
 */
export function planActivities(accountId: number, { moves, recorded }: ActivityChanges, tally: Tally): ActivityPlan {
  const { unique, recordIds } = withoutRepeats(recorded, tally);
  const months = prepareMonths(accountId, unique);
  const traces = { moves: moves.size > 0, months: months.map(({ month }) => month), recordIds };
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
    await settleMoves(db, accountId, () => new Set(unique.map(({ key }) => key)));
    await store(client);
  };
  return { writes: moves.size > 0 ? [] : [storeBeside], sharedWrites: [...noting, storeBehind], traces };
}

/** Removes the activities that repeat an earlier one of the batch, and counts them as `unchanged`. */
function withoutRepeats(
  recorded: readonly NewActivity[],
  tally: Tally,
): { readonly unique: readonly NewActivity[]; readonly recordIds: ReadonlyMap<number, unknown> } {
  const byRecordId = new Map<number, NewActivity[]>();
  const unique = recorded.filter((activity) => {
    const id = activity.record.record_id;
    if (id === undefined) return true;
    const others = byRecordId.get(id);
    if (others === undefined) byRecordId.set(id, [activity]);
    else if (others.some((other) => isSame(other, activity))) {
      tally.recount(activity.request, 'created', 'unchanged');
      return false;
    } else others.push(activity);
    return true;
  });
  return { unique, recordIds: byRecordId };
}

function isSame(a: NewActivity, b: NewActivity): boolean {
  return a.occurredAt === b.occurredAt && a.key === b.key && a.record.channel === b.record.channel;
}

/** The activities of one month, prepared to be stored. */
interface MonthToStore {
  readonly month: Month;
  readonly rows: readonly ActivityRow[];
  readonly search: StoredSearch | undefined;
}

function prepareMonths(accountId: number, activities: readonly NewActivity[]): MonthToStore[] {
  const months = Map.groupBy(activities, ({ occurredAt }) => monthOf(occurredAt));
  return Array.from(months, ([month, some]) => {
    // Sorted by key, the entries are neighbors in the index: PostgreSQL finds and inserts them a fourth faster. Sorting
    // comes last, because reading the records in another order than that in memory takes twice as long.
    const rows = some
      .map((activity) => activityRow(accountId, activity))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    return { month, rows, search: searchStored(month, rows) };
  });
}

async function storeMonths(
  client: pg.ClientBase,
  accountId: number,
  months: readonly MonthToStore[],
  tally: Tally,
): Promise<void> {
  const fresh: ActivityRow[] = [];
  for (const { rows, search } of months) {
    const stored = search === undefined ? new Set<number>() : await findStored(client, accountId, search);
    for (const position of stored) tally.recount(rows[position]!.request, 'created', 'unchanged');
    for (const [position, row] of rows.entries()) if (!stored.has(position)) fresh.push(row);
  }
  if (fresh.length > 0) await copyActivities(client, fresh);
}
