import { shownRecord, type LoggedRecords } from '#features/activities/record/logged-record.ts';
import type { Operation, Payloads } from '#pipeline/operations/payload.ts';
import { identifiersOf, type Identifier, type NamesPerson } from '#features/contacts/model/identifiers.ts';

/** One item of a stored request, as far as it concerns people. */
export interface PayloadItem {
  /** Index of the item in its request. */
  readonly index: number;
  /** The item, as it is shown to people. */
  readonly show: () => object;
  /** All that it names people by. */
  readonly identifiers: readonly Identifier[];
  /** What finds its contact; undefined for a new anonymous contact without an address. */
  readonly owner: Identifier | undefined;
  /** Once applied, all of its identifiers were those of one contact: what it changes beside what finds the contact are new values. */
  readonly teaches: boolean;
  /** It makes a contact that nothing may name. */
  readonly isAnonymous: boolean;
}

/** How the items of one operation lie in its payload. */
interface Layout<P> {
  items(payload: P, primaryKey: string): PayloadItem[];
  /** The payload without what the items of some indexes say; the others keep their indexes. */
  without(payload: P, indexes: ReadonlySet<number>): object;
}

/** An item that was erased. */
type Erased = null;

function read(item: NamesPerson, index: number, primaryKey: string, kind: Kind): PayloadItem {
  const identifiers = identifiersOf(item, primaryKey);
  // The identity of an anonymous contact is ignored when it is created, so that it finds nobody; it is there all the same.
  const finding =
    kind === 'anonymous' ? identifiersOf({ ...item, identity: undefined, attributes: {} }, primaryKey) : identifiers;
  return {
    index,
    show: () => item,
    identifiers,
    owner: finding[0],
    teaches: kind === 'teaches',
    isAnonymous: kind === 'anonymous',
  };
}

/** Whether the identifiers of an item were all given to one contact, some only found it, or it made an anonymous one. */
type Kind = 'teaches' | 'finds' | 'anonymous';

/** Items in an array. */
function many<Name extends string, P extends { readonly [key in Name]: readonly (NamesPerson | Erased)[] }>(
  name: Name,
  kindOf: (payload: P) => Kind,
): Layout<P> {
  return {
    items: (payload, primaryKey) =>
      payload[name].flatMap((item, index) => (item === null ? [] : read(item, index, primaryKey, kindOf(payload)))),
    without: (payload, indexes) => ({
      ...payload,
      [name]: payload[name].map((item, index) => (indexes.has(index) ? null : item)),
    }),
  };
}

/** A single contact. */
const one: Layout<{ readonly contact: NamesPerson | Erased }> = {
  items: ({ contact }, primaryKey) => (contact === null ? [] : [read(contact, 0, primaryKey, 'teaches')]),
  without: (payload, indexes) => (indexes.has(0) ? { ...payload, contact: null } : payload),
};

/** A request that names a contact by its number alone: there is nothing in it to erase. */
const byNumber: Layout<{ readonly contact_id: number }> = {
  items: ({ contact_id }, primaryKey) => [read({ contact_id }, 0, primaryKey, 'finds')],
  without: (payload) => payload,
};

const recordItems = many<'records', LoggedRecords>('records', () => 'finds');

/** Records of activities, which people see without the number that stands for the sender's `id`. */
const activities: Layout<LoggedRecords> = {
  ...recordItems,
  items: (payload, primaryKey) =>
    recordItems.items(payload, primaryKey).map((item) => ({
      ...item,
      show: () => shownRecord(payload.records[item.index]!),
    })),
};

/** A request that has nothing to do with people. */
const nobody: Layout<object> = { items: () => [], without: (payload) => payload };

const layouts: { readonly [O in Operation]: Layout<Payloads[O]> } = {
  'contact.create': many('contacts', ({ contact_type }) => (contact_type === 'anonymous' ? 'anonymous' : 'teaches')),
  'contact.batch-add': many('contacts', () => 'teaches'),
  'contact.update': many('contacts', () => 'teaches'),
  // The first of several identifiers finds the contact, and nobody looks at the others.
  'contact.delete': many('contacts', () => 'finds'),
  'contact.sign-up': one,
  'contact.confirm': one,
  'contact.block': byNumber,
  'contact.unblock': byNumber,
  'contact.erase': byNumber,
  'activity.record': activities,
  'attribute.create': nobody,
  'attribute.update': nobody,
  'attribute.delete': nobody,
};

/** The operations whose requests can name people. */
export const operationsOnPeople = (Object.keys(layouts) as Operation[]).filter(
  (operation) => (layouts[operation] as Layout<never>) !== nobody,
);

/** The items of a stored request that have not been erased. */
export function itemsOfPayload(operation: Operation, payload: object, primaryKey: string): PayloadItem[] {
  return layoutOf(operation).items(payload, primaryKey);
}

/** A payload without what some of its items say. Only for a request that was applied: an erased item cannot be. */
export function withoutItems(operation: Operation, payload: object, indexes: ReadonlySet<number>): object {
  return layoutOf(operation).without(payload, indexes);
}

function layoutOf(operation: Operation): Layout<object> {
  return layouts[operation];
}
