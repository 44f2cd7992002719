import { expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

let now = new Date('2026-03-01T10:00:00Z');
const service = await forFile(startTestService({ now: () => now }));
const account = service.first;

const body = (city: string) => ({
  data: { contact_type: 'anonymous', contacts: [{ attributes: { CITY: city } }] },
});
const send = (key: string, city: string, path = '/contact/create') =>
  account.v5(path, body(city), { 'idempotency-key': key });
async function contacts(city: string): Promise<number> {
  await service.settled();
  const rows = await account.rows({
    filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: city }] }],
  });
  return rows.length;
}

test('the same key and body return the first request_id, and nothing new is applied', async () => {
  const first = await send('k1', 'Pune');
  await service.settled();
  const again = await send('k1', 'Pune');
  expect(again.status).toBe(200);
  expect(again.body.request_id).toBe(first.body.request_id);
  expect(await contacts('Pune')).toBe(1);
});

test('the order of the keys in a body does not matter', async () => {
  const sendAttributes = (attributes: object) =>
    account.v5(
      '/contact/create',
      { data: { contacts: { attributes }, contact_type: 'anonymous' } },
      { 'idempotency-key': 'k0' },
    );
  const first = await sendAttributes({ CITY: 'Pune', FIRST_NAME: 'Asha' });
  const again = await sendAttributes({ first_name: 'Asha', city: 'Pune' });
  expect(again.body).toEqual(first.body);
  expect((await sendAttributes({ CITY: 'Asha', FIRST_NAME: 'Pune' })).status).toBe(409);
});

test('a repeat is counted once among the accepted items', async () => {
  const counted = async () =>
    (await service.context.metrics.accepted.get()).values.reduce((sum, { value }) => sum + value, 0);
  const before = await counted();
  for (let n = 0; n < 3; n++) await send('k-counted', 'Puri');
  expect(await counted()).toBe(before + 1);
});

test('thirty simultaneous repeats are applied once', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => send('k2', 'Goa')));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  expect(new Set(answers.map((answer) => answer.body.request_id)).size).toBe(1);
  expect(await contacts('Goa')).toBe(1);
});

test('the same key with another body is refused with 409, even at the same time', async () => {
  await send('k3', 'Delhi');
  const answer = await send('k3', 'Agra');
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ code: 409, status: 'error' });
  expect(await contacts('Agra')).toBe(0);
  const race = await Promise.all(['X1', 'X2'].map((city) => send('k4', city)));
  expect(race.map((one) => one.status).sort((a, b) => a - b)).toEqual([200, 409]);
});

test('a key counts only for its account and operation', async () => {
  await send('k5', 'Kochi');
  const other = await service.createAccount();
  const answer = await other.v5('/contact/create', body('Other'), { 'idempotency-key': 'k5' });
  expect(answer.status).toBe(200);
  const deletion = await account.v5(
    '/contact/delete',
    { data: { contacts: [{ identity: 'x@example.com' }] } },
    { 'idempotency-key': 'k5' },
  );
  expect(deletion.status).toBe(200);
});

test('a key can be used again after 24 hours', async () => {
  const first = await send('k6', 'Surat');
  now = new Date(now.getTime() + 24 * 3_600_000 - 1);
  expect((await send('k6', 'Surat')).body.request_id).toBe(first.body.request_id);
  now = new Date(now.getTime() + 1);
  expect((await send('k6', 'Surat')).body.request_id).not.toBe(first.body.request_id);
  expect(await contacts('Surat')).toBe(2);
});

test('an invalid key is refused with 400', async () => {
  for (const key of ['a b', 'x'.repeat(256), 'schlüssel']) {
    const answer = await account.v5('/contact/create', body('x'), { 'idempotency-key': key });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ field: 'Idempotency-Key' }]);
  }
});

test('a repeat is not refused because of the contacts that the first request created', async () => {
  const strict = await service.createAccount({ name: 'Strict', settings: { reject_existing_contacts: true } });
  const contact = { data: { contact_type: 'identified', contacts: [{ identity: 'a@example.com' }] } };
  const first = await strict.v5('/contact/create', contact, { 'idempotency-key': 'r' });
  const again = await strict.v5('/contact/create', contact, { 'idempotency-key': 'r' });
  expect(again.body.request_id).toBe(first.body.request_id);
  expect((await strict.v5('/contact/create', contact)).status).toBe(400);
});

test('simultaneous repeats are not refused when the first request is applied between them', async () => {
  const strict = await service.createAccount({ name: 'Strict', settings: { reject_existing_contacts: true } });
  for (let n = 0; n < 10; n++) {
    const contact = { data: { contact_type: 'identified', contacts: [{ identity: `${n}@example.com` }] } };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => strict.v5('/contact/create', contact, { 'idempotency-key': `at-once-${n}` })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body: answer }) => answer.request_id)).size).toBe(1);
  }
});
