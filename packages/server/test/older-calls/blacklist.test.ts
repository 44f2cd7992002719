import { beforeEach, describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer, type TestAccount } from '../support/service.ts';

let account: TestAccount;

const service = await forFile(startTestService());
beforeEach(async () => {
  account = await service.createAccount();
});

type Headers = Readonly<Record<string, string>>;

/** Sends the call. `headers` replaces headers; an empty `api-key` is left out. */
async function send(body: unknown, headers: Headers = {}, sender = account): Promise<Answer> {
  const all = { 'api-key': sender.apiKey, primarykey: 'EMAIL', ...headers };
  return service.call('POST', '/v3/contact/blacklist', {
    body,
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
  });
}

/** Sends a call that must be accepted, waits until it is applied, and returns its request. */
async function applied(data: unknown, headers: Headers = {}, sender = account): Promise<Answer['body']> {
  const answer = await send({ data }, headers, sender);
  expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String), status: 200 } });
  expect(Object.keys(answer.body)).toEqual(['message', 'status']);
  await service.settled();
  return (await sender.operator('GET', `/requests/${answer.body.message}`)).body;
}

const fields = ['identity', 'contact_type', 'email_opted_out', 'sms_opted_out', 'whatsapp_opted_out'];
const stored = (sender = account) =>
  sender.rows({ output: { fields, sorting: [{ field: 'identity' }], pagination: { limit: 1000 } } });
const optedOut = (identity: string, type: string, channel: 'email' | 'sms' | 'whatsapp') => ({
  identity,
  contact_type: type,
  email_opted_out: channel === 'email',
  sms_opted_out: channel === 'sms',
  whatsapp_opted_out: channel === 'whatsapp',
});

