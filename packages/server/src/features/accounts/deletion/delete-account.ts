import { writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import { invalidField, notFound } from '#platform/errors/api-error.ts';
import { isJobAlive } from '#platform/jobs/jobs.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { minute } from '#platform/time/intervals.ts';
import { announceAccount } from '../store/account-channel.ts';
import { requireLockedAccount } from '../store/require-account.ts';
import { findDeletion, listUnfinishedDeletions, startDeletion, type DeletionRow } from './deletion-store.ts';
import { addDeletionJob } from './run-deletion.ts';

/**
 * Deletes an account. From the commit on, the account does not exist for callers. A job deletes its
 * data in the background. Throws `not_found`, and `invalid_request` when `name` is not its name.
 */
export async function deleteAccount(
  context: Context,
  accountId: number,
  name: string,
  author: Author,
): Promise<DeletionRow> {
  return context.db.transaction().execute(async (trx) => {
    const account = await requireLockedAccount(trx, accountId);
    if (account.name !== name) throw invalidField('not_allowed', 'name', 'must be the exact name of the account');
    const deletion = await startDeletion(trx, { accountId, name, author, at: context.now() });
    await addDeletionJob(trx, accountId);
    await writeAudit(trx, context, {
      accountId,
      actor: author,
      action: 'account.delete',
      subject: `account:${accountId}`,
      details: { name },
    });
    await announceAccount(trx, accountId);
    return deletion;
  });
}

/** Finds the deletion of an account. Throws `not_found`. */
export async function requireDeletion(db: Database, accountId: number): Promise<DeletionRow> {
  const deletion = await findDeletion(db, accountId);
  if (deletion !== undefined) return deletion;
  throw notFound(`deletion of account ${accountId}`);
}

/** Adds the job again to deletions that have lost it. */
export async function restartDeletions(context: Context, signal: AbortSignal): Promise<void> {
  const before = new Date(context.now().getTime() - minute);
  for (const { account_id: accountId } of await listUnfinishedDeletions(context.db, before)) {
    if (signal.aborted) return;
    if (!(await isJobAlive(context.db, 'delete_account', String(accountId)))) {
      await addDeletionJob(context.db, accountId);
      context.log.warn({ account_id: accountId }, 'restarted the deletion of an account');
    }
  }
}
