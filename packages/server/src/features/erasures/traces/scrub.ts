import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { itemsOfPayload, withoutItems } from '#features/people/payload-items.ts';
import type { Person } from '#features/people/person.ts';
import { lockRequest, type KeptRequest } from '#features/people/request-store.ts';
import type { ReadRequest } from '#features/people/traces.ts';
import { decodePayload, encodePayload } from '#pipeline/operations/payload.ts';
import { deleteFailures, deleteIdempotencyKey, refusedItems, replacePayload } from './scrub-store.ts';

/** A transaction, and the features that know the operations. */
interface OpenTransaction extends Pick<Context, 'features'> {
  readonly trx: Database;
}

/**
 * Erases what a request that was applied says of a person: those of its items that name them, and the failures of these. The other items keep
 * their indexes, and the counts stay. Answers how many items were erased.
 *
 * Requests that wait are left as they are: what they say of somebody who is forgotten is refused when they are applied, and erased then
 * ({@link eraseRefused}).
 */
export async function scrubRequest(
  { trx, features }: OpenTransaction,
  accountId: number,
  person: Person,
  requestId: string,
): Promise<number> {
  const request = await lockRequest(trx, accountId, requestId);
  if (request === undefined) return 0;
  const payload = await payloadOf(request);
  const items = itemsOfPayload(features, request.operation, payload, person.primaryKey);
  const indexes = new Set(items.filter((item) => isTrace(person, { request, items }, item)).map(({ index }) => index));
  if (indexes.size === 0) return 0;
  await erase({ trx, features }, accountId, request, payload, indexes);
  await deleteFailures(trx, accountId, requestId, [...indexes]);
  // Nothing is left that a repeat of the request could be right to skip, and the key may have been made of what is erased.
  if (indexes.size === items.length) await deleteIdempotencyKey(trx, accountId, requestId);
  return indexes.size;
}

/** True when a request that was read has something to erase. */
export function hasTraces(person: Person, read: ReadRequest): boolean {
  return read.request.status !== null && (read.items ?? []).some((item) => isTrace(person, read, item));
}

/** An item that names the person, or may have made their contact: among anonymous ones of one moment, nobody can tell which did. */
function isTrace(person: Person, { request }: ReadRequest, item: NonNullable<ReadRequest['items']>[number]): boolean {
  return person.isNamedBy(item) || (item.isAnonymous && person.mayStem(request.operation, request.acceptedAt));
}

/**
 * Erases those items of a request that were refused because they are about somebody who is forgotten: what is refused is not kept either.
 * Their failures stay, for operators to see; they say nothing of the person.
 */
export async function eraseRefused(
  { db, features }: Pick<Context, 'db' | 'features'>,
  accountId: number,
  requestId: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const request = await lockRequest(trx, accountId, requestId);
    const indexes = await refusedItems(trx, accountId, requestId);
    if (request === undefined || indexes.length === 0) return;
    await erase({ trx, features }, accountId, request, await payloadOf(request), new Set(indexes));
  });
}

async function payloadOf({ payload, codec }: KeptRequest): Promise<object> {
  return decodePayload(payload, codec);
}

async function erase(
  { trx, features }: OpenTransaction,
  accountId: number,
  { requestId, operation }: KeptRequest,
  payload: object,
  indexes: ReadonlySet<number>,
): Promise<void> {
  const left = await encodePayload(withoutItems(features, operation, payload, indexes));
  await replacePayload(trx, accountId, requestId, left);
}
