import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { keepsAll, record, recorded, stored } from './support.ts';

let account: TestAccount;
const service = await forFile(startTestService());

/** Sends a body unchanged. */
const send = (body: string | Buffer, headers: Record<string, string>) =>
  service.call('POST', `/admin/v1/accounts/${account.accountId}/activities`, {
    body,
    headers: { authorization: `Bearer ${testAdminToken}`, ...headers },
  });
const lines = { 'content-type': 'application/x-ndjson' };

beforeAll(async () => {
  account = await service.createAccount();
});

describe('the body of a request that records activities', () => {
  test('a JSON body is accepted and applied', async () => {
    const answer = await account.operator('POST', '/activities', { data: [record({ id: 'first' })] });
    expect(answer).toMatchObject({ status: 200, body: { code: 200, status: 'success' } });
    await service.settled();
    const request = (await account.operator('GET', `/requests/${answer.body.request_id}`)).body;
    expect(request).toMatchObject({
      operation: 'activity.record',
      status: 'done',
      counts: { total: 1, created: 1, failed: 0 },
    });
    expect(await stored(service, account)).toMatchObject([
      { contact_key: 'asha@example.com', channel: 1, activity: 1 },
    ]);
  });

  test('the body can be one record a line, with blank lines, CRLF line ends and no final line end', async () => {
    const before = (await stored(service, account)).length;
    const body = `${JSON.stringify(record({ id: 'a' }))}\r\n\n  ${JSON.stringify(record({ id: 'b' }))}  `;
    expect((await send(body, lines)).status).toBe(200);
    expect((await send(body, { 'content-type': 'application/ndjson; charset=utf-8' })).status).toBe(200);
    await service.settled();
    expect(await stored(service, account)).toHaveLength(before + 2);
  });

  test.each([
    ['JSON', 'application/json', () => JSON.stringify({ data: [record({ id: 'packed' })] })],
    ['lines', 'application/x-ndjson', () => JSON.stringify(record({ id: 'packed lines' }))],
  ])('a gzip-compressed body is accepted: %s', async (_name, type, body) => {
    const before = (await stored(service, account)).length;
    const headers = { 'content-type': type, 'content-encoding': 'gzip' };
    expect((await send(gzipSync(body()), headers)).status).toBe(200);
    await service.settled();
    expect(await stored(service, account)).toHaveLength(before + 1);
  });

  test('a body that decompresses to more than the limit is refused before it is read', async () => {
    const bomb = gzipSync(Buffer.alloc(17 * 1024 * 1024, ' '));
    expect(bomb.length).toBeLessThan(20_000);
    const answer = await send(bomb, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    expect([answer.status, answer.body.code]).toEqual([413, 413]);
  });

  test.each([
    ['not gzip', Buffer.from('{"data":[]}')],
    ['truncated gzip', gzipSync(JSON.stringify({ data: [record()] })).subarray(0, 40)],
  ])('a body with the header `content-encoding: gzip` that is %s is refused with 400', async (_name, body) => {
    const answer = await send(body, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    expect([answer.status, answer.body.description]).toEqual([400, expect.stringContaining('gzip')]);
  });

  test('a body of another encoding or type is refused with 415', async () => {
    expect((await send('x', { 'content-type': 'application/json', 'content-encoding': 'br' })).status).toBe(415);
    expect((await send('x', { 'content-type': 'text/csv' })).status).toBe(415);
  });

  test('the answer names every invalid line, and counts blank lines', async () => {
    const body = [
      JSON.stringify(record()),
      '',
      '{"identity": ',
      JSON.stringify(record({ channel: 'fax' })),
      JSON.stringify(record({ identity: undefined })),
      '[]',
    ].join('\n');
    const answer = await send(body, lines);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([
      { code: 'invalid_format', field: 'line 3', message: 'is not valid JSON. Each line must be one record' },
      expect.objectContaining({ code: 'unknown_value', field: 'line 4.channel' }),
      expect.objectContaining({ code: 'required', field: 'line 5.identity' }),
      expect.objectContaining({ code: 'invalid_type', field: 'line 6' }),
    ]);
  });

  test('a body must have 1 to 10,000 records', async () => {
    expect((await account.operator('POST', '/activities', { data: [] })).body.errors).toMatchObject([
      { code: 'too_few_items', field: 'data' },
    ]);
    expect((await send('\n\n', lines)).body.errors).toMatchObject([{ code: 'too_few_items', field: 'data' }]);
    const many = Array.from({ length: 10_001 }, () => record());
    expect((await account.operator('POST', '/activities', { data: many })).body.errors).toMatchObject([
      { code: 'too_many_items', field: 'data' },
    ]);
    const answer = await send(many.map((one) => JSON.stringify(one)).join('\n'), lines);
    expect(answer.body.errors).toMatchObject([{ code: 'too_many_items', field: 'data' }]);
  });

  test('the answer names every invalid field', async () => {
    const wrong: [field: string, value: unknown, code: string][] = [
      ['identity', ' ', 'required'],
      ['identity', 'anonymous/x', 'invalid_format'],
      ['channel', 'pigeon', 'unknown_value'],
      ['activity', 'read', 'unknown_value'],
      ['occurred_at', '2026-01-31', 'invalid_format'],
      ['occurred_at', '2026-01-31T09:00:00', 'invalid_format'],
      ['occurred_at', null, 'required'],
      ['message_id', 1.5, 'invalid_type'],
      ['message_id', -1, 'out_of_range'],
      ['msg_name', 'x'.repeat(256), 'too_long'],
      ['ip', 'x'.repeat(46), 'too_long'],
      ['link', 'x'.repeat(2049), 'too_long'],
      ['bounce_type', 'medium', 'unknown_value'],
      ['bounceType', 'hard', 'unknown_field'],
      ['id', '', 'required'],
      ['id', {}, 'invalid_type'],
      ['os', 'a\u0000b', 'invalid_character'],
    ];
    const answer = await account.operator('POST', '/activities', {
      data: wrong.map(([field, value]) => record({ [field]: value })),
    });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ code, field }: Record<string, string>) => [field, code])).toEqual(
      wrong.map(([field, , code], at) => [`data[${at}].${field}`, code]),
    );
  });

  test('records are refused for an account that does not exist, and without the operator token', async () => {
    expect((await service.operator('POST', '/accounts/999/activities', { data: [record()] })).status).toBe(404);
    expect((await send('{}', { ...lines, authorization: 'Bearer nobody' })).status).toBe(401);
  });
});

