import { sql } from 'kysely';
import { compileAccount } from '#features/search/filter/compile.ts';
import { crossedBetween } from '#features/search/inputs/crossings.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { second } from '#platform/time/intervals.ts';
import { updateLiveSegment } from './live-segment-store.ts';
import { momentOf, type FollowedSegment } from './resolve-segment.ts';
import type { Step } from './step.ts';

// Without an index on the attribute, a pass reads all contacts of the account. If that takes longer
// than this (milliseconds), the next pass waits for a multiple of it.
const slowPass = 50;
const restFactor = 20;

/** When the next pass of a segment with slow passes may begin in this process. */
const notBefore = new Map<string, number>();

/**
 * Evaluates contacts whose relative dates moved across a bound since the last pass, such as at
 * midnight of the account. Returns true if there are more.
 *
 * A pass looks at the time from `clock_at` to `pass_to`. When it ends, `clock_at` becomes `pass_to`.
 * Contacts are evaluated at the present moment. Those that cross a bound after `pass_to` are found
 * by the next pass.
 */
export async function clockPass(
  trx: Database,
  step: Step,
  { row, filter, inputs }: FollowedSegment,
  contacts: number,
): Promise<boolean> {
  if (inputs.timed.length === 0) return false;
  const name = `${row.account_id}/${row.live_id}`;
  if (row.pass_to === null && performance.now() < (notBefore.get(name) ?? 0)) return false;
  const { clock_at: from, pass_to: passTo, pass_position: position } = row;
  const to = passTo ?? momentOf(row, step.at);
  const { clock } = filter;
  const crossed = crossedBetween(inputs.timed, { ...clock, now: from.getTime() }, { ...clock, now: to.getTime() });
  if (crossed === undefined) {
    // So the row is not written every second. The time since `clock_at` is looked at again.
    if (to.getTime() - from.getTime() > 60 * second) await updateLiveSegment(trx, row, { clock_at: to, pass_to: null });
    return false;
  }
  const started = performance.now();
  const { rows } = await sql<{ contact_id: number }>`
    select contacts.contact_id from contacts
    where ${compileAccount(filter)} and contacts.contact_id > ${position} and ${crossed}
    order by contacts.contact_id limit ${contacts}`.execute(trx);
  const took = performance.now() - started;
  if (took > slowPass) notBefore.set(name, performance.now() + took * restFactor);
  else notBefore.delete(name);
  const ids = rows.map(({ contact_id: id }) => id);
  if (ids.length > 0) await step.evaluate({ row, filter, inputs }, { ids }, 'date');
  const more = ids.length === contacts;
  await updateLiveSegment(
    trx,
    row,
    more ? { pass_to: to, pass_position: ids.at(-1)! } : { clock_at: to, pass_to: null, pass_position: 0 },
  );
  return more;
}
