import {
  Faults,
  importLimits,
  importPreset,
  isEmail,
  shortestColumn,
  type CreateImportBody,
  type GivenColumn,
  type PartlyRead,
} from '@roster/contract';
import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import { writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { invalidRequest, conflict } from '#platform/errors/api-error.ts';
import { findExistingLists } from '#features/audiences/list-store.ts';
import { isUuid } from '#platform/http/operations/path-parameters.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { checkSourceUrl, fileNameOf } from '../store/source-url.ts';
import { countFetching, importRuns, insertImport, type ImportRow } from '../store/import-store.ts';

/**
 * Creates an import. With `source_url`, adds the job that fetches its file.
 *
 * Throws `not_found`, `invalid_request` for unknown lists or a URL that is not allowed, and
 * `conflict` when too many imports of the account have not ended, or too many of their files wait to
 * be fetched.
 */
export async function createImport(
  context: Context,
  accountId: number,
  body: CreateImportBody,
  author: Author,
): Promise<ImportRow> {
  const { format, encoding, delimiter, formula_guard, file_name } = body;
  return context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, accountId);
    const faults = new Faults();
    const source = checkReceivers(context, body, faults);
    const earlier = await findMapping(trx, accountId, body.mapping_of, faults);
    const audienceIds = body.audience_ids ?? earlier?.audience_ids ?? [];
    await addUnknownListFaults({ db: trx }, accountId, audienceIds, faults);
    if (faults.count > 0) throw invalidRequest(faults.list);
    await requireUnderLimit(trx, accountId);
    if (source !== undefined) await requireFewFetches(trx, accountId);
    const options = {
      mode: body.mode ?? earlier?.mode ?? 'upsert',
      blank_cells: body.blank_cells ?? earlier?.blank_cells ?? 'leave',
      audience_ids: [...new Set(audienceIds)].sort((a, b) => a - b),
      unknown_columns: body.unknown_columns ?? earlier?.unknown_columns ?? 'refuse',
      dry_run: body.dry_run ?? false,
    } as const;
    const preset = body.preset ?? earlier?.given.preset;
    const optOut = body.opt_out ?? earlier?.given.opt_out ?? [];
    const given = {
      format,
      encoding,
      delimiter: delimiter === 'tab' ? '\t' : delimiter,
      formula_guard,
      columns: shortest(body.columns) ?? earlier?.given.columns,
      preset,
      opt_out: [...new Set([...optOut, ...(preset === undefined ? [] : importPreset(preset).optOut)])],
    };
    const row = await insertImport(trx, {
      ...options,
      account_id: accountId,
      import_id: context.newId(),
      status: source === undefined ? 'awaiting_file' : 'fetching',
      file_name: nameOf(file_name) ?? (source === undefined ? undefined : fileNameOf(source)) ?? null,
      source_url: source ?? null,
      notify_email: nameOf(body.notify_email) ?? null,
      given,
      created_at: context.now(),
    });
    await writeAudit(trx, context, {
      accountId,
      actor: author,
      action: 'import.create',
      subject: `import:${row.import_id}`,
      details: {
        ...options,
        ...(preset === undefined ? {} : { preset }),
        opt_out: given.opt_out,
        // Only the host, because the rest of a URL can be a secret.
        ...(source === undefined ? {} : { source_host: new URL(source).host }),
      },
    });
    if (source !== undefined) {
      const job = { account_id: accountId, import_id: row.import_id, attempt: 1 };
      await addJob(trx, 'fetch_import', job, { key: row.import_id });
    }
    return row;
  });
}

/**
 * Throws `conflict` if too many imports of an account have not ended. Others would wait for them, and
 * their files occupy the file store. The caller has locked the account.
 */
async function requireUnderLimit(trx: Database, accountId: number): Promise<void> {
  const limit = importLimits.unfinished;
  if ((await importRuns.countUnfinished(trx, accountId)) < limit) return;
  throw conflict(
    `The account has ${limit} unfinished imports, which is the maximum. Try again when one of them has ended.`,
  );
}

/** Imports of an account whose files may wait to be fetched at the same time. */
const fetchesOfAccount = 100;

/**
 * Throws `conflict` if too many files of an account wait to be fetched. Its slow servers would keep
 * the files of other accounts waiting.
 */
async function requireFewFetches(trx: Database, accountId: number): Promise<void> {
  if ((await countFetching(trx, accountId)) < fetchesOfAccount) return;
  throw conflict(
    `The files of ${fetchesOfAccount} imports of the account are not fetched yet. Try again when some of them are.`,
  );
}

/**
 * Checks the URL of the file and the address of the mail. Returns the URL to store. Adds a fault for
 * each that is not allowed.
 */
export function checkReceivers(
  { config }: Pick<Context, 'config'>,
  { source_url, notify_email }: Pick<PartlyRead<CreateImportBody>, 'source_url' | 'notify_email'>,
  faults: Faults,
): string | undefined {
  const email = nameOf(notify_email);
  if (email !== undefined && !isEmail(email)) {
    faults.add('invalid_format', 'must be one e-mail address, such as asha@example.com', 'notify_email');
  }
  if (source_url === undefined) return undefined;
  const before = faults.count;
  const source = checkSourceUrl(source_url, config, faults);
  faults.prefix(before, 'source_url');
  return source;
}

function nameOf(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}

function shortest(columns: CreateImportBody['columns']): Record<string, GivenColumn> | undefined {
  if (columns === undefined) return undefined;
  return Object.fromEntries(Object.entries(columns).map(([header, column]) => [header, shortestColumn(column)]));
}

/** Finds the import whose mapping is copied. Adds a fault when the account has no such import. */
export async function findMapping(
  db: Database,
  accountId: number,
  importId: string | undefined,
  faults: Faults,
): Promise<ImportRow | undefined> {
  if (importId === undefined) return undefined;
  const row = isUuid(importId) ? await importRuns.find(db, { accountId, id: importId }) : undefined;
  if (row === undefined) faults.add('not_found', 'is not the import_id of an import of the account', 'mapping_of');
  return row;
}

/** Adds a fault for each list that the account does not have. */
export async function addUnknownListFaults(
  { db }: Pick<Context, 'db'>,
  accountId: number,
  audienceIds: PartlyRead<NonNullable<CreateImportBody['audience_ids']>>,
  faults: Faults,
): Promise<void> {
  const given = audienceIds.filter((id) => id !== undefined);
  const existing = await findExistingLists(db, accountId, given);
  for (const [index, id] of audienceIds.entries()) {
    if (id !== undefined && !existing.has(id)) {
      faults.add('not_found', 'is not the audience_id of a list of the account', `audience_ids[${index}]`);
    }
  }
}