describe('a recorded activity', () => {
  beforeAll(async () => {
    account = await service.createAccount({ name: 'Records' });
  });

  test('a record is stored with only the fields that apply to its activity', async () => {
    const all = {
      message_id: '12',
      msg_name: 'Offers\t|\\N\r\n\\.',
      ip: '203.0.113.7',
      device: 'Mobile',
      os: 'Android 16',
      browser: 'Chrome',
      link: 'https://example.com/?a=1|2&b=\\n',
      bounce_type: 'HARD',
    };
    const kinds = ['sent', 'delivered', 'open', 'click', 'bounce', 'unsubscribe', 'spam'];
    const at = Date.now() - 60_000;
    const records = kinds.map((activity, n) =>
      record({ ...all, activity, occurred_at: new Date(at + n).toISOString(), channel: 'web_push' }),
    );
    expect(await recorded(service, account, records)).toMatchObject({ counts: { created: 7 } });
    const none = { ip: null, device: null, os: null, browser: null, link: null, hard_bounce: null };
    const device = { ip: '203.0.113.7', device: 'Mobile', os: 'Android 16', browser: 'Chrome' };
    expect(await stored(service, account)).toMatchObject(
      [
        none,
        none,
        { ...none, ...device },
        { ...device, link: all.link },
        { ...none, hard_bounce: true },
        device,
        device,
      ].map((extra, n) => ({ message_id: 12, msg_name: 'Offers\t|\\N\r\n\\.', activity: n + 1, channel: 5, ...extra })),
    );
  });

  test('a blank optional field is stored as null', async () => {
    const other = await service.createAccount({ name: 'Blank' });
    const none = { message_id: null, msg_name: null, ip: null, device: null, os: null, browser: null, link: null };
    const blank = Object.fromEntries(Object.keys(none).map((field, at) => [field, ' '.repeat(at % 2)]));
    const records = ['click', 'bounce'].map((activity) => record({ ...blank, activity, bounce_type: '' }));
    expect(await recorded(service, other, records)).toMatchObject({ counts: { total: 2, created: 2 } });
    expect(await stored(service, other)).toMatchObject([none, { ...none, hard_bounce: false }]);
  });

  test('the time of a record is kept to the millisecond, whatever its offset', async () => {
    const old = await service.createAccount({ name: 'Old', settings: keepsAll });
    await recorded(service, old, [record({ occurred_at: '2026-01-31t23:30:00.1239-05:30' })]);
    const rows = await stored(service, old);
    expect(rows.map((row) => row.occurred_at.toISOString())).toEqual(['2026-02-01T05:00:00.123Z']);
  });

  test('a record is stored under the normalised form of its identity', async () => {
    const mobile = await service.createAccount({ name: 'Mobile', primary_key: 'MOBILE' });
    const custom = await service.createAccount({ name: 'Custom', primary_key: 'CUSTOMER_ID' });
    await recorded(service, account, [record({ identity: ' Asha.K@Example.COM ' })]);
    await recorded(service, mobile, [record({ identity: '+91 98123-45678' }), record({ identity: 919_812_345_679 })]);
    await recorded(service, custom, [
      record({ identity: 'C-1' }),
      record({ identity: 12 }),
      record({ identity: 'C|\\1' }),
    ]);
    const keys = async (of: TestAccount) => (await stored(service, of)).map((row) => row.contact_key).sort();
    expect(await keys(account)).toContain('asha.k@example.com');
    expect(await keys(mobile)).toEqual(['919812345678', '919812345679']);
    expect(await keys(custom)).toEqual(['12', 'C-1', 'C|\\1']);
  });

  test('only a record with an invalid identity or time fails, with the reason', async () => {
    const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();
    const request = await recorded(service, account, [
      record(),
      record({ identity: 'no address' }),
      record({ occurred_at: days(0.9) }),
      record({ occurred_at: days(1.1) }),
      record({ occurred_at: days(-25 * 30) }),
      record({ occurred_at: days(-27 * 31) }),
      record({ occurred_at: '0001-01-01T00:00:00Z' }),
    ]);
    expect(request).toMatchObject({ status: 'done', counts: { total: 7, created: 3, failed: 4, warnings: 0 } });
    expect(request.failures.map(({ index, code, field }) => [index, code, field])).toEqual([
      [1, 'identity_invalid', 'identity'],
      [3, 'activity_in_future', 'occurred_at'],
      [5, 'activity_too_old', 'occurred_at'],
      [6, 'activity_too_old', 'occurred_at'],
    ]);
  });
});

