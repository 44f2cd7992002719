import { createHash } from 'node:crypto';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

// PostgreSQL cannot store U+0000, and half of a surrogate pair is not a character. The service
// refuses both in every text, before it stores anything of the request.
const unstorable = [
  ['U+0000 inside a text', 'a\u0000b'],
  ['a text that is only U+0000', '\u0000'],
  ['a lone high surrogate', 'a\uD800'],
  ['a lone low surrogate', '\uDFFFb'],
  ['a reversed surrogate pair', 'a\uDE00\uD83Db'],
] as const;

const service = await forFile(startTestService());
const account = service.first;

const contact = (fields: object) => ({
  data: { contact_type: 'identified', contacts: [{ identity: 'a@example.com', ...fields }] },
});
const found = (fields: object) => ({ data: { contacts: [{ identity: 'a@example.com', ...fields }] } });
const condition = (fields: object) => ({
  filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: 'x', ...fields }] }],
});
const place = 'filtering_criteria[0].condition_details[0]';
const audience = { audience_type: 'list', audience_id: 1 };

/**
 * Every place of a V5 operation that takes a text. A fault shows a wrong name as printable text.
 */
const places: [title: string, path: string, field: string | RegExp, body: (text: string) => object][] = [
  [
    'the identity of a new contact',
    '/contact/create',
    'data.contacts[0].identity',
    (identity) => contact({ identity }),
  ],
  [
    'the value of an attribute',
    '/contact/create',
    'data.contacts[0].attributes.CITY',
    (CITY) => contact({ attributes: { CITY } }),
  ],
  [
    'the name of an attribute',
    '/contact/create',
    /^data\.contacts\[0\]\.attributes\./,
    (name) => contact({ attributes: { [name]: 'x' } }),
  ],
  [
    'the identity of a contact to update',
    '/contact/update',
    'data.contacts[0].identity',
    (identity) => found({ identity }),
  ],
  [
    'a changed attribute',
    '/contact/update',
    'data.contacts[0].attributes.CITY',
    (CITY) => found({ attributes: { CITY } }),
  ],
  [
    'the name of a changed attribute',
    '/contact/update',
    /^data\.contacts\[0\]\.attributes\./,
    (name) => found({ attributes: { [name]: null } }),
  ],
  [
    'the identity of a contact to delete',
    '/contact/delete',
    'data.contacts[0].identity',
    (identity) => found({ identity }),
  ],
  ['the field of a condition', '/contact/search', `${place}.field`, (field) => condition({ field })],
  ['the operation of a condition', '/contact/search', `${place}.operation`, (operation) => condition({ operation })],
  ['the value of a condition', '/contact/search', `${place}.value[0]`, (value) => condition({ value })],
  [
    'one of several values of a condition',
    '/contact/search',
    `${place}.value[1]`,
    (value) => condition({ value: ['x', value] }),
  ],
  [
    'the pattern of a condition',
    '/contact/search',
    `${place}.value[0]`,
    (value) => condition({ operation: 'contains', value }),
  ],
  ['a requested field', '/contact/search', 'output.fields[0]', (name) => ({ output: { fields: [name] } })],
  [
    'a field to sort by',
    '/contact/search',
    'output.sorting[0].field',
    (field) => ({ output: { sorting: [{ field }] } }),
  ],
  ['a cursor', '/contact/search', 'output.pagination.cursor', (cursor) => ({ output: { pagination: { cursor } } })],
  [
    'the value of a condition on an audience',
    '/contact/audience/search',
    `${place}.value[0]`,
    (value) => ({ ...audience, ...condition({ value }) }),
  ],
  [
    'a requested field of an audience',
    '/contact/audience/search',
    'output.fields[0]',
    (name) => ({ ...audience, output: { fields: [name] } }),
  ],
  [
    'a field to sort an audience by',
    '/contact/audience/search',
    'output.sorting[0].field',
    (field) => ({ ...audience, output: { sorting: [{ field }] } }),
  ],
  [
    'a cursor of an audience',
    '/contact/audience/search',
    'output.pagination.cursor',
    (cursor) => ({ ...audience, output: { pagination: { cursor } } }),
  ],
];

