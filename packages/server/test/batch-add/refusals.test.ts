import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { batch, dailyBatch, one, send } from './support.ts';

// The limits are per day. The clock stands still, so that no day ends during a test.
const now = new Date();
const service = await forFile(startTestService({ worker: false, now: () => now }));
const spent = await service.createAccount({ name: 'Spent', settings: { daily_batch_limit: 0 } });
await spent.operator('POST', '/lists', { name: 'List 1' });

const contact = { EMAIL: 'asha@example.com' };
const email = 'notifyemail should be an e-mail address, such as asha@example.com';
const url = 'callbackurl should be a URL that begins with https:// or http://';

/**
 * Every fault of a body with its message, in the order of the checks. Each entry changes the fields
 * that the message names.
 */
const faults: readonly (readonly [message: string, changes: Record<string, unknown>])[] = [
  ['listid should be of type integer', { listid: '1' }],
  ['you have exceeded the batch limit of 1000', { data: Array.from({ length: 1001 }, () => contact) }],
  ['primary key is mandatory and should be string', { primarykey: 5 }],
  ['callbackurl or notifyemail is mandatory and should be string', { callbackurl: undefined }],
  ['callbackurl or notifyemail is mandatory and should be string', { notifyemail: null }],
  ['data should be of type array', { data: contact }],
  ['data should have at least one contact', { data: [] }],
  [email, { notifyemail: 'nobody' }],
  [url, { callbackurl: 'not a URL' }],
  ['listid does not exist', { listid: 99 }],
  ['primarykey does not match the primary key of the panel', { primarykey: 'MOBILE' }],
];
const refused = (message: string) => ({ status: 400, body: { message, status: 400 } });

describe('a batch with one fault', () => {
  test.each(faults)('a batch with this fault is refused: %s', async (message, changes) => {
    expect(await send(service, one(changes))).toMatchObject(refused(message));
  });

  test.each([[null], [undefined], [true], [1.5], [[1]], [{}], ['']])(
    'a batch with the listid %j is refused, because it is not an integer',
    async (listid) => {
      expect(await send(service, one({ listid }))).toMatchObject(refused('listid should be of type integer'));
    },
  );

  test.each([[0], [-1], [1e300], [2_147_483_648], [2 ** 53]])(
    'a batch for list %d is refused, because the list does not exist',
    async (listid) => {
      expect(await send(service, one({ listid }))).toMatchObject(refused('listid does not exist'));
    },
  );

  test('a segment or a list of another account cannot be used as the list', async () => {
    const filtering_criteria = [{ condition_details: [{ field: 'CITY', operation: 'is_null' }] }];
    const segment = await service.first.operator('POST', '/segments', { name: 'Everybody', filtering_criteria });
    const listid = segment.body.audience_id as number;
    expect(await send(service, one({ listid }))).toMatchObject(refused('listid does not exist'));
    const other = await service.createAccount();
    const headers = { 'api-key': other.apiKey };
    expect(await send(service, one(), headers)).toMatchObject(refused('listid does not exist'));
  });

  test.each([
    ['primarykey', undefined],
    ['primarykey', '  '],
    ['primarykey', ['email']],
  ])('a batch with the field %s set to %j is refused, because the primary key is missing', async (field, value) => {
    const message = 'primary key is mandatory and should be string';
    expect(await send(service, one({ [field]: value }))).toMatchObject(refused(message));
  });

  test.each([
    ['callbackurl', ''],
    ['callbackurl', 5],
    ['notifyemail', undefined],
    ['notifyemail', ['asha@example.com']],
    ['notifyemail', ' '],
  ])('a batch with the field %s set to %j is refused, because it is mandatory', async (field, value) => {
    const message = 'callbackurl or notifyemail is mandatory and should be string';
    expect(await send(service, one({ [field]: value }))).toMatchObject(refused(message));
  });

  test.each([[undefined], [null], ['[]'], [5]])(
    'a batch with data %j is refused, because it is not an array',
    async (data) => {
      expect(await send(service, one({ data }))).toMatchObject(refused('data should be of type array'));
    },
  );

  test.each([
    ['ftp://hooks.example.com', url],
    ['https://user:secret@hooks.example.com', 'callbackurl should not have a user name or password'],
    [`https://hooks.example.com/${'x'.repeat(2000)}`, 'callbackurl must have at most 2000 characters'],
  ])('a batch with the callbackurl %s is refused', async (callbackurl, message) => {
    expect(await send(service, one({ callbackurl }))).toMatchObject(refused(message));
  });

  test.each([['a@example.com, b@example.com'], ['a@example.com\r\nBcc: b@example.com'], ['@']])(
    'a batch with the notifyemail %j is refused',
    async (notifyemail) => expect(await send(service, one({ notifyemail }))).toMatchObject(refused(email)),
  );
});

