import { sql } from 'kysely';
import { compileAccount } from '#features/search/filter/compile.ts';
import { crossedBetween } from '#features/search/inputs/crossings.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { second } from '#platform/time/intervals.ts';
import { updateLiveSegment } from './live-segment-store.ts';
import { nextPosition } from './member-store.ts';
import { pendingAmong } from './pending/pending-store.ts';
import { momentOf, type FollowedSegment } from './resolve-segment.ts';
import type { Step, StepSizes } from './step.ts';

// If a pass takes longer than this (milliseconds), the next one waits for a multiple of it.
const slowPass = 50;

/** When the next pass of a segment with slow passes may begin in this process, and what it took so far. */
const passes = new Map<string, { notBefore: number; took: number }>();

/**
 * Evaluates contacts whose dates or activities a bound crossed since the last pass, such as at
 * midnight of the account. Returns true if there are more.
 *
 * A pass looks at the time from `clock_at` to `pass_to`. When it ends, `clock_at` becomes `pass_to`.
 * Contacts are evaluated at the present moment. Those that cross a bound after `pass_to` are found
 * by the next pass.
 */
export async function clockPass(
  trx: Database,
  step: Step,
  segment: FollowedSegment,
  { filled: contacts, read, rest }: StepSizes,
): Promise<boolean> {
  const { row, filter, inputs } = segment;
  if (inputs.timed.length === 0) return false;
  const name = `${row.account_id}/${row.live_id}`;
  if (row.pass_to === null && performance.now() < (passes.get(name)?.notBefore ?? 0)) return false;
  const { account_id: accountId, clock_at: from, pass_to: passTo, pass_position: position } = row;
  const to = passTo ?? momentOf(row, step.at);
  const { clock } = filter;
  const [before, after] = [from, to].map((moment) => ({ ...clock, now: moment.getTime() }));
  const crossed = crossedBetween(filter, inputs.timed, before!, after!);
  if (crossed === undefined) {
    // So the row is not written every second. The time since `clock_at` is looked at again.
    if (to.getTime() - from.getTime() > 60 * second) await updateLiveSegment(trx, row, { clock_at: to, pass_to: null });
    return false;
  }
  const started = performance.now();
  const upTo = crossed.isIndexed ? null : await nextPosition(trx, accountId, position, read);
  const range = upTo === null ? sql`` : sql`and contacts.contact_id <= ${upTo}`;
  const { rows } = await sql<{ contact_id: number }>`
    select contacts.contact_id from contacts
    where ${compileAccount(filter)} and contacts.contact_id > ${position} ${range} and ${crossed.condition}
    order by contacts.contact_id limit ${contacts}`.execute(trx);
  const ids = rows.map(({ contact_id: id }) => id);
  if (ids.length > 0) await evaluateCrossed(trx, step, segment, ids);
  const last = ids.length === contacts ? ids.at(-1)! : upTo;
  const took = performance.now() - started + (position === 0 ? 0 : (passes.get(name)?.took ?? 0));
  if (took < slowPass) passes.delete(name);
  else passes.set(name, { took, notBefore: performance.now() + took * rest });
  await updateLiveSegment(
    trx,
    row,
    last === null ? { clock_at: to, pass_to: null, pass_position: 0 } : { pass_to: to, pass_position: last },
  );
  return last !== null;
}

/**
 * Evaluates contacts that a bound crossed. A batch can have changed some of them after the step has
 * loaded the changed contacts, for example with an activity of this moment. Then that is the cause.
 */
async function evaluateCrossed(
  trx: Database,
  step: Step,
  segment: FollowedSegment,
  ids: readonly number[],
): Promise<void> {
  const changed = await pendingAmong(trx, segment.row.account_id, segment.inputs.contact, ids);
  const byCause = Map.groupBy(ids, (id) => (changed.has(id) ? 'changed' : 'date'));
  for (const [cause, own] of byCause) await step.evaluate([segment], { ids: own }, cause);
}
