import type { AccountOperator, NewContact } from '@roster/client';
import type { TypedValue } from '#components/inputs/typed-value-input.tsx';
import { contactIdOf } from '#components/contacts/contact-search.ts';

/** What a person enters for a new contact. */
export interface ContactDraft {
  /** The value of the primary key. */
  readonly identity: string;
  readonly email: string;
  readonly mobile: string;
  readonly attributes: Readonly<Record<string, TypedValue>>;
  /** Ids of lists, as texts. */
  readonly lists: readonly string[];
}

/** The draft with which the dialog begins. */
export const emptyContact: ContactDraft = { identity: '', email: '', mobile: '', attributes: {}, lists: [] };

/** Returns the contact to create. Empty fields are left out, so they clear nothing. */
export function newContactOf({ identity, email, mobile, attributes, lists }: ContactDraft): NewContact {
  const values = Object.entries(attributes).filter(([, value]) => value !== null);
  return {
    identity: identity.trim(),
    ...(email.trim() !== '' && { email: email.trim() }),
    ...(mobile.trim() !== '' && { mobile: mobile.trim() }),
    ...(values.length > 0 && { attributes: Object.fromEntries(values) }),
    ...(lists.length > 0 && { audience_details: [{ audience_id: lists.map(Number), audience_type: 'list' }] }),
  };
}

/** Returns the id of the contact that has an identity; undefined if none has it. */
export async function findByIdentity(account: AccountOperator, identity: string): Promise<number | undefined> {
  const condition = { field: 'identity', operation: 'equals', value: [identity.trim()] } as const;
  const { data } = await account.asApiKey.contacts.page({
    filtering_criteria: [{ condition_details: [condition] }],
    output: { fields: ['contact_id'], pagination: { limit: 1 } },
  });
  return data[0] === undefined ? undefined : contactIdOf(data[0]);
}

/** The input that a fault of the request or a failure of its item concerns. */
export function inputOf(field: string | undefined): string {
  // A path such as `data.contacts[0].attributes.CITY`, or the name of a field.
  const name = field?.split('.').at(-1) ?? '';
  return /^(EMAIL|MOBILE)$/.test(name) ? name.toLowerCase() : name;
}
