import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { lockLane } from '../requests/lane.ts';
import { endSweep, loadSweeps, moveSweep, sweepStep, type Sweep } from './sweep-store.ts';

// Contacts a transaction: short enough that the pipeline of the account hardly waits for its lane.
const contactsPerStep = 1000;
// After each step this many times its duration is left to the pipeline and to searches.
const restAfterStep = 2;

/**
 * Does what deletions and changes of types have left to do in the contacts, in small steps that each hold the lane of the account only
 * shortly. A step and the position behind it, a contact_id, are one transaction: an interrupted sweep goes on where it was.
 *
 * The accounts take turns, step by step: one that deletes a hundred attributes of a million contacts has hours of work for itself.
 */
export async function sweepContacts(context: Context, signal: AbortSignal): Promise<void> {
  for (;;) {
    const sweeps = await loadSweeps(context.db);
    if (sweeps.length === 0) return;
    for (const sweep of sweeps) {
      if (signal.aborted) return;
      const started = performance.now();
      await step(context, sweep);
      const rest = (performance.now() - started) * restAfterStep;
      await sleep(rest, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Does one step of a sweep, or ends it when there is none left. */
async function step(context: Context, { account_id: accountId, sweep_id: sweepId }: Sweep): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockLane(trx, accountId);
    const { current, last } = await sweepStep(trx, accountId, sweepId, contactsPerStep);
    // Another worker has ended it, or a change of the attribute made it needless.
    if (current === undefined) return;
    if (last === null) await endSweep(trx, current);
    else await moveSweep(trx, current, last);
  });
}
