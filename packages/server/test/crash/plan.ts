import { attributesAt, listsAt, type ContactState, type OwnedContact } from './contact-model.ts';
import type { Random } from './random.ts';

/** How many contacts a request creates, updates and deletes. */
interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

/** A request that a writer is going to send, and its effects when it is applied. */
export interface Plan {
  readonly path: '/contact/create' | '/contact/update' | '/contact/delete';
  readonly body: object;
  /**
   * The request is repeated with this key until it is answered. Without a key, an unanswered
   * request is not repeated.
   */
  readonly idempotencyKey: string | undefined;
  /** The contacts that the request names, with their states before and after it. */
  readonly changes: ReadonlyMap<OwnedContact, { readonly before: ContactState; readonly after: ContactState }>;
  /** Values of MARK, one for each anonymous contact that the request creates. */
  readonly markers: readonly string[];
  readonly counts: Counts;
}

/** The choices from which a plan is made. */
export interface PlanMaterial {
  readonly random: Random;
  /** The contacts of the writer whose state is certain. */
  readonly contacts: readonly OwnedContact[];
  /** Identifiers of the two lists. */
  readonly lists: readonly [number, number];
  /** Returns a different text on every call. */
  readonly uniqueText: () => string;
}

// Most requests are small, as in production. The large ones carry most of the contacts.
const batchSizes = [1, 1, 1, 1, 2, 5, 20, 60, 200];
const keyedShare = 0.3;

/**
 * Chooses the next request of a writer. Returns undefined when the writer has no contact left to
 * send.
 */
export function nextPlan(material: PlanMaterial): Plan | undefined {
  const { random, contacts } = material;
  const size = random.pick(batchSizes);
  const dice = random.integer(1, 100);
  const existing = contacts.filter((contact) => contact.state.exists);
  if (dice <= 8) return anonymousPlan(material);
  if (dice <= 14 && existing.length > 0) return deletePlan(material, random.sample(existing, Math.min(size, 20)));
  if (dice <= 55 && existing.length > 0) return upsertPlan(material, '/contact/update', random.sample(existing, size));
  // A create can add memberships, but not remove any.
  const creatable = contacts.filter(({ state }) => !state.exists || onlyAdds(state.sequence));
  if (creatable.length > 0) return upsertPlan(material, '/contact/create', random.sample(creatable, size));
  return existing.length > 0 ? upsertPlan(material, '/contact/update', random.sample(existing, size)) : undefined;
}

function anonymousPlan({ random, lists, uniqueText }: PlanMaterial): Plan {
  const markers = Array.from({ length: random.integer(1, 5) }, uniqueText);
  const contacts = markers.map((marker) => ({
    attributes: { MARK: marker },
    audience_details: [{ audience_id: lists[0], audience_type: 'list' }],
  }));
  return {
    path: '/contact/create',
    body: { data: { contact_type: 'anonymous', contacts } },
    idempotencyKey: random.chance(keyedShare) ? uniqueText() : undefined,
    changes: new Map(),
    markers,
    counts: { created: markers.length, updated: 0, deleted: 0 },
  };
}

function deletePlan({ random, uniqueText }: PlanMaterial, batch: readonly OwnedContact[]): Plan {
  return {
    path: '/contact/delete',
    body: { data: { contacts: batch.map((contact) => finderOf(contact, random)) } },
    idempotencyKey: random.chance(keyedShare) ? uniqueText() : undefined,
    changes: new Map(
      batch.map((contact) => [
        contact,
        { before: contact.state, after: { exists: false, sequence: contact.state.sequence + 1 } },
      ]),
    ),
    markers: [],
    counts: { created: 0, updated: 0, deleted: batch.length },
  };
}

function upsertPlan(
  { random, lists, uniqueText }: PlanMaterial,
  path: '/contact/create' | '/contact/update',
  batch: readonly OwnedContact[],
): Plan {
  const changes = new Map<OwnedContact, { before: ContactState; after: ContactState }>();
  const counts = { created: 0, updated: 0, deleted: 0 };
  const items: object[] = [];
  const add = (contact: OwnedContact): void => {
    const { before, after: now } = changes.get(contact) ?? { before: contact.state, after: contact.state };
    const after = { exists: true, sequence: now.sequence + 1 };
    const finder = path === '/contact/update' ? finderOf(contact, random) : { identity: contact.identity };
    items.push({
      ...finder,
      attributes: attributesAt(contact.identity, after.sequence),
      ...membershipChange(now, after.sequence, lists),
    });
    changes.set(contact, { before, after });
    counts[now.exists ? 'updated' : 'created']++;
  };
  for (const contact of batch) add(contact);
  // The same contact twice in one request: the service merges the items in order.
  const [first] = batch as [OwnedContact];
  const mayRepeat = path === '/contact/update' || onlyAdds(changes.get(first)!.after.sequence);
  if (mayRepeat && random.chance(0.15)) add(first);
  return {
    path,
    body: { data: { ...(path === '/contact/create' ? { contact_type: 'identified' } : {}), contacts: items } },
    idempotencyKey: random.chance(keyedShare) ? uniqueText() : undefined,
    changes,
    markers: [],
    counts,
  };
}

/** How a request names an existing contact. */
function finderOf({ contactId, identity }: OwnedContact, random: Random): object {
  if (contactId !== undefined && random.chance(0.3)) return { contact_id: contactId };
  // The primary key is EMAIL, so letter case does not matter.
  return { identity: random.chance(0.1) ? identity.toUpperCase() : identity };
}

/** Whether the request after this number removes no membership. */
function onlyAdds(sequence: number): boolean {
  return listsAt(sequence).every((list) => listsAt(sequence + 1).includes(list));
}

function membershipChange(now: ContactState, next: number, lists: readonly [number, number]): object {
  const before = now.exists ? listsAt(now.sequence) : [];
  const after = listsAt(next);
  const details = [0, 1].flatMap((list) => {
    if (before.includes(list) === after.includes(list)) return [];
    return [
      { audience_id: [lists[list]], audience_type: 'list', ...(after.includes(list) ? {} : { action: 'remove' }) },
    ];
  });
  return details.length === 0 ? {} : { audience_details: details };
}
