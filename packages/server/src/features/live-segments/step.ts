import { addEvents } from '#features/events/event-store.ts';
import type { NewEvent } from '#features/events/event-group.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import { findMoves } from '#features/search/filter/activities/find-moves.ts';
import { activityInputsOf } from '#features/search/inputs/filter-inputs.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { LiveChangeCause } from '#platform/database/schema/tables/live.ts';
import { dayAt } from '#platform/time/days.ts';
import { removeEnded, storeStep, tryLiveAccount } from './account-store.ts';
import { addDay, writeChanges } from './change-store.ts';
import { clockPass } from './clock-pass.ts';
import { loadLiveSegments, updateLiveSegment, type LiveSegmentRow } from './live-segment-store.ts';
import {
  deleteMembers,
  findDifferences,
  nextPosition,
  writeMembers,
  type Contacts,
  type Differences,
} from './member-store.ts';
import { concernsEverySegment } from './pending/changed-inputs.ts';
import {
  deleteAllPending,
  deletePending,
  erasedAmong,
  loadPending,
  type PendingContacts,
} from './pending/pending-store.ts';
import { resolveSegment, type FollowedSegment } from './resolve-segment.ts';

/** What a step did. */
export interface StepResult {
  /** More work is known to be due. */
  readonly more: boolean;
  /** Segments wait until no batch is under way. */
  readonly waiting: boolean;
  /** When the oldest of the evaluated contacts changed. */
  readonly oldestChange: Date | undefined;
  /** The number of contacts that entered or left. */
  readonly changes: number;
}

/** How much a step does at most. Tests use smaller numbers. */
export interface StepSizes {
  /** Changed contacts, of all segments. */
  readonly changed: number;
  /** Contacts that are evaluated to fill a segment, or because time passed. */
  readonly filled: number;
  /** Contacts that are read because time passed, if no index finds those that it concerns. */
  readonly read: number;
  /** How long the next such pass waits, as a multiple of the time of the last one. */
  readonly rest: number;
}

const defaultSizes: StepSizes = { changed: 20_000, filled: 10_000, read: 200_000, rest: 20 };

const nothing: StepResult = { more: false, waiting: false, oldestChange: undefined, changes: 0 };

/**
 * Does one step for the live segments of an account, in one transaction: evaluates changed contacts,
 * and then some contacts of a segment that is being filled or whose relative dates moved. So a step
 * can be killed at any point. Does nothing while another process does a step of the account.
 *
 * A changed contact is evaluated as it is now. If it changes again meanwhile, the transaction that
 * changes it stores it again, and a later step evaluates it again.
 */
export async function stepLiveSegments(
  context: Context,
  accountId: number,
  sizes: StepSizes = defaultSizes,
): Promise<StepResult> {
  const { db } = await context.servers.of(accountId);
  return db.transaction().execute(async (trx) => {
    const account = await tryLiveAccount(trx, accountId);
    if (account === undefined) return nothing;
    const [ended] = account.ended_live_ids;
    if (ended !== undefined) {
      const deleted = await deleteMembers(trx, accountId, ended, sizes.filled);
      if (deleted < sizes.filled) await removeEnded(trx, accountId, ended);
    }
    const rows = await loadLiveSegments(trx, accountId);
    if (rows.length === 0) {
      await deleteAllPending(trx, accountId);
      return { ...nothing, more: ended !== undefined };
    }
    const registry = await loadRegistry(trx, accountId);
    const now = context.now();
    const followed: FollowedSegment[] = [];
    for (const row of rows) {
      const segment = await resolveSegment(trx, row, registry, now);
      if (segment !== undefined) followed.push(segment);
    }
    const step = new Step(trx, accountId, account.last_step, now, dayAt(now.getTime(), registry.timeZone));
    const pending = await loadPending(trx, accountId, sizes.changed);
    for (const { segments, ids } of dueContacts(followed, pending)) await step.evaluate(segments, { ids }, 'changed');
    await deletePending(
      trx,
      accountId,
      pending.map(({ pendingId }) => pendingId),
    );
    for (const { row } of segmentsToRestart(followed, pending)) {
      await updateLiveSegment(trx, row, { definition: null });
    }
    let isBehind = false;
    const filling = followed.find(({ row }) => row.state === 'filling');
    if (filling !== undefined) isBehind = await fill(trx, step, filling, sizes.filled);
    for (const segment of followed) {
      if (segment.row.state === 'following') isBehind = (await clockPass(trx, step, segment, sizes)) || isBehind;
    }
    await step.end();
    const states = await loadLiveSegments(trx, accountId);
    return {
      more: isBehind || pending.length > 0 || ended !== undefined || states.some(({ state }) => state === 'filling'),
      waiting: states.some(({ state }) => state === 'waiting'),
      oldestChange: pending[0]?.changedAt,
      changes: step.changes,
    };
  });
}

/** Maximum number of conditions that are evaluated in one statement. A longer one takes long to plan. */
const conditionsPerStatement = 500;

/** Segments, and the changed contacts that all of them depend on. */
interface DueContacts {
  readonly segments: FollowedSegment[];
  readonly ids: readonly number[];
}

