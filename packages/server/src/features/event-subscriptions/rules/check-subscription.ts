import type { Faults, PartlyRead, UpdateEventSubscriptionBody } from '@roster/contract';
import { checkCallbackHeaders } from '#features/callbacks/destination/callback-headers.ts';
import { checkCallbackUrl } from '#features/callbacks/destination/callback-url.ts';
import type { Registry } from '#features/registry/registry.ts';
import type { FilterRights } from '#features/search/rights/filter-rights.ts';
import type { StoredFilter } from '#features/search/filter/stored-filter.ts';
import { checkFilterField } from '#features/search/search.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { ExportColumn } from '#platform/database/schema/tables/exports.ts';
import type { SubscriptionRow } from '../store/subscription-store.ts';
import { checkFields } from './contact-fields.ts';
import { partsWithoutRights, type GuardedPart } from './rights-needed.ts';

/** The account of a subscription, and the rights of the caller. */
export interface CheckScope {
  readonly accountId: number;
  readonly registry: Registry;
  readonly rights: FilterRights;
}

/** The fields of a body that depend on the account, checked. Absent ones were not sent. */
export interface CheckedParts {
  readonly url?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly filter?: StoredFilter | null;
  readonly columns?: readonly ExportColumn[];
}

type Body = PartlyRead<Pick<UpdateEventSubscriptionBody, 'url' | 'headers' | 'filter' | 'fields' | 'unmasked'>>;

/**
 * Checks the fields of a body that depend on the account. Adds all faults; use the result only if
 * there are none. `before`: the subscription that is changed.
 *
 * Whoever may not see what a subscription uses, unmasked values or activities, cannot change it: the
 * change could send them to somebody else.
 */
export async function checkSubscription(
  db: Database,
  { config, now }: Pick<Context, 'config' | 'now'>,
  scope: CheckScope,
  body: Body,
  before: SubscriptionRow | undefined,
  faults: Faults,
): Promise<CheckedParts> {
  const { accountId, registry, rights } = scope;
  const parts: { -readonly [Name in keyof CheckedParts]: CheckedParts[Name] } = {};
  if (body.url !== undefined) {
    const count = faults.count;
    const url = checkCallbackUrl(body.url, { allow: config.callbackAllow, plainHttp: false }, faults);
    faults.prefix(count, 'url');
    if (url !== undefined) parts.url = url.href;
  }
  if (body.headers !== undefined) {
    const headers = body.headers.flatMap((item) =>
      item?.name === undefined ? [] : [{ name: item.name, value: item.value ?? '' }],
    );
    const count = faults.count;
    checkCallbackHeaders(headers, faults);
    for (const [index, { name }] of headers.entries()) {
      if (!name.toLowerCase().startsWith('webhook-')) continue;
      faults.add('not_allowed', 'must not begin with webhook-, because Roster sets these headers itself', `[${index}]`);
    }
    faults.prefix(count, 'headers');
    parts.headers = headers.map(({ name, value }) => [name, value]);
  }
  if (body.fields !== undefined) parts.columns = checkFields(body.fields, registry, rights.activities, faults);
  if (body.filter === null) parts.filter = null;
  else if (body.filter !== undefined) {
    const search = { accountId, registry, ...rights };
    const stored = await checkFilterField({ searchDb: db, now }, search, body.filter, faults);
    if (stored !== undefined) parts.filter = stored;
  }
  // New fields and a new filter were checked above.
  const kept = {
    unmasked: body.unmasked ?? before?.unmasked ?? false,
    columns: body.fields === undefined ? (before?.columns ?? []) : [],
    filter: body.filter === undefined ? (before?.filter ?? null) : null,
  };
  for (const part of partsWithoutRights(kept, registry, rights)) {
    faults.add('missing_scope', missingRights[part], part);
  }
  return parts;
}

const missingRights: Readonly<Record<GuardedPart, string>> = {
  unmasked: 'needs the permission unmasked. Send false to send masked values',
  fields: 'has derived attributes. To keep them, you need activity:read',
  filter:
    'has conditions on masked fields or on activities. To keep it, you need the permissions unmasked and activity:read',
};
