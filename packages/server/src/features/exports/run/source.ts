import { Faults } from '@roster/contract';
import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { loadRegistry, type Registry } from '#features/registry/registry.ts';
import type { ResolvedFilter } from '#features/search/filter/checked-filter.ts';
import { fromStoredFilter, type StoredFilter } from '#features/search/filter/stored-filter.ts';
import { allFilterRights } from '#features/search/rights/filter-rights.ts';
import { resolveAudience, resolveFilter } from '#features/search/search.ts';
import { guardMark } from '#platform/csv/formula-guard.ts';
import type { Context } from '#platform/context.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { CopySource } from './copy-statement.ts';
import { fieldsOfColumns } from './export-columns.ts';
import { ExportFailure } from '../place/export-failure.ts';
import type { ExportRow } from '../store/export-store.ts';

/** The columns of an export that say what its file contains. */
export type FileContent = Pick<
  ExportRow,
  'account_id' | 'audience_type' | 'audience_id' | 'filter' | 'columns' | 'blocklist_type' | 'unmasked'
>;

/**
 * Returns the names of the header row. PostgreSQL cannot write it, because it cuts names after 63
 * bytes, and attribute names can have 64. The names need no quotes: they have only letters, digits,
 * `_` and dots.
 */
export function headerOf(
  { columns }: Pick<FileContent, 'columns'>,
  { formulaGuard }: Pick<CopySource, 'formulaGuard'>,
): string[] {
  return [...columns.map(({ name }) => name), ...(formulaGuard ? [guardMark] : [])];
}

/**
 * Reads what to export. Throws an {@link ExportFailure} when the audience or an attribute was
 * deleted, or has changed too much. Throws `not_found` when the account was deleted.
 */
export async function readSource(ctx: Pick<Context, 'searchDb' | 'now'>, content: FileContent): Promise<CopySource> {
  const { account_id: accountId, blocklist_type: blocklist, unmasked } = content;
  const account = await requireAccount(ctx.searchDb, accountId);
  const registry = { ...(await loadRegistry(ctx.searchDb, accountId)), now: ctx.now() };
  const fields = fieldsOfColumns(content.columns, registry);
  const filter = await readFilter(ctx, content, registry).catch((error: unknown) => throwFilterFailure(error, content));
  const { csv_formula_guard: formulaGuard } = effectiveSettings(account.settings);
  return { filter, fields, blocklist, unmasked, formulaGuard };
}

async function readFilter(
  ctx: Pick<Context, 'searchDb' | 'now'>,
  { account_id: accountId, audience_type, audience_id, filter }: FileContent,
  registry: Registry,
): Promise<ResolvedFilter> {
  // What the caller may use in the filter was checked at the request.
  const scope = { accountId, registry, ...allFilterRights };
  if (audience_type !== null) {
    return resolveAudience(ctx, scope, { audience_type, audience_id: [audience_id!] });
  }
  return resolveFilter(ctx, scope, fromStoredFilter(filter as StoredFilter, registry), undefined, new Faults());
}

function throwFilterFailure(error: unknown, { audience_type, audience_id }: FileContent): never {
  if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error;
  const [fault] = error.faults;
  const what = audience_type === null ? 'filter' : `${audience_type} ${audience_id}`;
  const reason =
    audience_type !== null && fault?.code === 'not_found'
      ? `The ${what} was deleted before the export ran.`
      : `The ${what} could not be evaluated when the export ran: ${fault?.message}`;
  throw new ExportFailure(reason, { cause: error });
}