describe('blacklisting', () => {
  test('opts existing and unknown contacts out of e-mail, and makes them blacklisted', async () => {
    const contacts = [{ identity: 'asha@example.com', attributes: { CITY: 'Pune' } }, { identity: 'lena@example.com' }];
    await account.createContacts(contacts);
    const request = await applied(['ASHA@example.com', 'new@example.com']);
    expect(request).toMatchObject({
      operation: 'contact.blacklist',
      status: 'done',
      counts: { total: 2, created: 1, updated: 1, failed: 0 },
    });
    expect(await stored()).toEqual([
      optedOut('asha@example.com', 'blacklisted', 'email'),
      { ...optedOut('lena@example.com', 'identified', 'email'), email_opted_out: false },
      optedOut('new@example.com', 'blacklisted', 'email'),
    ]);
    const [asha] = await account.rows({ output: { fields: ['CITY'], sorting: [{ field: 'identity' }] } });
    expect(asha).toEqual({ CITY: 'Pune' });
  });

  test.each([
    ['email', 'blacklisted', 'email'],
    [' Email ', 'blacklisted', 'email'],
    [' ', 'blacklisted', 'email'],
    ['sms', 'identified', 'sms'],
    ['WhatsApp', 'identified', 'whatsapp'],
  ] as const)('with the channel %j makes the contact %s, opted out of %s', async (channel, type, meant) => {
    await applied(['asha@example.com'], { channel });
    expect(await stored()).toEqual([optedOut('asha@example.com', type, meant)]);
  });

  test.each(['email', 'EMAIL', ' eMail '])('accepts the primary key %j', async (primarykey) => {
    expect((await applied(['asha@example.com'], { primarykey })).counts.created).toBe(1);
  });

  test('records one failure for each bad value, with its index, and applies the others', async () => {
    const bad = ['no address', '', '  ', 5, 1.5, null, true, {}, [], ['a@example.com'], '\u0000@example.com'];
    const values = [...bad, 'asha@example.com', `${'x'.repeat(300)}@example.com`, '\u{1F600}', 'last@example.com'];
    const request = await applied(values);
    expect(request.counts).toMatchObject({ total: values.length, created: 2, failed: values.length - 2 });
    const failed = values.flatMap((value, index) =>
      typeof value === 'string' && /^(asha|last)@/.test(value) ? [] : [index],
    );
    expect(request.failures.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual(
      failed.map((index) => [index, 'identity_invalid']),
    );
    expect((await stored()).map(({ identity }) => identity)).toEqual(['asha@example.com', 'last@example.com']);
  });

  test('takes numbers where the primary key is a mobile number or an attribute', async () => {
    const mobile = await service.createAccount({ name: 'Mobile', primary_key: 'MOBILE' });
    await applied([919812345678, '+91 98123-45679', 'asha@example.com'], { primarykey: 'mobile' }, mobile);
    expect((await stored(mobile)).map(({ identity }) => identity)).toEqual(['919812345678', '919812345679']);
    const own = await service.createAccount({ name: 'Own', primary_key: 'CUSTOMER_ID' });
    await applied([17, ' 018 '], { primarykey: 'customer_id', channel: 'sms' }, own);
    expect(await stored(own)).toEqual([optedOut('018', 'identified', 'sms'), optedOut('17', 'identified', 'sms')]);
  });

  test('changes nothing more when a value or the whole call is repeated', async () => {
    const first = await applied(['asha@example.com', ' Asha@Example.com ']);
    expect(first.counts).toMatchObject({ created: 1, unchanged: 1 });
    expect((await applied(['asha@example.com'])).counts).toMatchObject({ unchanged: 1, updated: 0 });
    expect(await stored()).toHaveLength(1);
  });

  test('also opts out existing contacts of an account that refuses them in a create', async () => {
    const strict = await service.createAccount({ name: 'Strict', settings: { reject_existing_contacts: true } });
    const contacts = [{ identity: 'asha@example.com' }];
    await strict.createContacts(contacts);
    expect((await applied(['asha@example.com'], {}, strict)).counts).toMatchObject({ updated: 1, failed: 0 });
    expect(await stored(strict)).toEqual([optedOut('asha@example.com', 'blacklisted', 'email')]);
  });

  test('is applied in an account with parallel lanes, also with bad values', async () => {
    const parallel = await service.createAccount({ name: 'Parallel', settings: { buckets: 16 } });
    const values = Array.from({ length: 200 }, (_, at) => (at % 5 === 0 ? at : `p${at}@example.com`));
    const request = await applied(values, {}, parallel);
    expect(request.counts).toMatchObject({ total: 200, created: 160, failed: 40 });
    expect(request.failures[1]).toMatchObject({ index: 5, code: 'identity_invalid' });
    expect(await stored(parallel)).toHaveLength(160);
  });

  test('has idempotency keys of its own', async () => {
    const headers = { 'idempotency-key': 'order-1' };
    const create = { data: { contact_type: 'identified', contacts: [{ identity: 'asha@example.com' }] } };
    expect((await account.v5('/contact/create', create, headers)).status).toBe(200);
    expect((await send({ data: ['asha@example.com'] }, headers)).status).toBe(200);
    await service.settled();
    expect(await stored()).toEqual([optedOut('asha@example.com', 'blacklisted', 'email')]);
  });

  test('does not bring back a person who was erased', async () => {
    const contacts = [{ identity: 'gone@example.com' }];
    await account.createContacts(contacts);
    const [row] = await account.rows({ output: { fields: ['contact_id'] } });
    await using _jobs = service.startJobs();
    expect((await account.operator('DELETE', `/contacts/${Number(row!['contact_id'])}?mode=erase`)).status).toBe(200);
    const request = await applied(['gone@example.com']);
    expect(request.failures).toMatchObject([{ index: 0, code: 'contact_forgotten' }]);
    expect(await stored()).toEqual([]);
  });

  test('takes 1,000 values, also with the largest texts', async () => {
    const own = await service.createAccount({ name: 'Large', primary_key: 'CUSTOMER_ID' });
    const values = Array.from({ length: 1000 }, (_, at) => `${'ü'.repeat(250)}${String(at).padStart(4, '0')}`);
    const request = await applied(values, { primarykey: 'CUSTOMER_ID' }, own);
    expect(request.counts).toMatchObject({ total: 1000, created: 1000 });
  });

  test('touches only the account of the key', async () => {
    const other = await service.createAccount();
    await applied(['asha@example.com'], {}, other);
    expect(await stored()).toEqual([]);
    const { message } = (await send({ data: ['asha@example.com'] }, {}, other)).body;
    expect((await account.operator('GET', `/requests/${message}`)).status).toBe(404);
  });

  test('is applied once when it is repeated with the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'again' };
    const first = await send({ data: ['asha@example.com'] }, headers);
    expect((await send({ data: ['asha@example.com'] }, headers)).body).toEqual(first.body);
    const conflict = { status: 409, body: { status: 409, message: expect.stringContaining('another body') } };
    expect(await send({ data: ['lena@example.com'] }, headers)).toMatchObject(conflict);
    expect(await send({ data: ['asha@example.com'] }, { ...headers, channel: 'sms' })).toMatchObject(conflict);
    await service.settled();
    expect(await stored()).toEqual([optedOut('asha@example.com', 'blacklisted', 'email')]);
  });

  test('accepts a body without a content type, unknown keys, and one value without an array', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v3/contact/blacklist',
      headers: { 'api-key': account.apiKey, primarykey: 'email' },
      payload: JSON.stringify({ DATA: 'asha@example.com', note: 'x', primarykey: 'email' }),
    });
    expect(answer.statusCode).toBe(200);
    await service.settled();
    expect(await stored()).toEqual([optedOut('asha@example.com', 'blacklisted', 'email')]);
  });
});

