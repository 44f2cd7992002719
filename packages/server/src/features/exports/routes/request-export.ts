import { randomBytes } from 'node:crypto';
import { Faults, type ExportAudienceBody, type PartlyRead } from '@roster/contract';
import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError, invalidRequest } from '#platform/errors/api-error.ts';
import type { Credential } from '#platform/http/authentication/credential.ts';
import { maxFaultsOfV4 } from '#platform/http/operations/generation-rules.ts';
import type { ApiKeyRequest } from '#platform/http/operations/request.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { requireSameBody } from '#pipeline/accept/acceptor.ts';
import { bodyHash } from '#pipeline/accept/body-hash.ts';
import { claimIdempotencyKey } from '#pipeline/accept/accept-store.ts';
import { checkExport, type CheckedExport } from './check-export.ts';
import { countUnfinishedExports, insertExport } from '../store/export-store.ts';

/** Maximum attempts of an export. They take about half an hour together. */
const maxRuns = 8;
/** In seconds. Most exports end sooner. */
const retryAfter = 60;

/**
 * Accepts an export: checks it, stores it, and adds the job that runs it, in one transaction.
 * Returns the `request_id`: with a repeated idempotency key, that of the first request.
 *
 * Throws `invalid_request` with every fault of the request, `idempotency_conflict`, and
 * `too_many_exports`.
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
    const checked = await checkExport(trx, context, accountId, body, faults);
    if (faults.count > 0) throw invalidRequest(faults.list);
    await requireUnderLimit(trx, context, accountId);
    await storeExport(trx, context, request, checked);
    return requestId;
  });
}

/** Adds the faults that depend on the account to a request that already has faults. */
export async function addAccountFaults(
  context: Context,
  { accountId }: Credential,
  body: PartlyRead<ExportAudienceBody>,
  faults: Faults,
): Promise<void> {
  await context.db.transaction().execute((trx) => checkExport(trx, context, accountId, body, faults));
}

/**
 * Throws `too_many_exports` if the account has too many unfinished exports. Exports of all accounts
 * run in one order, so an account with many exports would delay the others. The caller must hold
 * the lock of the account.
 */
async function requireUnderLimit(trx: Database, { config }: Context, accountId: number): Promise<void> {
  const limit = config.exportsPerAccount;
  if ((await countUnfinishedExports(trx, accountId)) < limit) return;
  throw new ApiError('too_many_exports', { params: { limit }, headers: { 'retry-after': String(retryAfter) } });
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

async function storeExport(
  trx: Database,
  context: Context,
  { credential, requestId }: ApiKeyRequest<ExportAudienceBody>,
  { callback, ...checked }: CheckedExport,
): Promise<void> {
  const { accountId, apiKeyId, author } = credential;
  if (apiKeyId === undefined) throw new Error('only API keys use this operation');
  const unmasked = credential.scopes.has('unmasked');
  await insertExport(trx, {
    ...checked,
    callback,
    account_id: accountId,
    request_id: requestId,
    api_key_id: apiKeyId,
    unmasked,
    secret: randomBytes(32),
    accepted_at: context.now(),
  });
  const job = { account_id: accountId, request_id: requestId };
  await addJob(trx, 'export', job, { key: requestId, maxAttempts: maxRuns });
  const { audience_type, audience_id, columns, blocklist_type } = checked;
  await writeAudit(trx, context, {
    accountId,
    actor: author,
    action: 'export.create',
    subject: `export:${requestId}`,
    details: { audience_type, audience_id, attributes: columns.map(({ name }) => name), blocklist_type, unmasked },
  });
}