describe('a repeated record', () => {
  const of = (fields: object = {}) => record({ occurred_at: '2026-03-03T03:03:03.333Z', id: 'r', ...fields });
  beforeAll(async () => {
    account = await service.createAccount({ name: 'Repeats', settings: keepsAll });
  });

  test('a repeated record changes nothing, in the same request or in the next', async () => {
    expect(await recorded(service, account, [of(), of(), of({ msg_name: 'Other' })])).toMatchObject({
      counts: { total: 3, created: 1, unchanged: 2 },
    });
    expect(await recorded(service, account, [of({ identity: 'ASHA@example.com' }), of({ id: 'new' })])).toMatchObject({
      counts: { total: 2, created: 1, unchanged: 1 },
    });
    expect(await stored(service, account)).toHaveLength(2);
  });

  test('a record is a repeat if its identity, channel, time and id are the same', async () => {
    const others = [
      of({ identity: 'other@example.com' }),
      of({ channel: 'sms' }),
      of({ occurred_at: '2026-03-03T03:03:03.334Z' }),
      of({ id: 'R' }),
    ];
    expect(await recorded(service, account, others)).toMatchObject({ counts: { created: 4, unchanged: 0 } });
    expect(await recorded(service, account, [of({ id: ' r ' }), ...others])).toMatchObject({
      counts: { unchanged: 5 },
    });
  });

  test('a record without an id is never treated as a repeat', async () => {
    const twice = [of({ id: undefined }), of({ id: undefined })];
    expect(await recorded(service, account, twice)).toMatchObject({ counts: { created: 2 } });
    expect(await recorded(service, account, twice)).toMatchObject({ counts: { created: 2 } });
  });

  test('a repeated record is recognised in every month', async () => {
    const months = ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00Z', '2026-02-28T23:59:59.999Z'];
    const records = months.map((occurred_at) => of({ occurred_at }));
    expect(await recorded(service, account, records)).toMatchObject({ counts: { created: 3 } });
    expect(await recorded(service, account, [...records, ...records])).toMatchObject({ counts: { unchanged: 6 } });
  });

  test('a record is not compared with those of another account', async () => {
    const other = await service.createAccount({ name: 'Other', settings: keepsAll });
    expect(await recorded(service, other, [of()])).toMatchObject({ counts: { created: 1 } });
  });
});
