import { findAccount } from '#features/accounts/store/account-store.ts';
import { findAudienceName } from '#features/audiences/audience-store.ts';
import { createMail } from '#features/mails/mails.ts';
import type { ImportFinished } from '#features/mails/templates/import-finished.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import { importRuns, lockUnnotified, setMailId, type ImportRow } from '../store/import-store.ts';
import { shownUrl } from '../store/source-url.ts';
import { readFailurePage } from './failure-page.ts';

/** Maximum failures that a mail shows. The file of failures contains all. */
const shownFailures = 50;

/** Maximum lists that a mail names. */
const shownLists = 10;

/** The first failures of an import, as its mail shows them. */
type Failures = ImportFinished['failures'];

/**
 * Reads the failures for the mail of an import from its file of failures. The mail has no cells,
 * only lines and reasons, because cells contain personal data.
 */
export async function failuresForMail(context: Context, key: LongRunKey): Promise<Failures> {
  const row = await importRuns.find(context.db, key);
  if (row === undefined || row.notify_email === null || row.mail_id !== null || row.failures_key === null) return [];
  const page = await readFailurePage(context, row, { limit: shownFailures, after: undefined, masks: undefined });
  return (page?.rows ?? []).map(({ line, column, code, message }) => ({ line, column, code, message }));
}

/**
 * Creates the mail about an import that has ended, if one is wanted. The lock of the import and its
 * `mail_id` make sure that there is only one.
 */
export async function createEndMail(
  trx: Database,
  context: Context,
  key: LongRunKey,
  failures: Failures,
): Promise<void> {
  const row = await lockUnnotified(trx, key);
  if (row === undefined) return;
  const account = await findAccount(trx, row.account_id);
  // The account is being deleted.
  if (account === undefined) return;
  const mailId = await createMail(trx, context, {
    accountId: row.account_id,
    to: row.notify_email!,
    template: 'import_finished',
    data: {
      importId: row.import_id,
      status: row.status as ImportFinished['status'],
      isDryRun: row.dry_run,
      fileName: row.file_name ?? undefined,
      sourceUrl: row.source_url === null ? undefined : shownUrl(row.source_url),
      lists: await listsOf(trx, row),
      counts: {
        total: row.created + row.updated + row.unchanged + row.failed,
        created: row.created,
        updated: row.updated,
        unchanged: row.unchanged,
        failed: row.failed,
        warnings: row.warnings,
      },
      skippedColumns: row.columns.flatMap(({ header, meaning }) => (meaning === 'skipped' ? [header] : [])),
      failure: row.failure_code === null ? undefined : { code: row.failure_code, message: row.failure_message ?? '' },
      failures,
      accountName: account.name,
    },
  });
  await setMailId(trx, key, mailId);
}

/** Creates the mail about an import that has ended, unless it exists. */
export async function ensureEndMail(context: Context, key: LongRunKey): Promise<void> {
  const failures = await failuresForMail(context, key);
  await context.db.transaction().execute((trx) => createEndMail(trx, context, key, failures));
}

async function listsOf(trx: Database, { account_id, audience_ids: ids }: ImportRow): Promise<string[]> {
  const shown: string[] = [];
  for (const id of ids.slice(0, shownLists)) {
    const name = await findAudienceName(trx, account_id, id);
    shown.push(name === undefined ? String(id) : `${name} (${id})`);
  }
  return ids.length > shownLists ? [...shown, `${ids.length - shownLists} more`] : shown;
}
