import type { Context } from '#platform/context.ts';
import { pause } from '#platform/loops/pause.ts';
import { lockLane } from '#pipeline/queue/lane.ts';
import { accountsWithSlotWork } from '#features/registry/slots/slot-store.ts';
import { stepSlots } from './slot-sweep.ts';
import { endSweeps, loadSweeps, moveSweeps, sweepStep, type Sweep } from './sweep-store.ts';

// A step is one transaction. With this size, the pipeline waits only shortly for the lane.
const contactsPerStep = 1000;
// The pause after a step, as a multiple of its duration. It leaves time for pipeline and searches.
const pauseFactor = 2;

/**
 * Runs all sweeps, and fills and clears the slots of attributes, in small steps that each hold the lane of the account only shortly.
 * Each transaction does a step and stores its position, so an interrupted sweep continues there.
 *
 * The accounts take turns after each step, because the sweep of a large account can take hours.
 */
export async function sweepContacts(context: Context, signal: AbortSignal): Promise<void> {
  for (;;) {
    const sweeps = await loadSweeps(context);
    const accounts = await accountsWithSlotWork(context);
    const steps = [
      ...sweeps.map((sweep) => async () => stepSweep(context, sweep)),
      ...accounts.map((accountId) => async () => stepSlots(context, accountId, contactsPerStep)),
    ];
    if (steps.length === 0) return;
    for (const step of steps) {
      if (signal.aborted) return;
      const started = performance.now();
      await step();
      await pause((performance.now() - started) * pauseFactor, { signal });
    }
  }
}

/**
 * Does one step of a sweep, and of the sweeps that share its steps, with up to `contacts` contacts.
 * Ends the sweeps when no contacts are left. Does nothing when the sweep has already ended.
 */
export async function stepSweep(
  context: Pick<Context, 'db'>,
  { account_id: accountId, sweep_id: sweepId }: Pick<Sweep, 'account_id' | 'sweep_id'>,
  contacts = contactsPerStep,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockLane(trx, accountId);
    const { stepped, last } = await sweepStep(trx, accountId, sweepId, contacts);
    // Another worker ended the sweep, or a change of the attribute made it unnecessary.
    if (stepped.length === 0) return;
    if (last === null) await endSweeps(trx, accountId, stepped);
    else await moveSweeps(trx, accountId, stepped, last);
  });
}
