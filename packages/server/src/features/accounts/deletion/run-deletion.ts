import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { pause } from '#platform/loops/pause.ts';
import { second } from '#platform/time/intervals.ts';
import { lockLane } from '#pipeline/queue/lane.ts';
import { deleteJobs, deleteRows, endDeletion, findDeletion, noteStep, tablesOfAccounts } from './deletion-store.ts';

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** The deletion of an account. Not named account_id, because jobs with it are deleted. */
    delete_account: { readonly deleted_account_id: number };
  }
}

// A step is one transaction. With this size, other statements wait only shortly for its locks.
const rowsPerStep = 2000;
// The pause after a step, as a multiple of its duration. It leaves time for other accounts.
const pauseFactor = 1;
/**
 * Milliseconds after the request before which a deletion does not end. Within this time, a request
 * that was authenticated before can still store something.
 */
export const lateWrites = 30 * second;

/**
 * Deletes everything of an account: unfinished work, jobs, files, and all rows in all tables with a
 * column `account_id`, except the audit log. Repeats this until nothing is found. Continues after a
 * kill, because each round begins with what is left.
 */
export const runDeletion: JobHandler<JobPayloads['delete_account']> = async (context, payload, { signal }) => {
  const accountId = payload.deleted_account_id;
  const deletion = await findDeletion(context.db, accountId);
  if (deletion === undefined || deletion.finished_at !== null) return;
  while (!(await deleteRound(context, accountId, signal))) signal.throwIfAborted();
  if (context.now().getTime() < deletion.requested_at.getTime() + lateWrites) {
    // Look again later. Meanwhile, the deletions of other accounts can run.
    await addDeletionJob(context.db, accountId, second);
    return;
  }
  await context.db.transaction().execute(async (trx) => {
    const ended = await endDeletion(trx, accountId, context.now());
    if (ended === undefined) return;
    await writeAudit(trx, context, {
      accountId,
      actor: 'system',
      action: 'account.delete-complete',
      subject: `account:${accountId}`,
      details: { deleted_rows: ended.deleted_rows },
    });
  });
  context.log.info({ account_id: accountId }, 'deleted an account');
};

/** Adds the job of a deletion. It runs after a delay in milliseconds. */
export async function addDeletionJob(trx: Database, accountId: number, delay = 0): Promise<void> {
  // The time of the machine: jobs run by the clock of the database.
  const runAt = new Date(Date.now() + delay);
  const payload = { deleted_account_id: accountId };
  await addJob(trx, 'delete_account', payload, { key: String(accountId), ...(delay > 0 && { runAt }) });
}

/** Deletes what is there now. Returns true when there was nothing, and no job of the account runs. */
async function deleteRound(context: Context, accountId: number, signal: AbortSignal): Promise<boolean> {
  const { db, now } = context;
  const parts = context.features.flatMap(({ accountParts }) => accountParts ?? []);
  for (const { endWork } of parts) {
    await db.transaction().execute(async (trx) => endWork?.(trx, accountId, now()));
  }
  const jobs = await deleteJobs(db, accountId);
  // The runs of ended work stop within a second, and delete their own unfinished files.
  if (jobs.running > 0) await pause(second, { signal });
  const files = await deleteFiles(context, accountId, signal);
  let rows = 0;
  for (const table of await tablesOfAccounts(db)) rows += await deleteTable(context, table, accountId, signal);
  return jobs.deleted + jobs.running + files + rows === 0;
}

/** Deletes the files of an account. Returns how many. */
async function deleteFiles(context: Context, accountId: number, signal: AbortSignal): Promise<number> {
  const { db, exportFiles, features } = context;
  let deleted = 0;
  for (const { accountParts } of features) {
    for (const unfinished of (await accountParts?.unfinishedWrites?.(db, accountId)) ?? []) {
      await exportFiles.discard(unfinished);
    }
    for (const prefix of accountParts?.filePrefixes?.(accountId) ?? []) {
      for (const { key } of await exportFiles.list(prefix)) {
        signal.throwIfAborted();
        await exportFiles.delete(key);
        deleted++;
      }
    }
  }
  return deleted;
}

/** Deletes the rows of an account from a table, in steps. Returns how many. */
async function deleteTable({ db }: Context, table: string, accountId: number, signal: AbortSignal): Promise<number> {
  for (let rows = 0; ;) {
    signal.throwIfAborted();
    const started = performance.now();
    const deleted = await db.transaction().execute(async (trx) => {
      // The lane keeps a worker from applying a batch of the account meanwhile.
      await lockLane(trx, accountId);
      const step = await deleteRows(trx, table, accountId, rowsPerStep);
      if (step > 0) await noteStep(trx, accountId, table, step);
      return step;
    });
    rows += deleted;
    if (deleted < rowsPerStep) return rows;
    await pause((performance.now() - started) * pauseFactor, { signal });
  }
}