describe('a batch with two faults', () => {
  const pairs = faults.flatMap(([message, changes], at) =>
    faults.slice(at + 1).flatMap(([later, others]) => {
      const clash = Object.keys(others).some((field) => field in changes);
      return clash ? [] : [[message, later, { ...others, ...changes }] as const];
    }),
  );
  test.each(pairs)('the first fault is reported: %s; %s', async (message, _later, changes) => {
    expect(await send(service, one(changes))).toMatchObject(refused(message));
  });

  test.each(faults)('the fault is reported before the daily limit: %s', async (message, changes) => {
    expect(await send(service, one(changes), { 'api-key': spent.apiKey })).toMatchObject(refused(message));
  });

  test('the daily limit is checked last', async () => {
    expect(await send(service, one(), { 'api-key': spent.apiKey })).toMatchObject(refused('limit Reached'));
  });
});

describe('the API key of a batch', () => {
  const blank = refused('api key can not be blank in headers');
  const unknown = { status: 401, body: { message: 'invalid api key', status: 401 } };

  test('the API key is checked before the body, which need not even be JSON', async () => {
    for (const body of [one(), one({ listid: 'x' }), '{', '', 5]) {
      expect(await send(service, body, { 'api-key': 'nobody' })).toMatchObject(unknown);
      expect(await send(service, body, { 'api-key': '  ' })).toMatchObject(blank);
      expect(await send(service, body, {})).toMatchObject(blank);
    }
  });

  test('the API key needs the scope contacts:write', async () => {
    const { body } = await service.first.operator('POST', '/api-keys', { name: 'reader', scopes: ['contacts:read'] });
    expect(await send(service, one({ listid: 'x' }), { 'api-key': body.api_key })).toMatchObject({
      status: 403,
      body: { message: 'The caller does not have the scope contacts:write', status: 403 },
    });
  });

  test('a revoked API key is invalid', async () => {
    const { body } = await service.first.operator('POST', '/api-keys', { name: 'old' });
    await service.first.operator('DELETE', `/api-keys/${body.api_key_id}`);
    expect(await send(service, one(), { 'api-key': body.api_key })).toMatchObject(unknown);
  });
});

describe('the body of a batch', () => {
  test.each([
    ['5', 'the body should be a JSON object'],
    ['[]', 'the body should be a JSON object'],
    ['null', 'the body should be a JSON object'],
    ['', 'The body is not valid JSON: it is empty'],
    ['{"listid":', 'The body is not valid JSON: it ends too early or has a syntax error'],
    ['{}', 'listid should be of type integer'],
  ])('the body %j is refused', async (body, message) => {
    const headers = { 'api-key': service.first.apiKey, 'content-type': 'application/json' };
    expect(await send(service, body, headers)).toMatchObject(refused(message));
  });

  test('the body can come without a content type, or with that of a form', async () => {
    const url = '/v3/contact/batchadd';
    const payload = JSON.stringify(one());
    for (const type of [{}, { 'content-type': 'application/x-www-form-urlencoded' }]) {
      const headers = { 'api-key': service.first.apiKey, ...type };
      const answer = await service.app.inject({ method: 'POST', url, headers, payload });
      expect(answer.statusCode, answer.payload).toBe(200);
    }
  });

  test.each([
    [415, { 'content-type': 'text/xml' }, '<a/>'],
    [415, { 'content-encoding': 'gzip' }, '{}'],
    [413, {}, Buffer.alloc(16 * 1024 * 1024 + 1, ' ')],
  ])('a body of a wrong type or size is refused with %d in the documented shape', async (status, headers, body) => {
    const answer = await send(service, body, { 'api-key': service.first.apiKey, ...headers });
    expect(answer).toMatchObject({ status, body: { message: expect.any(String), status } });
    expect(Object.keys(answer.body).sort()).toEqual(['message', 'status']);
  });

  test('other methods, paths and too many requests are refused in the same shape', async () => {
    const get = await service.call('GET', '/v3/contact/batchadd');
    expect(get).toMatchObject({ status: 405, headers: { allow: 'POST' }, body: { status: 405 } });
    expect(await service.call('POST', '/v3/contact/add')).toMatchObject({ status: 404, body: { status: 404 } });
    const busy = await service.createAccount({ name: 'Busy', settings: { rate_limit: 1 } });
    const headers = { 'api-key': busy.apiKey };
    await send(service, one(), headers);
    const answer = await send(service, one(), headers);
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': expect.anything() }, body: { status: 429 } });
  });
});

