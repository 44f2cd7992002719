import { RequestDetail, type Scope } from '@roster/contract';
import { expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { expectShape } from './shape.ts';

const service = await forFile(startTestService());

/** Gets the first failures of a request with a new API key. */
async function failuresWith(scopes: readonly Scope[], requestId: string, account: TestAccount, query: string) {
  const { body } = await account.operator('POST', '/api-keys', { name: 'Test', scopes });
  return service.call('GET', `/admin/v1/accounts/${account.accountId}/requests/${requestId}?${query}`, {
    headers: { 'api-key': body.api_key as string },
  });
}

test('the failures of a request are counted and found by code, with the contacts that the items name', async () => {
  const account = await service.createAccount();
  const contacts = [
    { identity: 'asha@example.com', attributes: { NOT_THERE: 'x' } },
    { identity: 'omar@example.com' },
    { identity: 'mia@example.com', email: 'other@example.com' },
    { identity: `${'x'.repeat(200)}@example.com`, attributes: { NOT_THERE: 'x', NEITHER: 'y' } },
  ];
  const { request_id: id } = await account.createContacts(contacts);
  const { body } = await account.operator('GET', `/requests/${id}?failures_with_contacts=true`);
  expectShape(RequestDetail, body);
  const codes = body.failure_codes as { code: string; count: number }[];
  expect(codes[0]).toEqual({ code: 'attribute_unknown', count: 3 });
  expect(codes).toContainEqual({ code: 'identity_mismatch', count: 1 });
  expect(body.failures).toMatchObject([
    { index: 0, code: 'attribute_unknown', contact: { field: 'identity', value: 'asha@example.com' } },
    { index: 2, code: 'identity_mismatch', contact: { field: 'identity', value: 'mia@example.com' } },
    ...Array.from({ length: body.failures.length - 2 }, () => ({ index: 3 })),
  ]);

  const one = await account.operator('GET', `/requests/${id}?failures_code=identity_mismatch`);
  expect(one.body.failures).toMatchObject([{ index: 2, code: 'identity_mismatch' }]);
  expect(one.body.failures[0]).not.toHaveProperty('contact');
  // The counts are those of the whole request.
  expect(one.body.failure_codes).toEqual(codes);
  const none = await account.operator('GET', `/requests/${id}?failures_code=no_such_code`);
  expect(none.body).toMatchObject({ failures: [], failure_codes: codes, failures_next_cursor: null });
});

test('contacts need the permission contacts:read, and a masked identity is masked', async () => {
  const account = await service.createAccount({ name: 'Shop', primary_key: 'MEMBER' });
  await account.apply('/client/attribute/update', { data: [{ name: 'MEMBER', data_masking: 'full' }] });
  const { request_id: id } = await account.createContacts([
    { identity: 'M-4711', email: 'm@example.com', attributes: { NOT_THERE: 'x' } },
  ]);
  const query = 'failures_with_contacts=true';
  const refused = await failuresWith(['requests:read'], id, account, query);
  expect([refused.status, refused.body.code]).toEqual([403, 403]);
  expect(refused.body.description).toMatch(/contacts:read/);
  expect((await failuresWith(['requests:read'], id, account, '')).status).toBe(200);
  const valueWith = async (scopes: readonly Scope[]) =>
    (await failuresWith(scopes, id, account, query)).body.failures[0].contact;
  expect(await valueWith(['requests:read', 'contacts:read'])).toEqual({ field: 'identity', value: '****' });
  expect(await valueWith(['requests:read', 'contacts:read', 'unmasked'])).toEqual({
    field: 'identity',
    value: 'M-4711',
  });
});

test('the failed item of an erased person is no longer listed', async () => {
  const account = await service.createAccount();
  const contacts = [
    { identity: 'gone@example.com', attributes: { NOT_THERE: 'x' } },
    { identity: 'stays@example.com', attributes: { NOT_THERE: 'x' } },
  ];
  const { request_id: id } = await account.createContacts(contacts);
  await using _jobs = service.startJobs();
  const [gone] = await account.rows({ output: { fields: ['contact_id'], sorting: [{ field: 'contact_id' }] } });
  expect((await account.operator('DELETE', `/contacts/${String(gone!['contact_id'])}?mode=erase`)).status).toBe(200);
  await expect
    .poll(
      async () =>
        (await account.operator('GET', `/requests/${id}?failures_with_contacts=true`)).body.failures.map(
          ({ contact }: { contact?: { value: string } }) => contact?.value,
        ),
      { timeout: 20_000 },
    )
    .toEqual(['stays@example.com']);
});
