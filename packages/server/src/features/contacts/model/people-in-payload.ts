import type { PayloadItem, PeopleInPayload } from '#pipeline/operations/people-in-payload.ts';
import { identifiersOf, type IdentifyingFields } from './identifiers.ts';

/** Replaces an erased item in a payload. */
type Erased = null;

function read(item: IdentifyingFields, index: number, primaryKey: string, kind: Kind): PayloadItem {
  const identifiers = identifiersOf(item, primaryKey);
  // An anonymous contact is always new, so the identity in the item finds no contact. But it is
  // personal data in the payload, so it stays among the identifiers.
  const finding =
    kind === 'anonymous' ? identifiersOf({ ...item, identity: undefined, attributes: {} }, primaryKey) : identifiers;
  return {
    index,
    show: () => item,
    identifiers,
    owner: finding[0],
    linksIdentifiers: kind === 'linksIdentifiers',
    isAnonymous: kind === 'anonymous',
  };
}

/**
 * How the identifiers of an item belong together:
 * - `linksIdentifiers`: all of them belong to one contact.
 * - `finds`: the first identifier finds a contact. The others may belong to other people.
 * - `anonymous`: they belong to a new anonymous contact.
 */
type Kind = 'linksIdentifiers' | 'finds' | 'anonymous';

/** Finds people in the items of an array. */
export function peopleInArray<
  Name extends string,
  P extends { readonly [key in Name]: readonly (IdentifyingFields | Erased)[] },
>(name: Name, kindOf: (payload: P) => Kind): PeopleInPayload<P> {
  return {
    items: (payload, primaryKey) =>
      payload[name].flatMap((item, index) => (item === null ? [] : read(item, index, primaryKey, kindOf(payload)))),
    without: (payload, indexes) => ({
      ...payload,
      [name]: payload[name].map((item, index) => (indexes.has(index) ? null : item)),
    }),
  };
}

/** Finds the person in a payload with a single contact. */
export const singlePerson: PeopleInPayload<{ readonly contact: IdentifyingFields | Erased }> = {
  items: ({ contact }, primaryKey) => (contact === null ? [] : [read(contact, 0, primaryKey, 'linksIdentifiers')]),
  without: (payload, indexes) => (indexes.has(0) ? { ...payload, contact: null } : payload),
};

/** Finds the person in a payload that has only a contact_id, in which there is nothing to erase. */
export const personById: PeopleInPayload<{ readonly contact_id: number }> = {
  items: ({ contact_id }, primaryKey) => [read({ contact_id }, 0, primaryKey, 'finds')],
  without: (payload) => payload,
};
