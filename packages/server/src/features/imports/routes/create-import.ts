import { Faults, type CreateImportBody, type PartlyRead } from '@roster/contract';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import { invalidRequest } from '#platform/errors/api-error.ts';
import { findExistingLists } from '#features/audiences/list-store.ts';
import { insertImport, type ImportRow } from '../store/import-store.ts';

/** Creates an import. Throws `not_found`, and `invalid_request` for unknown lists. */
export async function createImport(
  context: Context,
  accountId: number,
  body: CreateImportBody,
  author: Author,
): Promise<ImportRow> {
  const { format, encoding, delimiter, columns, formula_guard, file_name, audience_ids = [] } = body;
  return context.db.transaction().execute(async (trx) => {
    await requireAccount(trx, accountId);
    const faults = new Faults();
    await addUnknownListFaults({ db: trx }, accountId, audience_ids, faults);
    if (faults.count > 0) throw invalidRequest(faults.list);
    const options = {
      mode: body.mode ?? 'upsert',
      blank_cells: body.blank_cells ?? 'leave',
      audience_ids: [...new Set(audience_ids)].sort((a, b) => a - b),
      unknown_columns: body.unknown_columns ?? 'refuse',
      dry_run: body.dry_run ?? false,
    } as const;
    const row = await insertImport(trx, {
      ...options,
      account_id: accountId,
      import_id: context.newId(),
      status: 'awaiting_file',
      file_name: file_name === undefined || file_name === '' ? null : file_name,
      given: { format, encoding, delimiter: delimiter === 'tab' ? '\t' : delimiter, columns, formula_guard },
      created_at: context.now(),
    });
    await writeAudit(trx, context, {
      accountId,
      actor: author,
      action: 'import.create',
      subject: `import:${row.import_id}`,
      details: options,
    });
    return row;
  });
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
