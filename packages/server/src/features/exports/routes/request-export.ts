import { randomBytes } from 'node:crypto';
import { Faults, type ExportAudienceBody, type PartlyRead } from '@roster/contract';
import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError, invalidRequest } from '#platform/errors/api-error.ts';
import type { Credential } from '#platform/http/authentication/credential.ts';
import { mostFaultsOfV4 } from '#platform/http/operations/generation-rules.ts';
import type { ApiKeyRequest } from '#platform/http/operations/request.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { requireSameBody } from '#pipeline/accept/accept.ts';
import { bodyHash } from '#pipeline/accept/body-hash.ts';
import { rememberIdempotencyKey } from '#pipeline/accept/accept-store.ts';
import { checkExport, type CheckedExport } from './check-export.ts';
import { countUnfinishedExports, insertExport } from '../store/export-store.ts';

/** Runs before an export that fails is given up: some half an hour. */
const mostRuns = 8;
/** Seconds: most exports end in less. */
const retryAfter = 60;

/**
 * Accepts an export: checks it, stores it, and adds the job that runs it, in one transaction.
 * Returns its `request_id`, for a repeat with the same idempotency key that of the first.
 *
 * Throws `invalid_request` with every fault of the request, `idempotency_conflict`, and
 * `too_many_exports`.
 */
export async function requestExport(context: Context, request: ApiKeyRequest<ExportAudienceBody>): Promise<string> {
  const { credential, body, requestId } = request;
  const { accountId } = credential;
  return context.db.transaction().execute(async (trx) => {
    // An attribute that an unfinished export names cannot be deleted: checking and storing exclude
    // that deletion.
    await requireLockedAccount(trx, accountId);
    const first = await firstRequest(trx, context, request);
    if (first !== undefined) return first;
    const faults = new Faults(mostFaultsOfV4);
    const checked = await checkExport(trx, context, accountId, body, faults);
    if (faults.count > 0) throw invalidRequest(faults.list);
    await requireRoom(trx, context, accountId);
    await storeExport(trx, context, request, checked);
    return requestId;
  });
}

/**
 * Adds what the account reveals about a request that has faults already, so that one answer has all
 * of them.
 */
export async function findFaults(
  context: Context,
  { accountId }: Credential,
  body: PartlyRead<ExportAudienceBody>,
  faults: Faults,
): Promise<void> {
  await context.db.transaction().execute((trx) => checkExport(trx, context, accountId, body, faults));
}

/**
 * Exports run in the order of their requests: one account must not make all others wait for a queue
 * of its own. The account must be locked.
 */
async function requireRoom(trx: Database, { config }: Context, accountId: number): Promise<void> {
  const limit = config.exportsPerAccount;
  if ((await countUnfinishedExports(trx, accountId)) < limit) return;
  throw new ApiError('too_many_exports', { params: { limit }, headers: { 'retry-after': String(retryAfter) } });
}

/**
 * The request that used the idempotency key first, when there was one; otherwise this one takes it.
 */
async function firstRequest(
  trx: Database,
  context: Context,
  { credential, requestId, idempotencyKey: key, body }: ApiKeyRequest<ExportAudienceBody>,
): Promise<string | undefined> {
  if (key === undefined) return undefined;
  const use = { accountId: credential.accountId, operation: 'audience.export', requestId, acceptedAt: context.now() };
  const first = await rememberIdempotencyKey(trx, use, { key, bodyHash: bodyHash(body) });
  return first === undefined ? undefined : requireSameBody(first);
}

async function storeExport(
  trx: Database,
  context: Context,
  { credential, requestId }: ApiKeyRequest<ExportAudienceBody>,
  { callback, ...checked }: CheckedExport,
): Promise<void> {
  const { accountId, apiKeyId } = credential;
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
  await addJob(
    trx,
    'export',
    { account_id: accountId, request_id: requestId },
    { key: requestId, maxAttempts: mostRuns },
  );
  const { audience_type, audience_id, columns, blocklist_type } = checked;
  await writeAudit(trx, context, {
    accountId,
    actor: `api-key:${apiKeyId}`,
    action: 'export.create',
    subject: `export:${requestId}`,
    details: { audience_type, audience_id, attributes: columns.map(({ name }) => name), blocklist_type, unmasked },
  });
}
