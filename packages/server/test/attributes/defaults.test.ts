import { expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { attributeAccount, faults, path } from './attribute-account.ts';

const service = await forFile(startTestService());

const longText = (name: string, length: number) => ({
  name,
  data_type: 'long_text',
  default_value: 'é'.repeat(length),
});

test('all defaults of an account together have at most 131,072 characters', async () => {
  const account = await attributeAccount(service);
  await account.create(longText('A', 65_536), longText('B', 65_535), {
    name: 'C',
    data_type: 'text',
    default_value: 'c',
  });
  const refused = await account.v5(path.create, { data: [longText('D', 0), longText('E', 1)] });
  expect(faults(refused)).toEqual(['data[1].default_value too_long']);
  expect(refused.body.errors[0].message).toContain('131,072');
  const longer = await account.update({ name: 'C', default_value: 'cc' });
  expect(faults(longer)).toEqual(['data[0].default_value too_long']);
  expect((await account.update({ name: 'C', default_value: 'd' })).status).toBe(200);
  // The total length stays the same.
  const moved = { name: 'C', default_value: 'cc' };
  expect((await account.update({ ...longText('B', 65_534), data_type: undefined }, moved)).status).toBe(200);
});

test('the limit on all defaults together is checked again when a request is applied', async () => {
  await using waiting = await startTestService({ worker: false });
  const { first } = waiting;
  for (const name of ['A', 'B', 'C']) {
    expect((await first.v5(path.create, { data: [longText(name, 65_536)] })).status).toBe(200);
  }
  await using worker = waiting.startWorker();
  void worker;
  await waiting.settled();
  const [last] = (await first.operator('GET', '/requests?limit=1')).body.data;
  const { failures } = (await first.operator('GET', `/requests/${last.request_id}`)).body;
  expect(failures).toMatchObject([{ index: 0, code: 'attribute_defaults', field: 'default_value' }]);
});

test.each([
  ['text', 'x'.repeat(1001), '1,000 characters'],
  ['number', '1,000', 'a number'],
  ['boolean', 'on', 'true or false'],
  ['date', '31-02-2025', 'a date'],
  ['datetime', '2026-01-31', 'with its offset from UTC'],
])(
  'a default that is not a valid %s is refused, and the message says what is valid',
  async (data_type, default_value, message) => {
    const account = await attributeAccount(service);
    const created = await account.v5(path.create, { data: [{ name: 'A', data_type, default_value }] });
    expect(created.body.errors).toEqual([
      { code: 'invalid_type', field: 'data[0].default_value', message: expect.stringContaining(message) },
    ]);
    await account.create({ name: 'A', data_type });
    const updated = await account.update({ name: 'A', default_value });
    expect(updated.body.errors).toEqual(created.body.errors);
  },
);
