import type { CreateExportBody, Faults, PartlyRead } from '@roster/contract';
import { loadRegistry, type Registry } from '#features/registry/registry.ts';
import type { FilterRights } from '#features/search/rights/filter-rights.ts';
import { checkFilterField, resolveAudience } from '#features/search/search.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { ExportCallback } from '#platform/database/schema/tables/exports.ts';
import { given } from '#platform/given.ts';
import { readCallback } from '../run/callback-details.ts';
import { requestedColumns } from '../run/export-columns.ts';
import { checkNotifyEmail, collectFaults, type CheckedExport } from './check-export.ts';

/** The account of a request, and the rights of its caller. */
export interface ExportScope {
  readonly accountId: number;
  readonly registry: Registry;
  /** What the caller may see, and use in filters. */
  readonly rights: FilterRights;
}

/** The contacts of an export, checked. */
type CheckedSource = Pick<CheckedExport, 'audience_type' | 'audience_id' | 'filter'>;

/** Loads the attributes of an account for the checks of an export. */
export async function exportScope(db: Database, accountId: number, rights: FilterRights): Promise<ExportScope> {
  return { accountId, registry: await loadRegistry(db, accountId), rights };
}

/**
 * Checks an export of an operator against the account, like `checkExport`. Adds all faults to
 * `faults`. When there are faults, do not use the result.
 */
export async function checkOperatorExport(
  trx: Database,
  context: Pick<Context, 'config' | 'now'>,
  scope: ExportScope,
  body: PartlyRead<CreateExportBody>,
  faults: Faults,
): Promise<CheckedExport> {
  const { notify_email: email = '' } = body;
  const source = await checkSource({ searchDb: trx, now: context.now }, scope, body, faults);
  const columns = requestedColumns(body.attributes ?? [], scope.registry, faults, {
    place: 'attributes',
    activity: scope.rights.activities,
  });
  checkNotifyEmail(email, faults);
  checkUnmasked(body, scope, faults);
  return {
    ...source,
    columns,
    blocklist_type: body.blocklist_type ?? null,
    compression: body.compression ?? 'none',
    callback: body.callback === undefined ? null : checkCallback(context, body.callback, faults),
    notify_email: email === '' ? null : email,
  };
}

/** Adds a fault if a request wants unmasked values that the caller may not see. */
export function checkUnmasked(
  { unmasked }: Pick<PartlyRead<CreateExportBody>, 'unmasked'>,
  { rights }: Pick<ExportScope, 'rights'>,
  faults: Faults,
): void {
  if (unmasked !== true || rights.unmasked) return;
  faults.add('missing_scope', 'needs the permission unmasked. Leave it out to export masked values', 'unmasked');
}

/** Checks the contacts of an export: an audience or a filter, and exactly one of them. */
export async function checkSource(
  ctx: Pick<Context, 'searchDb' | 'now'>,
  { accountId, registry, rights }: ExportScope,
  { audience_type: type, audience_id: id, filter }: PartlyRead<CreateExportBody>,
  faults: Faults,
): Promise<CheckedSource> {
  const nothing = { audience_type: null, audience_id: null, filter: null };
  if (filter !== undefined) {
    if (type !== undefined || id !== undefined) {
      faults.add('not_allowed', 'must be left out together with audience_type and audience_id', 'filter');
    }
    const stored = await checkFilterField(ctx, { accountId, registry, ...rights }, filter, faults);
    return { ...nothing, filter: stored ?? null };
  }
  if (type === undefined && id === undefined) {
    faults.add('required', 'needs audience_type and audience_id, or filter. Send "filter": {} for all contacts');
  } else if (type === undefined) faults.add('required', 'is required together with audience_id', 'audience_type');
  else if (id === undefined) faults.add('required', 'is required together with audience_type', 'audience_id');
  else {
    const audience = { audience_type: type, audience_id: [id] };
    await collectFaults(resolveAudience(ctx, { accountId, registry }, audience), 'audience_id', faults);
    return { audience_type: type, audience_id: id, filter: null };
  }
  return nothing;
}

/** Paths of a callback of v4, and what operators call them. */
const names: readonly (readonly [v4: string, own: string])[] = [
  ['callback_details.endpoint', 'callback.url'],
  ['callback_details.header', 'callback.headers'],
  ['callback_details.body', 'callback.body'],
];

/** Checks the callback of an operator by the rules of v4. */
export function checkCallback(
  context: Pick<Context, 'config'>,
  { method, url, headers, body }: NonNullable<PartlyRead<CreateExportBody>['callback']>,
  faults: Faults,
): ExportCallback | null {
  const before = faults.count;
  const header = headers?.map((item) => (item === undefined ? undefined : { name: item.name, value: item.value }));
  const callback = readCallback(context, given({ method, endpoint: url, header, body }), faults);
  faults.replaceFields(before, (field) => {
    const found = names.find(([v4]) => field.startsWith(v4));
    return found === undefined ? field : found[1] + field.slice(found[0].length);
  });
  return callback;
}
