import type pg from 'pg';
import type { SummaryState } from '#features/accounts/store/summary-state-store.ts';
import type { Write } from '#pipeline/operations/batch-model.ts';
import { databaseOn } from '#platform/database/connection/database.ts';
import type { Tally } from '#pipeline/operations/tally.ts';
import type { ActivityChanges, NewActivity } from './activity-changes.ts';
import {
  activityRow,
  copyActivities,
  findStored,
  prepareSearch,
  type ActivityRow,
  type StoredSearch,
} from '../store/activity-store.ts';
import { monthOf, oldestMonth, type Month } from '#platform/time/month.ts';
import { addActivityCounts } from '../counts/activity-count-store.ts';
import { ActivityCounts } from '../counts/activity-counts.ts';
import { addMoves } from '../moves/move-store.ts';
import { finishMovesInTransaction, hasMoves } from '../moves/moves.ts';
import { moveSummaries } from '../summaries/move-summaries.ts';
import { oldestMinute, SummaryChanges } from '../summaries/summary-changes.ts';
import { addToSummaries } from '../summaries/summary-store.ts';
import { arePartitionsMissing } from '../store/partition-store.ts';

/** The writes of a batch to the activities. See `PartPlan`. */
export interface ActivityPlan {
  readonly writes: readonly Write[];
  readonly sharedWrites: readonly Write[];
  readonly footprint: ActivityFootprint;
}

/** The data of {@link areIndependent}. */
export interface ActivityFootprint {
  readonly hasMoves: boolean;
  /** The months in which the batch stores activities. */
  readonly months: readonly Month[];
  /** The record ids of the activities to store. */
  readonly recordIds: ReadonlyMap<number, unknown>;
}

/**
 * True when two batches can write their activities at the same time: neither stores or moves an
 * activity that the other searches for.
 *
 * If both store activities, each must store in one month only. With two months, this could happen:
 *
 * - The later batch locks the partition of the second month.
 * - A third process waits for an exclusive lock of that partition.
 * - The earlier batch needs the same partition, and waits in the queue after that process.
 *
 * The later batch commits only after the earlier one, so all three would wait forever.
 */
export function areIndependent(a: ActivityFootprint, b: ActivityFootprint): boolean {
  const [aStores, bStores] = [a.months.length > 0, b.months.length > 0];
  if ((a.hasMoves && bStores) || (b.hasMoves && aStores)) return false;
  if (!aStores || !bStores) return true;
  return a.months.length === 1 && b.months.length === 1 && a.recordIds.keys().every((id) => !b.recordIds.has(id));
}

/** The account of a batch. */
export interface PlanOptions {
  readonly accountId: number;
  readonly timeZone: string;
  readonly summaries: SummaryState;
  readonly retentionMonths: number;
  readonly now: Date;
  /** Creates the missing partitions of some months, in a transaction of its own. */
  readonly addPartitions: (months: readonly Month[]) => Promise<void>;
}

/**
 * Plans the writes of a batch to the activities. Repeated records become `unchanged` in the tally.
 *
 * Work that needs no database is done here, because the previous batch is being written meanwhile.
 */
export function planActivities(
  { accountId, timeZone, summaries, retentionMonths, now, addPartitions }: PlanOptions,
  { moves, recorded }: ActivityChanges,
  tally: Tally,
): ActivityPlan {
  const { unique, recordIds } = withoutRepeats(recorded, tally);
  const months = prepareMonths(accountId, unique);
  const footprint = { hasMoves: moves.size > 0, months: months.map(({ month }) => month), recordIds };
  const keptFrom = oldestMonth(now.getTime(), retentionMonths);
  const moving: Write[] =
    moves.size === 0
      ? []
      : [
          (client) => addMoves(databaseOn(client), accountId, moves),
          ...(summaries !== null
            ? [(client: pg.ClientBase) => moveSummaries(client, summaries, moves, { accountId, keptFrom, now })]
            : []),
        ];
  if (months.length === 0) return { writes: [], sharedWrites: moving, footprint };

  // The writes can be repeated after a rollback. So each attempt sets these again, except `repeats`.
  let isStoredEarly = false;
  let counts = new ActivityCounts(timeZone);
  let changes = new SummaryChanges(now);
  const repeats = new Set<ActivityRow>();
  const store: Write = async (client) => {
    counts = new ActivityCounts(timeZone);
    changes = new SummaryChanges(now);
    const fresh = await storeMonths(client, accountId, months, { counts, repeats, tally });
    if (summaries !== null) for (const row of fresh) changes.add(row);
  };
  // Runs maybe while the previous batch is still being written.
  const storeEarly: Write = async (client) => {
    isStoredEarly = false;
    const db = databaseOn(client);
    // Finishing moves takes locks that would block the previous batch.
    if ((await arePartitionsMissing(db, footprint.months)) || (await hasMoves(db, accountId))) return;
    await store(client);
    isStoredEarly = true;
  };
  // Runs after all earlier batches are committed.
  const storeLate: Write = async (client) => {
    if (isStoredEarly) return;
    const db = databaseOn(client);
    if (await arePartitionsMissing(db, footprint.months)) await addPartitions(footprint.months);
    await finishMovesInTransaction(db, accountId, () => new Set(unique.map(({ key }) => key)));
    await store(client);
  };
  const count: Write = (client) => addActivityCounts(databaseOn(client), accountId, counts);
  // Not early: batches under way at the same time can have activities of the same contact.
  const summarize: Write[] =
    summaries === null ? [] : [(client) => addToSummaries(client, accountId, changes, oldestMinute(now))];
  return {
    writes: moves.size > 0 ? [] : [storeEarly],
    sharedWrites: [...moving, storeLate, ...summarize, count],
    footprint,
  };
}

/** Removes activities that repeat an earlier one of the batch, and counts them as `unchanged`. */
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
      tally.wasStored(activity.request);
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
    // Rows sorted by key are next to each other in the index: PostgreSQL finds and inserts them 25%
    // faster. Sort last: reading the records in another order than in memory takes twice as long.
    const rows = some
      .map((activity) => activityRow(accountId, activity))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    return { month, rows, search: prepareSearch(month, rows) };
  });
}

/** What {@link storeMonths} adds to. */
interface Counted {
  readonly counts: ActivityCounts;
  /** The activities that were stored before. The tally has counted them, maybe in an earlier attempt. */
  readonly repeats: Set<ActivityRow>;
  readonly tally: Tally;
}

/** Stores the activities that are not stored yet, and returns them. */
async function storeMonths(
  client: pg.ClientBase,
  accountId: number,
  months: readonly MonthToStore[],
  { counts, repeats, tally }: Counted,
): Promise<readonly ActivityRow[]> {
  const fresh: ActivityRow[] = [];
  for (const { month, rows, search } of months) {
    const stored = search === undefined ? new Set<number>() : await findStored(client, accountId, search);
    for (const position of stored) {
      const row = rows[position]!;
      if (!repeats.has(row)) tally.wasStored(row.request);
      repeats.add(row);
    }
    for (const [position, row] of rows.entries()) {
      if (stored.has(position)) continue;
      fresh.push(row);
      counts.add(month, row);
    }
  }
  if (fresh.length > 0) await copyActivities(client, fresh);
  return fresh;
}
