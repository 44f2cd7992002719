import { isEmail, type BlocklistType, type ExportAudienceBody, type Faults, type PartlyRead } from '@roster/contract';
import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { ExportCallback, ExportColumn } from '#platform/database/schema/tables/exports.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { StoredFilter } from '#features/search/filter/stored-filter.ts';
import { resolveAudience } from '#features/search/search.ts';
import { readCallback } from '../run/callback-details.ts';
import { requestedColumns } from '../run/export-columns.ts';

/** An export request that was checked against the account. */
export interface CheckedExport {
  /** Null for an export of a filter. */
  readonly audience_type: 'list' | 'segment' | null;
  readonly audience_id: number | null;
  /** Null for an export of an audience. */
  readonly filter: StoredFilter | null;
  readonly columns: readonly ExportColumn[];
  readonly blocklist_type: BlocklistType | null;
  readonly compression: 'none' | 'gzip';
  readonly callback: ExportCallback | null;
  readonly notify_email: string | null;
}

/**
 * Checks a request against the account: the audience, the attributes, the callback, and the e-mail
 * address. Adds all faults to `faults`. When there are faults, do not use the result. `activity`:
 * the caller may see activities, and so derived attributes.
 */
export async function checkExport(
  trx: Database,
  context: Pick<Context, 'config' | 'now'>,
  accountId: number,
  body: PartlyRead<ExportAudienceBody>,
  faults: Faults,
  activity: boolean,
): Promise<CheckedExport> {
  const registry = await loadRegistry(trx, accountId);
  const { audience_details: audience = {}, callback_details: callback = {}, notify_email: email = '' } = body;
  const { audience_type: type, audience_id: id, attributes_needed: names = [], blocklist_type: blocklist } = audience;
  if (type !== undefined && id !== undefined) {
    const resolved = resolveAudience(
      { searchDb: trx, now: context.now },
      { accountId, registry },
      { audience_type: type, audience_id: [id] },
    );
    await collectFaults(resolved, 'audience_details.audience_id', faults);
  }
  const columns = requestedColumns(names, registry, faults, { activity });
  checkNotifyEmail(email, faults);
  return {
    audience_type: type ?? 'list',
    audience_id: id ?? 0,
    filter: null,
    columns,
    blocklist_type: blocklist === 'phone' ? 'mobile' : (blocklist ?? null),
    compression: body.compression ?? 'none',
    callback: readCallback(context, callback, faults),
    notify_email: email === '' ? null : email,
  };
}

/** Checks the address of the mail at the end of an export. Blank means no mail. */
export function checkNotifyEmail(email: string, faults: Faults): void {
  if (email === '' || isEmail(email)) return;
  faults.add('invalid_format', 'must be one e-mail address, such as asha@example.com', 'notify_email');
}

/**
 * Adds the faults of an audience. Their path is `place`, the id of the audience, which is all that
 * the request has.
 */
export async function collectFaults(resolved: Promise<unknown>, place: string, faults: Faults): Promise<void> {
  try {
    await resolved;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error;
    for (const { code, message } of error.faults) faults.add(code, message, place);
  }
}
