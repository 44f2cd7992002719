import type { Context } from '#platform/context.ts';
import { pause } from '#platform/loops/pause.ts';
import { lockLane } from '#pipeline/log/lane.ts';
import { endSweeps, loadSweeps, moveSweeps, sweepStep, type Sweep } from './sweep-store.ts';

// Contacts a transaction: short enough that the pipeline of the account hardly waits for its lane.
const contactsPerStep = 1000;
// After each step this many times its duration is left to the pipeline and to searches.
const restAfterStep = 2;

/**
 * Does what deletions and changes of types have left to do in the contacts, in small steps that each hold the lane of the account only
 * shortly. A step and the position behind it, a contact_id, are one transaction: an interrupted sweep goes on where it was.
 *
 * The accounts take turns, step by step: one with many millions of contacts has hours of work for itself.
 */
export async function sweepContacts(context: Context, signal: AbortSignal): Promise<void> {
  for (;;) {
    const sweeps = await loadSweeps(context.db);
    if (sweeps.length === 0) return;
    for (const sweep of sweeps) {
      if (signal.aborted) return;
      const started = performance.now();
      await stepSweep(context, sweep);
      const rest = (performance.now() - started) * restAfterStep;
      await pause(rest, { signal });
    }
  }
}

/**
 * Does one step of a sweep, of at most `contacts` contacts, and of those that go along with it; ends them when there is none left. Does
 * nothing when it has ended.
 */
export async function stepSweep(
  context: Pick<Context, 'db'>,
  { account_id: accountId, sweep_id: sweepId }: Pick<Sweep, 'account_id' | 'sweep_id'>,
  contacts = contactsPerStep,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockLane(trx, accountId);
    const { stepped, last } = await sweepStep(trx, accountId, sweepId, contacts);
    // Another worker has ended it, or a change of the attribute made it needless.
    if (stepped.length === 0) return;
    if (last === null) await endSweeps(trx, accountId, stepped);
    else await moveSweeps(trx, accountId, stepped, last);
  });
}
