import type { PayloadItem, PeopleInPayload } from '#pipeline/operations/people-in-payload.ts';
import { identifiersOf, type NamesPerson } from './identifiers.ts';

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

/** Items in an array; an erased one is null. */
export function many<Name extends string, P extends { readonly [key in Name]: readonly (NamesPerson | Erased)[] }>(
  name: Name,
  kindOf: (payload: P) => Kind,
): PeopleInPayload<P> {
  return {
    items: (payload, primaryKey) =>
      payload[name].flatMap((item, index) => (item === null ? [] : read(item, index, primaryKey, kindOf(payload)))),
    without: (payload, indexes) => ({
      ...payload,
      [name]: payload[name].map((item, index) => (indexes.has(index) ? null : item)),
    }),
  };
}

/** A single contact; null when it was erased. */
export const one: PeopleInPayload<{ readonly contact: NamesPerson | Erased }> = {
  items: ({ contact }, primaryKey) => (contact === null ? [] : [read(contact, 0, primaryKey, 'teaches')]),
  without: (payload, indexes) => (indexes.has(0) ? { ...payload, contact: null } : payload),
};

/** A request that names a contact only by its number: there is nothing in it to erase. */
export const byNumber: PeopleInPayload<{ readonly contact_id: number }> = {
  items: ({ contact_id }, primaryKey) => [read({ contact_id }, 0, primaryKey, 'finds')],
  without: (payload) => payload,
};
