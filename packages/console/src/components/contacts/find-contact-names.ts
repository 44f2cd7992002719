import type { ContactRow } from '@roster/client';
import type { Access } from './access.ts';
import { contactIdOf, searchBody } from './contact-search.ts';

/** What people call a contact. */
export type ContactName =
  | { readonly kind: 'named'; readonly name: string }
  /** The contact has no address and no identity. */
  | { readonly kind: 'anonymous' }
  /** Its address and identity are hidden from the person. */
  | { readonly kind: 'hidden' }
  /** There is no such contact anymore. */
  | { readonly kind: 'gone' };

/** Contacts in one search. */
const perSearch = 100;
/** Milliseconds in which the contacts for one search are collected. */
const collecting = 20;
/** The fields that name a contact, the best first. */
const nameFields = ['identity', 'email', 'mobile'] as const;
/** What the API shows instead of a value that is hidden completely. */
const hidden = '****';

interface Collection {
  readonly ids: Set<number>;
  readonly names: Promise<ReadonlyMap<number, ContactName>>;
}

/** The contacts that are being collected, by account. */
const collections = new Map<number, Collection>();

/**
 * Finds the name of a contact. All names that are wanted at the same time, such as those of the
 * visible rows of a table, are found by one search.
 */
export async function findContactName(access: Access, contactId: number): Promise<ContactName> {
  let collection = collections.get(access.accountId);
  if (collection === undefined || collection.ids.size >= perSearch) {
    collection = collect(access);
    collections.set(access.accountId, collection);
  }
  collection.ids.add(contactId);
  return (await collection.names).get(contactId) ?? { kind: 'gone' };
}

function collect(access: Access): Collection {
  const ids = new Set<number>();
  const names = new Promise((resolve) => setTimeout(resolve, collecting)).then(async () => {
    if (collections.get(access.accountId)?.ids === ids) collections.delete(access.accountId);
    const condition = { id: 0, field: 'contact_id', operation: 'equals', values: [...ids] } as const;
    const filter = { connective: 'and', groups: [{ id: 0, connective: 'and', conditions: [condition] }] } as const;
    const { data } = await access.account.asApiKey.contacts.page(searchBody({ filter, fields: nameFields }, perSearch));
    return new Map(data.map((row) => [contactIdOf(row), nameOf(row)]));
  });
  return { ids, names };
}

function nameOf(row: ContactRow): ContactName {
  const values = nameFields.map((field) => row[field]).filter((value) => value != null && value !== '');
  const name = values.find((value) => value !== hidden);
  if (name !== undefined) return { kind: 'named', name: String(name) };
  return { kind: values.length === 0 ? 'anonymous' : 'hidden' };
}
