import {
  Faults,
  importPreset,
  shortestColumn,
  type CreateImportBody,
  type GivenColumn,
  type PartlyRead,
} from '@roster/contract';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { invalidRequest } from '#platform/errors/api-error.ts';
import { findExistingLists } from '#features/audiences/list-store.ts';
import { importRuns, insertImport, type ImportRow } from '../store/import-store.ts';

/** Creates an import. Throws `not_found`, and `invalid_request` for unknown lists. */
export async function createImport(
  context: Context,
  accountId: number,
  body: CreateImportBody,
  author: Author,
): Promise<ImportRow> {
  const { format, encoding, delimiter, formula_guard, file_name } = body;
  return context.db.transaction().execute(async (trx) => {
    await requireAccount(trx, accountId);
    const faults = new Faults();
    const earlier = await findMapping(trx, accountId, body.mapping_of, faults);
    const audienceIds = body.audience_ids ?? earlier?.audience_ids ?? [];
    await addUnknownListFaults({ db: trx }, accountId, audienceIds, faults);
    if (faults.count > 0) throw invalidRequest(faults.list);
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
      status: 'awaiting_file',
      file_name: file_name === undefined || file_name === '' ? null : file_name,
      given,
      created_at: context.now(),
    });
    await writeAudit(trx, context, {
      accountId,
      actor: author,
      action: 'import.create',
      subject: `import:${row.import_id}`,
      details: { ...options, ...(preset === undefined ? {} : { preset }), opt_out: given.opt_out },
    });
    return row;
  });
}

function shortest(columns: CreateImportBody['columns']): Record<string, GivenColumn> | undefined {
  if (columns === undefined) return undefined;
  return Object.fromEntries(Object.entries(columns).map(([header, column]) => [header, shortestColumn(column)]));
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Finds the import whose mapping is copied. Adds a fault when the account has no such import. */
export async function findMapping(
  db: Database,
  accountId: number,
  importId: string | undefined,
  faults: Faults,
): Promise<ImportRow | undefined> {
  if (importId === undefined) return undefined;
  const row = uuid.test(importId) ? await importRuns.find(db, { accountId, id: importId }) : undefined;
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