describe.each(unstorable)('%s', (_name, text) => {
  test.each(places)('is refused as %s of %s', async (_title, path, field, body) => {
    const { status, body: answer } = await account.v5(path, body(text));
    expect(status).toBe(400);
    expect(answer.errors).toHaveLength(1);
    expect(answer.errors[0]).toMatchObject({ code: 'invalid_character' });
    expect(answer.errors[0].field).toEqual(typeof field === 'string' ? field : expect.stringMatching(field));
    const shown: string = answer.errors[0].field;
    expect(shown.isWellFormed() && !shown.includes('\0')).toBe(true);
  });

  // A field with its own format is refused because of that format.
  test.each([
    ['/contact/create', 'data.contacts[0].email', 'invalid_format', contact({ email: `${text}@example.com` })],
    ['/contact/create', 'data.contacts[0].mobile', 'invalid_format', contact({ mobile: `919812345678${text}` })],
    [
      '/contact/create',
      'data.contact_type',
      'unknown_value',
      { data: { contact_type: text, contacts: [{ identity: 'x' }] } },
    ],
    ['/contact/update', 'data.contacts[0].email', 'invalid_format', found({ email: `${text}@example.com` })],
    [
      '/contact/search',
      'filtering_criteria_operator',
      'unknown_value',
      { ...condition({}), filtering_criteria_operator: text },
    ],
    ['/contact/audience/search', 'audience_type', 'unknown_value', { ...audience, audience_type: text }],
  ])('is refused by %s in %s with the code %s', async (path, field, code, body) => {
    const { status, body: answer } = await account.v5(path, body);
    expect(status).toBe(400);
    expect(answer.errors).toMatchObject([{ code, field }]);
  });

  test('is refused as the name of a list, a key or an account, and in the filter of a segment', async () => {
    for (const path of ['/lists', '/api-keys']) {
      const answer = await account.operator('POST', path, { name: text });
      expect([answer.status, answer.body.errors]).toMatchObject([400, [{ code: 'invalid_character', field: 'name' }]]);
    }
    const segment = await account.operator('POST', '/segments', { name: 'x', ...condition({ value: text }) });
    expect([segment.status, segment.body.errors]).toMatchObject([400, [{ code: 'invalid_character' }]]);
    const named = await service.operator('POST', '/accounts', { name: text });
    expect([named.status, named.body.errors]).toMatchObject([400, [{ code: 'invalid_character', field: 'name' }]]);
  });

  test('is refused as an Idempotency-Key', async () => {
    const answer = await account.v5('/contact/create', contact({}), { 'idempotency-key': text });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ field: 'Idempotency-Key' }]);
  });
});

test.each(['a\u0000b', 'a\uD800'])('%j is refused inside a forged cursor with a valid checksum', async (text) => {
  const payload = Buffer.from(JSON.stringify([`#${await attributeId('CITY')},contact_id`, text, 1]));
  const checksum = createHash('sha256').update(`roster cursor 1 ${account.accountId} `).update(payload).digest();
  const cursor = Buffer.concat([checksum.subarray(0, 9), payload]).toString('base64url');
  const page = (field: string) => ({ output: { sorting: [{ field }], pagination: { cursor } } });
  const answer = await account.v5('/contact/search', page('CITY'));
  expect([answer.status, answer.body.errors]).toMatchObject([
    400,
    [{ code: 'invalid_format', field: 'output.pagination.cursor' }],
  ]);
  // With another sorting the answer is `not_allowed`, so the rest of the cursor is valid.
  expect((await account.v5('/contact/search', page('STATE'))).body.errors).toMatchObject([{ code: 'not_allowed' }]);
});

async function attributeId(name: string): Promise<number> {
  const { db } = service.context;
  const row = await db
    .selectFrom('attributes')
    .where('name', '=', name)
    .select('attribute_id')
    .executeTakeFirstOrThrow();
  return row.attribute_id;
}

test('the request log has no request that was refused for its characters', async () => {
  await service.settled();
  expect((await account.operator('GET', '/requests')).body.data).toEqual([]);
});

test('an unknown key whose name or value has such characters is ignored like any unknown key', async () => {
  const body = { ...contact({ 'no\u0000tify': '\uD800' }), 'notify\uD800callback': '\u0000' };
  expect(await account.apply('/contact/create', body)).toMatchObject({
    status: 'done',
    counts: { failed: 0, warnings: 0 },
  });
});

test('unusual but valid characters are stored and found unchanged', async () => {
  const odd = [
    '\uFFFF',
    '\uFEFFx',
    'e\u0301',
    '\u202Egnp.exe',
    '😀',
    'שלום',
    '\u0001\u001f',
    "'; drop table contacts; --",
  ];
  const contacts = odd.map((CITY, at) => ({ identity: `odd-${at}@example.com`, attributes: { CITY } }));
  await account.createContacts(contacts);
  for (const [at, value] of odd.entries()) {
    const rows = await account.rows({ ...condition({ value }), output: { fields: ['identity', 'CITY'] } });
    expect(rows).toEqual([{ identity: `odd-${at}@example.com`, CITY: value }]);
  }
});

test('U+0000 in a header is refused with 400 and a JSON error', async () => {
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.app.server.address() as AddressInfo;
  const socket = net.connect(port, '127.0.0.1');
  socket.end('POST /v5/contact/create HTTP/1.1\r\nhost: x\r\nidempotency-key: a\0b\r\ncontent-length: 0\r\n\r\n');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  const [head, body] = text.split('\r\n\r\n') as [string, string];
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(body)).toMatchObject({ code: 400, status: 'error', errors: [] });
});
