import { setImmediate } from 'node:timers/promises';
import type { Context } from '#platform/context.ts';
import type { Feature } from '#platform/feature.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { StoredPayload } from '#pipeline/operations/stored-payload.ts';
import type { Identifier } from '#features/contacts/model/identifiers.ts';
import { identifiersOfOthers, type IdentifierOwner } from './identifier-store.ts';
import { itemsOfPayload, type PersonItem } from './payload-items.ts';
import type { Person } from './person.ts';
import { failedItems, type StoredRequest } from './request-store.ts';

/** A request that may name a person, with its items. */
export interface DecodedRequest {
  readonly request: StoredRequest;
  /** The items, without erased ones; undefined if the payload cannot be read. */
  readonly items: readonly PersonItem[] | undefined;
}

/**
 * Decodes requests and returns those that may name a person. Adds the former identifiers in them to
 * the person, except identifiers that another contact has now.
 */
export async function readRequests(
  { db, features }: Pick<Context, 'db' | 'features'>,
  owner: IdentifierOwner,
  person: Person,
  requests: readonly StoredRequest[],
): Promise<DecodedRequest[]> {
  const decoded: DecodedRequest[] = [];
  for (const request of requests) {
    // Let the process do other work between two requests: a payload can have 16 MB.
    await setImmediate();
    const one = decodeRequest(features, person, request);
    if (one !== undefined) decoded.push(one);
  }
  const linking = decoded.filter(
    ({ request, items }) => request.status === 'done' && items?.some(({ linksIdentifiers }) => linksIdentifiers),
  );
  const failed = await failedItems(
    db,
    owner.accountId,
    linking.map(({ request }) => request.requestId),
  );
  const isFailed = new Set(failed.map(({ request_id, item_index }) => `${request_id} ${item_index}`));
  const applied = linking.flatMap(({ request, items = [] }) =>
    items.filter(({ index }) => !isFailed.has(`${request.requestId} ${index}`)),
  );
  await learn(db, owner, person, applied);
  return decoded;
}

/**
 * Repeats until no identifier is new, because a new identifier can reveal more items of the person.
 */
async function learn(
  db: Database,
  owner: IdentifierOwner,
  person: Person,
  items: readonly PersonItem[],
): Promise<void> {
  const refused = new Set<Identifier>();
  for (;;) {
    const fresh = items.flatMap((item) => person.learnFrom(item)).filter((identifier) => !refused.has(identifier));
    const held = fresh.length === 0 ? [] : await identifiersOfOthers(db, owner, fresh);
    for (const identifier of held) refused.add(identifier);
    person.unlearn(refused);
    if (fresh.length === 0) return;
  }
}

/** Decodes a request that may name the person. Returns undefined for a request that does not. */
function decodeRequest(
  features: readonly Feature[],
  person: Person,
  request: StoredRequest,
): DecodedRequest | undefined {
  const { operation, payload, codec } = request;
  try {
    const text = new StoredPayload(payload, codec).wholeText();
    if (!person.mayBeCreatedBy(request) && !person.mayBeIn(text)) return undefined;
    return { request, items: itemsOfPayload(features, operation, JSON.parse(text) as object, person.primaryKey) };
  } catch {
    // The payload is damaged. The request is returned, so that the caller can report it.
    return { request, items: undefined };
  }
}