describe('a refused call', () => {
  const missing =
    'header primarykey is missing or blank. Send the name of the primary key of the account, which is EMAIL.';
  const differs = 'header primarykey must be EMAIL, the primary key of the account';
  const channel = 'header channel must be one of email, sms, whatsapp, or be left out';
  const valid = { data: ['asha@example.com'] };

  test.each<[message: string, body: unknown, headers: Headers]>([
    [missing, valid, { primarykey: '' }],
    [missing, valid, { primarykey: '  ' }],
    [missing, { ...valid, primarykey: 'email' }, { primarykey: '' }],
    [missing, {}, { primarykey: '', channel: 'push' }],
    [differs, valid, { primarykey: 'MOBILE' }],
    [differs, valid, { primarykey: 'EMAIL, EMAIL' }],
    [differs, valid, { primarykey: 'E_MAIL' }],
    [channel, valid, { channel: 'push' }],
    [channel, valid, { channel: 'email, sms' }],
    [channel, {}, { channel: 'all' }],
    ['data is required', {}, {}],
    ['data is required', { data: null }, {}],
    ['data must have at least 1 item', { data: [] }, {}],
    [
      'data must have at most 1000 items, but has 1001',
      { data: Array.from({ length: 1001 }, () => 'asha@example.com') },
      {},
    ],
    ['channel must be a header of the request, not a field of its body', { ...valid, channel: 'sms' }, {}],
    [
      'Idempotency-Key must have 1 to 255 printable ASCII characters and no spaces',
      valid,
      { 'idempotency-key': 'a b' },
    ],
  ])('says: %s', async (message, body, headers) => {
    const answer = await send(body, headers);
    expect(answer).toMatchObject({ status: 400, body: { message, status: 400 } });
    expect(await service.context.db.selectFrom('request_queue').select('seq').execute()).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  test.each(['[]', '5', 'null', '"asha@example.com"', '', '{"data": ['])('has the body %j', async (body) => {
    const answer = await send(body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body)).toEqual(['message', 'status']);
  });

  test('has no key, a wrong key, or a key without the scope', async () => {
    expect(await send(valid, { 'api-key': '' })).toMatchObject({
      status: 400,
      body: { message: 'api key can not be blank in headers' },
    });
    expect(await send(valid, { 'api-key': 'wrong' })).toMatchObject({
      status: 401,
      body: { message: 'invalid api key' },
    });
    const { body: reader } = await account.operator('POST', '/api-keys', { name: 'R', scopes: ['contacts:read'] });
    expect(await send(valid, { 'api-key': reader.api_key })).toMatchObject({
      status: 403,
      body: { message: 'The caller does not have the scope contacts:write', status: 403 },
    });
  });

  test('has another method', async () => {
    const answer = await service.call('GET', '/v3/contact/blacklist', { headers: { 'api-key': account.apiKey } });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
  });
});
