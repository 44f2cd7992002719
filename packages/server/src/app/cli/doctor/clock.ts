import type pg from 'pg';
import { databaseTime } from './database-store.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

/** Milliseconds between the clocks that are worth a word, and that do harm: signed links and idempotency keys then end too early or late. */
const limits = { noticed: 2000, harmful: 60_000 };

/** Compares the clock of this machine with that of the database server; half of the way there and back counts for the answer. */
export async function checkClock(client: pg.Client, now: () => number = Date.now): Promise<readonly Finding[]> {
  const before = now();
  const theirs = await databaseTime(client);
  const after = now();
  const difference = theirs - (before + after) / 2;
  const amount = Math.abs(difference);
  if (amount <= limits.noticed + (after - before) / 2)
    return [ok('The clocks of this machine and of the database agree.')];
  const seconds = (amount / 1000).toFixed(1);
  const message = `The clock of the database is ${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} the one of this machine.`;
  const advice = 'Let both machines set their clocks by NTP (systemd-timesyncd, chrony).';
  return [amount > limits.harmful ? fault(message, advice) : warning(message, advice)];
}
