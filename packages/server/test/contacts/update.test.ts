import { beforeEach, describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

let account: TestAccount;
const service = await forFile(startTestService());

async function create(contacts: unknown[], contactType = 'identified') {
  return account.apply('/contact/create', { data: { contact_type: contactType, contacts } });
}
function update(contacts: unknown, contactType?: string) {
  return account.apply('/contact/update', {
    data: { ...(contactType === undefined ? {} : { contact_type: contactType }), contacts },
  });
}
async function findOne(field: string, value: unknown): Promise<Record<string, unknown>> {
  const rows = await account.rows({
    filtering_criteria: [{ condition_details: [{ field, operation: 'equals', value }] }],
    output: {
      fields: [
        'contact_id',
        'identity',
        'EMAIL',
        'MOBILE',
        'contact_type',
        'CITY',
        'list_id',
        'email_opted_out',
        'sms_opted_out',
      ],
    },
  });
  expect(rows).toHaveLength(1);
  return rows[0]!;
}
const codes = (request: { failures: { index: number; code: string; field: string | null }[] }) =>
  request.failures.map((failure) => [failure.index, failure.code, failure.field]);

describe('finding the contact to update', () => {
  beforeEach(async () => {
    account = await service.createAccount({ name: 'Update', primary_key: 'CUSTOMER_ID' });
    await create([
      { identity: 'C1', email: 'One@example.com', mobile: '1111111' },
      { identity: 'C2', email: 'shared@example.com', mobile: '2222222' },
      { identity: 'C3', email: 'shared@example.com', mobile: '2222222' },
    ]);
  });

  test('the first of contact_id, identity, email and mobile that is given finds the contact; the others are new values', async () => {
    const { contact_id: contactId } = await findOne('identity', 'C1');
    const request = await update([
      { contact_id: contactId, email: 'new@example.com', mobile: '3333333' },
      { email: 'NEW@example.com', mobile: '4444444', attributes: { CITY: 'Pune' } },
      { mobile: '+444 4444', attributes: { CITY: 'Goa' } },
    ]);
    expect(request.counts).toMatchObject({ total: 3, updated: 3, failed: 0 });
    expect(await findOne('identity', 'C1')).toMatchObject({ EMAIL: 'new@example.com', MOBILE: '4444444', CITY: 'Goa' });
  });

  test('an item that matches no contact fails, and so does one that matches several', async () => {
    const request = await update([
      { identity: 'C9', attributes: { CITY: 'x' } },
      { email: 'shared@example.com', attributes: { CITY: 'x' } },
      { mobile: '2222222', attributes: { CITY: 'x' } },
      { contact_id: 123_456_789, attributes: { CITY: 'x' } },
    ]);
    expect(request.counts).toMatchObject({ updated: 0, failed: 4 });
    expect(codes(request)).toEqual([
      [0, 'contact_not_found', 'identity'],
      [1, 'contact_ambiguous', 'email'],
      [2, 'contact_ambiguous', 'mobile'],
      [3, 'contact_not_found', 'contact_id'],
    ]);
  });

  test('a shared email finds one contact after the others change it in the same request', async () => {
    const request = await update([
      { identity: 'C2', email: 'own@example.com' },
      { email: 'shared@example.com', attributes: { CITY: 'left' } },
    ]);
    expect(request.counts).toMatchObject({ updated: 2 });
    expect(await findOne('CITY', 'left')).toMatchObject({ identity: 'C3' });
  });

  test('a contact with a new identity keeps its contact_id, and the identity must not be taken', async () => {
    const { contact_id: contactId } = await findOne('identity', 'C1');
    const request = await update([
      { contact_id: contactId, identity: 'C2' },
      { contact_id: contactId, identity: 'C7', attributes: { CUSTOMER_ID: 'C8' } },
      { contact_id: contactId, identity: 'C7' },
      { identity: 'C1', attributes: { CITY: 'x' } },
      { identity: 'C7', attributes: { CITY: 'moved' } },
    ]);
    expect(codes(request)).toEqual([
      [0, 'identity_taken', 'identity'],
      [1, 'identity_mismatch', 'attributes.CUSTOMER_ID'],
      [3, 'contact_not_found', 'identity'],
    ]);
    expect(await findOne('contact_id', contactId)).toMatchObject({ identity: 'C7', CITY: 'moved' });
    // The former identity can be used again.
    expect((await create([{ identity: 'C1' }])).counts).toMatchObject({ created: 1 });
  });
});

describe('updates with the primary key EMAIL', () => {
  test('a new email is a new identity; the two must be equal, and the email cannot be cleared', async () => {
    account = await service.createAccount();
    await create([{ identity: 'a@example.com' }, { identity: 'b@example.com' }]);
    const { contact_id: contactId } = await findOne('identity', 'a@example.com');
    const request = await update([
      { contact_id: contactId, email: 'b@example.com' },
      { identity: 'a@example.com', email: 'c@example.com' },
      { contact_id: contactId, email: null },
      { contact_id: contactId, email: 'New@example.com' },
    ]);
    expect(codes(request)).toEqual([
      [0, 'identity_taken', 'identity'],
      [1, 'identity_mismatch', 'email'],
      [2, 'identity_mismatch', 'email'],
    ]);
    expect(await findOne('contact_id', contactId)).toMatchObject({
      identity: 'new@example.com',
      EMAIL: 'New@example.com',
    });
  });
});

describe('contact types in an update', () => {
  beforeEach(async () => {
    account = await service.createAccount();
  });

  test('an anonymous contact that gets an identity becomes identified', async () => {
    await create([{ mobile: '5555555' }, { mobile: '6666666' }], 'anonymous');
    await create([{ identity: 'taken@example.com' }]);
    const { contact_id: contactId } = await findOne('mobile', '5555555');
    const { contact_id: other } = await findOne('mobile', '6666666');
    const request = await update([
      { contact_id: other, identity: 'taken@example.com' },
      { contact_id: contactId, identity: 'known@example.com' },
    ]);
    expect(codes(request)).toEqual([[0, 'identity_taken', 'identity']]);
    expect(await findOne('contact_id', contactId)).toMatchObject({
      identity: 'known@example.com',
      EMAIL: 'known@example.com',
      MOBILE: '5555555',
      contact_type: 'identified',
    });
  });

  test('an email opt-out blacklists a contact, an opt-in restores its type, and sms does neither', async () => {
    await create([{ identity: 'a@example.com' }]);
    await create([{ mobile: '7777777' }], 'anonymous');
    await update([{ identity: 'a@example.com', subscriptions: { sms: false } }]);
    expect(await findOne('identity', 'a@example.com')).toMatchObject({
      contact_type: 'identified',
      sms_opted_out: true,
    });
    await update([
      { identity: 'a@example.com', subscriptions: { email: false } },
      { mobile: '7777777', subscriptions: { email: false } },
    ]);
    expect(await findOne('identity', 'a@example.com')).toMatchObject({
      contact_type: 'blacklisted',
      email_opted_out: true,
    });
    // Blacklisted contacts still accept new values, and a create does not change their type.
    await create([{ identity: 'a@example.com', attributes: { CITY: 'Pune' } }]);
    expect(await findOne('identity', 'a@example.com')).toMatchObject({ contact_type: 'blacklisted', CITY: 'Pune' });
    await update([
      { identity: 'a@example.com', subscriptions: { email: true } },
      { mobile: '7777777', subscriptions: { email: true } },
    ]);
    expect(await findOne('identity', 'a@example.com')).toMatchObject({
      contact_type: 'identified',
      email_opted_out: false,
    });
    expect(await findOne('mobile', '7777777')).toMatchObject({ contact_type: 'anonymous' });
  });

  test('a change of type that is not allowed is refused, and the contact stays unchanged', async () => {
    const setUp: Record<string, () => Promise<unknown>> = {
      identified: () => create([{ identity: 'a@example.com' }]),
      blacklisted: () => update([{ identity: 'a@example.com', subscriptions: { email: false } }]),
    };
    for (const [type, prepare] of Object.entries(setUp)) {
      await prepare();
      for (const wanted of ['anonymous', 'identified', 'unconfirmed', 'confirmed', 'blacklisted']) {
        const city = `${type} to ${wanted}`;
        const request = await update([{ identity: 'a@example.com', attributes: { CITY: city } }], wanted);
        const after = await findOne('identity', 'a@example.com');
        expect(after['contact_type']).toBe(type);
        if (wanted === type) expect(after['CITY']).toBe(city);
        else {
          expect(codes(request)).toEqual([[0, 'contact_type_refused', 'contact_type']]);
          expect(after['CITY']).not.toBe(city);
        }
      }
    }
  });
});

describe('lists in an update', () => {
  test('contacts join and leave lists in order, and the member counts are exact', async () => {
    account = await service.createAccount();
    const [a, b] = await Promise.all(['A', 'B'].map((name) => account.createList(name)));
    const counts = async () =>
      Promise.all(
        [a, b].map(async (id) => (await account.operator('GET', `/lists/${id}`)).body.member_count as number),
      );
    await create([
      { identity: 'x@example.com', audience_details: { audience_id: String(a), audience_type: 'LIST' } },
      { identity: 'y@example.com', audience_details: [{ audience_id: [a, b] }] },
    ]);
    expect(await counts()).toEqual([2, 1]);
    const request = await update([
      { identity: 'x@example.com', audience_details: [{ audience_id: a, action: 'remove' }, { audience_id: b }] },
      {
        identity: 'y@example.com',
        audience_details: [
          { audience_id: [a, b], action: 'remove' },
          { audience_id: 77, action: 'remove' },
        ],
      },
    ]);
    expect(request.counts).toMatchObject({ updated: 2, warnings: 1 });
    expect((await findOne('identity', 'x@example.com'))['list_id']).toEqual([b]);
    expect((await findOne('identity', 'y@example.com'))['list_id']).toEqual([]);
    expect(await counts()).toEqual([0, 1]);
    await account.apply('/contact/delete', {
      data: { contacts: [{ identity: 'x@example.com', audience_details: [{ audience_id: b }] }] },
    });
    expect(await counts()).toEqual([0, 0]);
  });
});

describe('deleting contacts', () => {
  test('a delete finds contacts by any identifier, and deletes no others', async () => {
    account = await service.createAccount();
    await create(
      ['a', 'b', 'c', 'd', 'e'].map((name, n) => ({ identity: `${name}@example.com`, mobile: `777777${n}` })),
    );
    const { contact_id: contactId } = await findOne('identity', 'a@example.com');
    const request = await account.apply('/contact/delete', {
      data: {
        contacts: [
          { contact_id: contactId },
          { identity: 'B@example.com' },
          { email: 'C@Example.com' },
          { mobile: 7_777_773 },
          { identity: 'nobody@example.com' },
          { identity: 'b@example.com' },
        ],
      },
    });
    expect(request.counts).toMatchObject({ total: 6, deleted: 4, failed: 2 });
    expect(codes(request)).toEqual([
      [4, 'contact_not_found', 'identity'],
      [5, 'contact_not_found', 'identity'],
    ]);
    expect(await account.rows({ output: { fields: ['EMAIL'] } })).toEqual([{ EMAIL: 'e@example.com' }]);
  });

  test('a contact that is deleted and created again is a new contact', async () => {
    account = await service.createAccount();
    await create([{ identity: 'a@example.com', attributes: { CITY: 'Pune' } }]);
    const before = await findOne('identity', 'a@example.com');
    await account.v5('/contact/delete', { data: { contacts: [{ identity: 'a@example.com' }] } });
    await create([{ identity: 'a@example.com' }]);
    const after = await findOne('identity', 'a@example.com');
    expect(after['CITY']).toBeNull();
    expect(after['contact_id']).not.toBe(before['contact_id']);
  });
});