/** Returns the changed contacts of segments, each once. Segments with the same contacts are together. */
function dueContacts(followed: readonly FollowedSegment[], pending: readonly PendingContacts[]): DueContacts[] {
  const due = new Map<string, DueContacts & { conditions: number }>();
  const all: DueContacts[] = [];
  for (const segment of followed) {
    const wanted = new Set(segment.inputs.contact);
    const groups = pending.filter(
      (one) => one.contactIds.length > 0 && (concernsEverySegment(one) || one.inputs!.some((name) => wanted.has(name))),
    );
    if (groups.length === 0) continue;
    const key = groups.map(({ pendingId }) => pendingId).join();
    const before = due.get(key);
    if (before !== undefined && before.conditions + segment.conditions <= conditionsPerStatement) {
      before.segments.push(segment);
      before.conditions += segment.conditions;
      continue;
    }
    const ids = before?.ids ?? [...new Set(groups.flatMap(({ contactIds }) => contactIds))];
    const together = { segments: [segment], ids, conditions: segment.conditions };
    due.set(key, together);
    all.push(together);
  }
  return all;
}

/** Returns the segments that must evaluate all contacts again. */
function segmentsToRestart(
  followed: readonly FollowedSegment[],
  pending: readonly PendingContacts[],
): readonly FollowedSegment[] {
  const restarting = new Set(
    pending.flatMap(({ inputs, contactIds }) => (contactIds.length > 0 ? [] : (inputs ?? []))),
  );
  if (restarting.size === 0) return [];
  return followed.filter(({ inputs }) => inputs.contact.some((name) => restarting.has(name)));
}

/** Evaluates the next contacts of a segment that is being filled. Returns true if there are more. */
async function fill(trx: Database, step: Step, segment: FollowedSegment, contacts: number): Promise<boolean> {
  const { row } = segment;
  const upTo = await nextPosition(trx, row.account_id, row.fill_position, contacts);
  await step.evaluate([segment], { after: row.fill_position, upTo }, 'filled');
  if (upTo === null) await updateLiveSegment(trx, row, { state: 'following', filled_at: step.at });
  else await updateLiveSegment(trx, row, { fill_position: upTo });
  return upTo !== null;
}

/**
 * True unless no activities wait to be moved to another key. Without moves, PostgreSQL can look up
 * the activities of single contacts. If a batch adds a move after this look, it also notes the
 * contacts of the move, and they are evaluated again. So call this after the notes were loaded.
 */
async function mayHaveMoves(trx: Database, segments: readonly FollowedSegment[]): Promise<boolean> {
  const { accountId } = segments[0]!.filter;
  if (segments.every(({ inputs }) => activityInputsOf(inputs.contact).length === 0)) return true;
  return findMoves(trx, accountId);
}

/** The changes of members in one transaction. */
export class Step {
  /** The number of contacts that entered or left. */
  changes = 0;
  readonly at: Date;
  readonly #trx: Database;
  readonly #accountId: number;
  readonly #first: number;
  readonly #day: string;
  readonly #events: NewEvent[] = [];
  readonly #counts = new Map<LiveSegmentRow, number>();
  #last: number;

  constructor(trx: Database, accountId: number, lastStep: number, at: Date, day: string) {
    this.#trx = trx;
    this.#accountId = accountId;
    this.#first = lastStep;
    this.#last = lastStep;
    this.#day = day;
    this.at = at;
  }

  /** Makes some contacts members of segments, or not, as the filters say now. */
  async evaluate(segments: readonly FollowedSegment[], contacts: Contacts, cause: LiveChangeCause): Promise<void> {
    const hasMoves = await mayHaveMoves(this.#trx, segments);
    const filters = segments.map(({ row, filter }) => ({ row, filter: { ...filter, hasMoves } }));
    const differences = await findDifferences(this.#trx, filters, contacts);
    for (const { row } of segments) {
      const own = differences.get(row.live_id);
      if (own !== undefined) await this.#change(row, own, cause);
    }
  }

  async #change(row: LiveSegmentRow, differences: Differences, cause: LiveChangeCause): Promise<void> {
    const { entered, departed } = differences;
    await writeMembers(this.#trx, row, differences);
    // The feed says that these people were erased. Nothing about them may come after that.
    const erased = await erasedAmong(this.#trx, this.#accountId, departed);
    const shown = { entered, departed: departed.filter((id) => !erased.has(id)) };
    await writeChanges(this.#trx, row, shown, { step: ++this.#last, at: this.at, day: this.#day, cause });
    if (erased.size > 0) {
      const counts = { entered: 0, departed: erased.size };
      await addDay(this.#trx, { accountId: this.#accountId, liveId: row.live_id, day: this.#day, ...counts });
    }
    this.#counts.set(row, (this.#counts.get(row) ?? row.member_count) + entered.length - departed.length);
    this.changes += entered.length + departed.length;
    const add = (kind: NewEvent['kind'], contactId: number): void => {
      this.#events.push({ kind, contactId, requestId: null, details: { segment_id: row.audience_id, cause } });
    };
    for (const id of shown.departed) add('contact.left_segment', id);
    for (const id of entered) add('contact.entered_segment', id);
  }

  /** Writes the counts, and the events last: other writers of events wait for their positions. */
  async end(): Promise<void> {
    for (const [row, count] of this.#counts) await updateLiveSegment(this.#trx, row, { member_count: count });
    if (this.#last !== this.#first) await storeStep(this.#trx, this.#accountId, this.#last);
    await addEvents(this.#trx, this.#accountId, this.#events, this.at);
  }
}
