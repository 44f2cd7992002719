import { Faults, type ExportAudienceBody, type PartlyRead } from '@roster/contract';
import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { invalidRequest } from '#platform/errors/api-error.ts';
import type { Credential } from '#platform/http/authentication/credential.ts';
import { maxFaultsOfV4 } from '#platform/http/operations/generation-rules.ts';
import type { ApiKeyRequest } from '#platform/http/operations/request.ts';
import { requireSameBody } from '#pipeline/accept/acceptor.ts';
import { bodyHash } from '#pipeline/accept/body-hash.ts';
import { claimIdempotencyKey } from '#pipeline/accept/accept-store.ts';
import { checkExport } from './check-export.ts';
import { requireUnderLimits, storeExport } from './store-export.ts';

/**
 * Accepts an export: checks it, stores it, and adds the job that runs it, in one transaction.
 * Returns the `request_id`: with a repeated idempotency key, that of the first request.
 *
 * Throws `invalid_request` with every fault of the request, `idempotency_conflict`,
 * `too_many_exports`, and `storage_quota`.
 */
export async function requestExport(context: Context, request: ApiKeyRequest<ExportAudienceBody>): Promise<string> {
  const { credential, body, requestId } = request;
  const { accountId } = credential;
  return context.db.transaction().execute(async (trx) => {
    // The lock prevents the deletion of an attribute until the export that names it is stored.
    await requireLockedAccount(trx, accountId);
    const first = await firstRequest(trx, context, request);
    if (first !== undefined) return first;
    const faults = new Faults(maxFaultsOfV4);
    const checked = await checkExport(trx, context, accountId, body, faults, credential.scopes.has('activity:read'));
    if (faults.count > 0) throw invalidRequest(faults.list);
    await requireUnderLimits(trx, context, accountId);
    const { apiKeyId, author, scopes } = credential;
    const unmasked = scopes.has('unmasked');
    await storeExport(trx, context, checked, { accountId, requestId, author, apiKeyId, unmasked });
    return requestId;
  });
}

/** Adds the faults that depend on the account to a request that already has faults. */
export async function addAccountFaults(
  context: Context,
  { accountId, scopes }: Credential,
  body: PartlyRead<ExportAudienceBody>,
  faults: Faults,
): Promise<void> {
  await context.db
    .transaction()
    .execute((trx) => checkExport(trx, context, accountId, body, faults, scopes.has('activity:read')));
}

/**
 * Returns the id of the first request with the same idempotency key; undefined if this is the
 * first.
 */
async function firstRequest(
  trx: Database,
  context: Context,
  { credential, requestId, idempotencyKey: key, body }: ApiKeyRequest<ExportAudienceBody>,
): Promise<string | undefined> {
  if (key === undefined) return undefined;
  const use = { accountId: credential.accountId, operation: 'audience.export', requestId, acceptedAt: context.now() };
  const first = await claimIdempotencyKey(trx, use, { key, bodyHash: bodyHash(body) });
  return first === undefined ? undefined : requireSameBody(first);
}