test('keys can have any letter case and underscores, and callback means callbackurl', async () => {
  const { callbackurl, notifyemail, primarykey, listid, data } = one();
  for (const body of [
    { ListId: listid, NOTIFYEMAIL: notifyemail, CallbackURL: callbackurl, PrimaryKey: 'EMAIL', Data: data },
    { list_id: listid, notify_email: notifyemail, callback_url: callbackurl, primary_key: primarykey, data },
    { listid, notifyemail, callback: callbackurl, primarykey: ' Email ', data, other: true },
    { ...one(), callbackurl: null, callback: callbackurl },
  ]) {
    expect((await send(service, body)).status, JSON.stringify(body)).toBe(200);
  }
  // If a key is repeated, the spelling of the contract wins, wherever it stands.
  expect(await send(service, { LISTID: 1, ...one({ listid: 99 }) })).toMatchObject(refused('listid does not exist'));
  expect(await send(service, { ...one({ listid: 99 }), LISTID: 1 })).toMatchObject(refused('listid does not exist'));
  expect((await send(service, { ...one(), callback: 'not a URL' })).status).toBe(200);
});

test('the answer has exactly the documented shape', async () => {
  const { status, body } = await send(service, one({ listid: 1 }));
  expect(status).toBe(200);
  expect(body).toEqual({ message: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/), status: 200 });
  const text = JSON.stringify(one()).replace('"listid":1', '"listid":1.0');
  const headers = { 'api-key': service.first.apiKey, 'content-type': 'application/json' };
  expect((await send(service, text, headers)).status).toBe(200);
});

describe('the idempotency key of a batch', () => {
  test('a repeat returns the first answer, even when the limit is reached or the list is deleted', async () => {
    const account = await service.createAccount({ name: 'Twice', settings: { daily_batch_limit: 1 } });
    const list = await account.createList('Short-lived');
    const headers = { 'api-key': account.apiKey, 'idempotency-key': 'one' };
    const first = await send(service, one({ listid: list }), headers);
    expect(first.status).toBe(200);
    await account.operator('DELETE', `/lists/${list}`);
    expect(await send(service, one({ listid: list }), headers)).toMatchObject({ status: 200, body: first.body });
    expect((await dailyBatch(account)).used).toBe(1);
    expect(await send(service, one({ listid: list, notifyemail: 'b@example.com' }), headers)).toMatchObject({
      status: 409,
      body: { message: 'The Idempotency-Key was already used with another body', status: 409 },
    });
    const stored = await service.context.db
      .selectFrom('requests')
      .where('account_id', '=', account.accountId)
      .select('request_id')
      .execute();
    expect(stored).toEqual([{ request_id: first.body.message }]);
  });

  test('an idempotency key can be used again after a refusal', async () => {
    const headers = { 'api-key': service.first.apiKey, 'idempotency-key': 'refused' };
    expect((await send(service, one({ listid: 99 }), headers)).status).toBe(400);
    expect((await send(service, batch([{ EMAIL: 'b@example.com' }]), headers)).status).toBe(200);
  });

  test('an invalid idempotency key is refused', async () => {
    const headers = { 'api-key': service.first.apiKey, 'idempotency-key': 'with spaces' };
    const { status, body } = await send(service, one(), headers);
    expect([status, body.message]).toEqual([400, expect.stringContaining('Idempotency-Key must have')]);
  });
});

test('a refused batch does not count towards the limit, and leaves nothing in the database', async () => {
  const account = await service.createAccount({ name: 'Refused', settings: { daily_batch_limit: 2 } });
  await account.operator('POST', '/lists', { name: 'List 1' });
  for (const [, changes] of faults) await send(service, one(changes), { 'api-key': account.apiKey });
  expect((await dailyBatch(account)).used).toBe(0);
  const headers = { 'api-key': account.apiKey };
  const answers = [];
  for (let count = 0; count < 3; count++) answers.push((await send(service, one(), headers)).body.message);
  expect(answers[2]).toBe('limit Reached');
  const { rows } = await service.context.pool.query(
    'select (select count(*)::int from requests where account_id = $1) as requests, (select count(*)::int from batch_jobs where account_id = $1) as jobs',
    [account.accountId],
  );
  expect(rows).toEqual([{ requests: 2, jobs: 2 }]);
});
