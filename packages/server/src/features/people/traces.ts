import type { Context } from '#platform/context.ts';
import type { Feature } from '#platform/feature.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { payloadText } from '#pipeline/operations/payload.ts';
import type { Identifier } from '#features/contacts/model/identifiers.ts';
import { heldByOthers, type IdentifierOwner } from './identifier-store.ts';
import { itemsOfPayload, type PersonItem } from './payload-items.ts';
import type { Person } from './person.ts';
import { failedItems, type KeptRequest } from './request-store.ts';

/** A request that may say something about a person. */
export interface ReadRequest {
  readonly request: KeptRequest;
  /** Its items that are left; undefined when the payload cannot be read. */
  readonly items: readonly PersonItem[] | undefined;
}

/**
 * Reads those of some requests that may say something about a person, and lets the person learn from them what else it was known by. An
 * identifier that another contact has now is not learned.
 */
export async function readRequests(
  { db, features }: Pick<Context, 'db' | 'features'>,
  owner: IdentifierOwner,
  person: Person,
  requests: readonly KeptRequest[],
): Promise<ReadRequest[]> {
  const read: ReadRequest[] = [];
  for (const request of requests) {
    const one = await readRequest(features, person, request);
    if (one !== undefined) read.push(one);
  }
  const teaching = read.filter(
    ({ request, items }) => request.status === 'done' && items?.some(({ teaches }) => teaches),
  );
  const failed = await failedItems(
    db,
    owner.accountId,
    teaching.map(({ request }) => request.requestId),
  );
  const isFailed = new Set(failed.map(({ request_id, item_index }) => `${request_id} ${item_index}`));
  const applied = teaching.flatMap(({ request, items = [] }) =>
    items.filter(({ index }) => !isFailed.has(`${request.requestId} ${index}`)),
  );
  await learn(db, owner, person, applied);
  return read;
}

/** What one teaches can show that another is about the same person. */
async function learn(
  db: Database,
  owner: IdentifierOwner,
  person: Person,
  items: readonly PersonItem[],
): Promise<void> {
  const refused = new Set<Identifier>();
  for (;;) {
    const fresh = items.flatMap((item) => person.learnFrom(item)).filter((identifier) => !refused.has(identifier));
    const held = fresh.length === 0 ? [] : await heldByOthers(db, owner, fresh);
    for (const identifier of held) refused.add(identifier);
    person.unlearn(refused);
    if (fresh.length === 0) return;
  }
}

/** A request whose payload names the person somewhere; undefined for most. */
async function readRequest(
  features: readonly Feature[],
  person: Person,
  request: KeptRequest,
): Promise<ReadRequest | undefined> {
  const { operation, payload, codec, acceptedAt } = request;
  try {
    const text = await payloadText(payload, codec);
    if (!person.mayStem(operation, acceptedAt) && !person.mayBeIn(text)) return undefined;
    return { request, items: itemsOfPayload(features, operation, JSON.parse(text) as object, person.primaryKey) };
  } catch {
    // Nobody can tell what is in it.
    return { request, items: undefined };
  }
}
