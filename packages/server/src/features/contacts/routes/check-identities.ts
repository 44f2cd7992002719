import type { CreateContactsBody, DeleteContactsBody, Faults, PartlyRead, UpdateContactsBody } from '@roster/contract';
import { contactKey } from '../model/identity.ts';

const forms: Readonly<Record<string, string>> = {
  EMAIL: 'must be an e-mail address such as asha@example.com, because EMAIL is the primary key of the account',
  MOBILE: 'must be a mobile number such as 919812345678, because MOBILE is the primary key of the account',
};

/**
 * Adds a fault for every identity that cannot be a value of the primary key. They are refused at
 * once because the caller may never see failures of the asynchronous request.
 *
 * When anonymous contacts are created, their identities are ignored.
 */
export function checkIdentities(
  body: PartlyRead<CreateContactsBody | UpdateContactsBody | DeleteContactsBody>,
  { operation, primaryKey }: { readonly operation: string; readonly primaryKey: string },
  faults: Faults,
): void {
  const form = forms[primaryKey];
  const data = body.data as PartlyRead<CreateContactsBody['data']> | undefined;
  if (form === undefined || data === undefined) return;
  if (operation === 'contact.create' && data.contact_type !== 'identified') return;
  for (const [index, item] of (data.contacts ?? []).entries()) {
    if (faults.full) return;
    if (item?.identity !== undefined && contactKey(primaryKey, item.identity) === undefined) {
      faults.add('invalid_format', form, `data.contacts[${index}].identity`);
    }
  }
}
