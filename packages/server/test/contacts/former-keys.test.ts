import { expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { created } from '../erasures/support.ts';

const service = await forFile(startTestService());

test('the former identities of a contact are kept until the contact is deleted', async () => {
  const { first, context } = service;
  const keys = async () => {
    const rows = await context.db
      .selectFrom('former_keys')
      .select(['contact_id', 'contact_key'])
      .orderBy('changed_at')
      .execute();
    return rows.map(({ contact_id, contact_key }) => `${contact_id} ${contact_key}`);
  };
  const update = (contact: object) => first.updateContacts([contact]);
  const id = await created(first, { identity: 'a@example.com' });
  const other = await created(first, { identity: 'other@example.com' });
  await update({ contact_id: id, attributes: { CITY: 'Ulm' } });
  expect(await keys()).toEqual([]);
  await update({ contact_id: id, identity: 'b@example.com' });
  await update({ contact_id: id, identity: 'c@example.com' });
  await update({ contact_id: other, identity: 'a@example.com' });
  expect(await keys()).toEqual([`${id} a@example.com`, `${id} b@example.com`, `${other} other@example.com`]);
  // The contact takes a former identity again and gives it up again. It is kept once.
  await update({ contact_id: id, identity: 'b@example.com' });
  await update({ contact_id: id, identity: 'c@example.com' });
  expect((await keys()).filter((key) => key === `${id} b@example.com`)).toHaveLength(1);
  await first.apply('/contact/delete', { data: { contacts: [{ contact_id: id }] } });
  expect(await keys()).toEqual([`${other} other@example.com`]);
  // An anonymous contact has no former identity.
  await first.apply('/contact/create', { data: { contact_type: 'anonymous', contacts: [{ mobile: '919812345678' }] } });
  await update({ mobile: '919812345678', identity: 'd@example.com' });
  expect(await keys()).toEqual([`${other} other@example.com`]);
});
