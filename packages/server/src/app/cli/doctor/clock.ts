import type pg from 'pg';
import { databaseTime } from './database-store.ts';
import { fault, ok, warning, type Finding } from './findings/finding.ts';

/**
 * The smallest differences between the clocks, in milliseconds, for a warning and for a fault. With
 * a large difference, signed links and idempotency keys expire too early or too late.
 */
const limits = { warning: 2000, fault: 60_000 };

/**
 * Compares the clock of this machine with the clock of the database server. Assumes that the server
 * read its clock in the middle of the round trip.
 */
export async function checkClock(client: pg.Client, now: () => number = Date.now): Promise<readonly Finding[]> {
  const before = now();
  const theirs = await databaseTime(client);
  const after = now();
  const difference = theirs - (before + after) / 2;
  const amount = Math.abs(difference);
  if (amount <= limits.warning + (after - before) / 2)
    return [ok('This machine and the database server have the same time.')];
  const seconds = (amount / 1000).toFixed(1);
  const message = `The clock of the database server is ${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} the clock of this machine.`;
  const advice = 'Set both clocks with NTP (systemd-timesyncd or chrony).';
  return [amount > limits.fault ? fault(message, advice) : warning(message, advice)];
}
