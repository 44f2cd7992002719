import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

const accounts = new Map<string, TestAccount>();
const service = await forFile(startTestService());
for (const key of ['EMAIL', 'MOBILE', 'CUSTOMER_ID'])
  accounts.set(key, await service.createAccount({ name: key, primary_key: key }));

const send = async (primaryKey: string, path: string, type: string | undefined, contacts: object[]) => {
  const { status, body } = await accounts.get(primaryKey)!.v5(path, { data: { contact_type: type, contacts } });
  return [status, ...(body.errors ?? []).map(({ code, field }: { code: string; field: string }) => `${code} ${field}`)];
};

describe('identities and the primary key', () => {
  test.each([
    ['EMAIL', 'asha@example.com', ['asha', '919812345678', 'asha@', 5]],
    ['MOBILE', '+91 98123-45678', ['asha@example.com', '12345', '-919812345678', 'abc']],
  ])('with the primary key %s, an identity that is not a valid value is refused', async (primaryKey, good, bad) => {
    const contacts = [good, ...bad].map((identity) => ({ identity }));
    const faults = bad.map((_, index) => `invalid_format data.contacts[${index + 1}].identity`);
    expect(await send(primaryKey, '/contact/create', 'identified', contacts)).toEqual([400, ...faults]);
    expect(await send(primaryKey, '/contact/update', undefined, contacts)).toEqual([400, ...faults]);
    expect(await send(primaryKey, '/contact/delete', undefined, contacts)).toEqual([400, ...faults]);
    const change = { contact_id: 1, identity: bad[0] };
    expect(await send(primaryKey, '/contact/update', undefined, [change])).toEqual([
      400,
      'invalid_format data.contacts[0].identity',
    ]);
    expect(await send(primaryKey, '/contact/create', 'identified', [{ identity: good }])).toEqual([200]);
    expect(await send(primaryKey, '/contact/create', 'anonymous', contacts)).toEqual([200]);
  });

  test('with a custom primary key, any text is a valid identity', async () => {
    expect(await send('CUSTOMER_ID', '/contact/create', 'identified', [{ identity: 'x' }, { identity: 5 }])).toEqual([
      200,
    ]);
  });
});
