import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { itemsOfPayload, withoutItems } from '#features/people/payload-items.ts';
import type { Person } from '#features/people/person.ts';
import { lockRequest, type StoredRequest } from '#features/people/request-store.ts';
import type { DecodedRequest } from '#features/people/read-requests.ts';
import { encodePayload } from '#pipeline/operations/payload.ts';
import { StoredPayload } from '#pipeline/operations/stored-payload.ts';
import { deleteFailures, deleteIdempotencyKey, refusedItems, replacePayload } from './scrub-store.ts';

/** A transaction, and the features that define the operations. */
interface OpenTransaction extends Pick<Context, 'features'> {
  readonly trx: Database;
}

/**
 * Erases the items of an applied request that name a person, and their failures. The indexes of the
 * other items and the counts do not change. Returns how many items were erased.
 *
 * A request in the queue is not changed. When it is applied, its items that name a forgotten person
 * are refused, and then erased by {@link scrubRefusedItems}.
 */
export async function scrubRequest(
  { trx, features }: OpenTransaction,
  accountId: number,
  person: Person,
  requestId: string,
): Promise<number> {
  const request = await lockRequest(trx, accountId, requestId);
  if (request === undefined) return 0;
  const payload = new StoredPayload(request.payload, request.codec).whole();
  const items = itemsOfPayload(features, request.operation, payload, person.primaryKey);
  const indexes = new Set(items.filter((item) => isTrace(person, { request, items }, item)).map(({ index }) => index));
  if (indexes.size === 0) return 0;
  await erase({ trx, features }, accountId, request, payload, indexes);
  await deleteFailures(trx, accountId, requestId, [...indexes]);
  // All items are erased, so nothing can be applied twice. The key is not needed any more, and may
  // contain an identifier of the person.
  if (indexes.size === items.length) await deleteIdempotencyKey(trx, accountId, requestId);
  return indexes.size;
}

/** Tells whether an applied request has items to erase. */
export function hasTraces(person: Person, decoded: DecodedRequest): boolean {
  return decoded.request.status !== null && (decoded.items ?? []).some((item) => isTrace(person, decoded, item));
}

/**
 * Tells whether an item names the person, or may have created the contact of the person. If a
 * request created several anonymous contacts, nothing tells which item created which contact.
 */
function isTrace(
  person: Person,
  { request }: DecodedRequest,
  item: NonNullable<DecodedRequest['items']>[number],
): boolean {
  return person.isNamedBy(item) || (item.isAnonymous && person.mayBeCreatedBy(request));
}

/**
 * Erases the items of a request that were refused because they name a forgotten person. Their
 * failures stay for operators; they contain no personal data.
 */
export async function scrubRefusedItems(
  { db, features }: Pick<Context, 'db' | 'features'>,
  accountId: number,
  requestId: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const request = await lockRequest(trx, accountId, requestId);
    const indexes = await refusedItems(trx, accountId, requestId);
    if (request === undefined || indexes.length === 0) return;
    const payload = new StoredPayload(request.payload, request.codec).whole();
    await erase({ trx, features }, accountId, request, payload, new Set(indexes));
  });
}

async function erase(
  { trx, features }: OpenTransaction,
  accountId: number,
  { requestId, operation }: StoredRequest,
  payload: object,
  indexes: ReadonlySet<number>,
): Promise<void> {
  const left = await encodePayload(withoutItems(features, operation, payload, indexes));
  await replacePayload(trx, accountId, requestId, left);
}
