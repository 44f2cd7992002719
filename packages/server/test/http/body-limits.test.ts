import { gzipSync } from 'node:zlib';
import { bodyLimits } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer } from '../support/service.ts';

const service = await forFile(startTestService());

const head = '{"data":{"contact_type":"identified","contacts":[';
const contactsOf = (contacts: string[]): string => `${head}${contacts.join(',')}]}}`;
const numbers = Array.from({ length: 400 }, (_, n) => n);

function operator(path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> {
  return service.call('POST', `/admin/v1${path}`, {
    body,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${testAdminToken}`, ...headers },
  });
}

describe('a body over a limit of its operation', () => {
  // These bodies are not closed. If the parser read them, they would be invalid JSON.
  const objects = (count: number): string => '[' + '{},'.repeat(count);
  const keys = (count: number): string => '{' + Array.from({ length: count }, (_, n) => `"${n}":1,`).join('');

  test.each([
    ['/contact/create', objects(1_200_000), '1,100,000 values'],
    ['/contact/create', keys(10_001), '10,000 different keys'],
    ['/contact/search', objects(210_000), '200,000 values'],
    ['/client/attribute/create', objects(10_001), '10,000 values'],
    ['/client/attribute/usage', objects(2_001), '2,000 values'],
  ])('is refused before it is parsed: %s', async (path, body, limit) => {
    const answer = await service.first.v5(path, body);
    expect([answer.status, answer.body.description]).toEqual([
      413,
      `The body has more than ${limit}. Send fewer items in a request.`,
    ]);
  });

  test('is refused by an operator operation', async () => {
    expect((await operator('/accounts', objects(3_000))).body).toMatchObject({ code: 413, status: 'error' });
  });

  test('is refused by batch add, in the error format of v3', async () => {
    const answer = await service.call('POST', '/v3/contact/batchadd', {
      body: objects(110_000),
      headers: { 'api-key': service.first.apiKey, 'content-type': 'application/json' },
    });
    expect(answer).toMatchObject({
      status: 413,
      body: { status: 413, message: 'The body has more than 200,000 values. Send fewer items in a request.' },
    });
  });

  test('is refused when it holds compressed activities', async () => {
    const body = gzipSync(objects(300_000));
    expect((await operator('/accounts/1/activities', body, { 'content-encoding': 'gzip' })).status).toBe(413);
  });

  test('is refused with 400 when it is nested too deeply', async () => {
    const answer = await service.first.v5('/contact/search', '['.repeat(33));
    expect([answer.status, answer.body.description]).toEqual([400, 'The body is nested more than 32 levels deep']);
  });

  test('is refused when it has more bytes than a small operation accepts', async () => {
    const answer = await operator('/accounts', `{"name":"${'x'.repeat(bodyLimits.small.bytes)}"}`);
    expect([answer.status, answer.body.description]).toEqual([
      413,
      'The body is larger than 64 KiB. Send fewer items in a request.',
    ]);
  });
});

describe('a large body that a thread reads', () => {
  const attributes = Object.fromEntries(numbers.map((n) => [`A_${n}`, n]));
  const person = (n: number): string => JSON.stringify({ identity: `p${n}@example.com`, attributes });
  const large = contactsOf(numbers.slice(0, 20).map(person));

  test('is stored and applied like any other', async () => {
    expect(large.length).toBeGreaterThan(64 * 1024);
    expect(await service.first.apply('/contact/create', large)).toMatchObject({
      status: 'done',
      counts: { created: 20 },
    });
  });

  test('gets faults with their paths', async () => {
    const contacts = numbers.slice(0, 20).map(person);
    contacts[7] = contacts[7]!.replace('p7@example.com', '');
    const answer = await service.first.v5('/contact/create', contactsOf(contacts));
    expect(answer.body.errors).toMatchObject([{ code: 'required', field: 'data.contacts[7].identity' }]);
  });

  test('gets the position of a syntax error', async () => {
    const answer = await service.first.v5('/contact/create', `${large.slice(0, -3)}}`);
    expect([answer.status, answer.body.description]).toEqual([
      400,
      expect.stringMatching(/^The body is not valid JSON.* character \d+/),
    ]);
  });

  test('is recognised by its idempotency key, and another body with the same key is refused', async () => {
    const headers = { 'idempotency-key': 'large' };
    const first = await service.first.v5('/contact/create', large, headers);
    const reordered = JSON.stringify({ data: Object.fromEntries(Object.entries(JSON.parse(large).data).reverse()) });
    expect((await service.first.v5('/contact/create', reordered, headers)).body.request_id).toBe(first.body.request_id);
    const other = large.replace('p1@example.com', 'other@example.com');
    expect((await service.first.v5('/contact/create', other, headers)).status).toBe(409);
  });

  test('is refused for existing contacts if the account has reject_existing_contacts', async () => {
    const account = await service.createAccount({ name: 'Strict', settings: { reject_existing_contacts: true } });
    await account.createContacts([{ identity: 'p3@example.com' }]);
    const answer = await account.v5('/contact/create', large);
    expect(answer.body.errors).toMatchObject([{ code: 'taken', field: 'data.contacts[3].identity' }]);
  });

  test('can be a search, and a repeated key is a fault', async () => {
    const values = numbers.flatMap((n) => [1, 2, 3, 4, 5].map((m) => `p${n}.${m}@example.com`));
    const condition = { field: 'EMAIL', operation: 'equals', value: values.slice(0, 1000) };
    const search = { filtering_criteria: [{ condition_details: [condition, condition] }], output: { get_count: true } };
    expect((await service.first.v5('/contact/search', search)).body).toMatchObject({ code: 200, count: 0 });
    const twice = JSON.stringify(search).replace('{"filtering_criteria"', '{"output":{},"filtering_criteria"');
    expect((await service.first.v5('/contact/search', twice)).body.errors).toMatchObject([
      { code: 'duplicate', field: 'output' },
    ]);
  });
});

test('a body that does not fit into the memory of its thread is refused with 413, and later bodies are read', async () => {
  const memory = { heapMiB: 1024, largeBodies: 2, threads: 1, threadHeapMiB: 24 };
  await using small = await startTestService({ worker: false, memory });
  const attributes = Object.fromEntries(numbers.map((n) => [`A_${n}`, n]));
  const person = (n: number): string => JSON.stringify({ identity: `p${n}@example.com`, attributes });
  const people = Array.from({ length: 1000 }, (_, n) => person(n));
  for (let n = 0; n < 2; n++) {
    const refused = await small.first.v5('/contact/create', contactsOf(people));
    expect([refused.status, refused.body.description]).toEqual([
      413,
      expect.stringContaining('more than the memory of the service can hold'),
    ]);
    expect((await small.first.v5('/contact/create', contactsOf(people.slice(0, 20)))).status).toBe(200);
  }
});
