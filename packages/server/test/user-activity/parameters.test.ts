import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type Answer, type TestService } from '../support/service.ts';
import { createContacts, record, recorded } from '../activities/support.ts';
import { ask, asked, send, words } from './support.ts';

let service: TestService;
let query: { type: string; activity: string; apikey: string };
const log: string[] = [];
beforeAll(async () => {
  const logger = pino({ level: 'trace' }, { write: (line: string) => void log.push(line) });
  service = await startTestService({ log: logger, now: () => new Date('2026-06-15T12:00:00Z') });
  query = { ...words, apikey: service.first.apiKey };
  await createContacts(service.first, 'a+b&c@example.com');
  await recorded(service, service.first, [
    record({ identity: 'a+b&c@example.com', occurred_at: '2026-06-03T10:00:00Z', msg_name: 'found' }),
  ]);
});
afterAll(() => service[Symbol.asyncDispose]());

// An address with what forms have a meaning for.
const data = asked({ primary_key: 'a+b&c@example.com' });
const json = JSON.stringify(data);
const encoded = encodeURIComponent(json);

/** What `curl -F` sends. */
function inParts(value: string, more = ''): string {
  const delimiter = '--------------------------0123456789abcdef';
  const part = (name: string, text: string) =>
    `Content-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
  return `${delimiter}\r\n${part('x', '1')}${delimiter}\r\n${part('data', value)}${delimiter}--\r\n`;
}

describe('a body is read', () => {
  const bodies: [string, string, string][] = [
    ['JSON with data as text', JSON.stringify({ data: json }), 'application/json'],
    ['JSON with data as an object', JSON.stringify({ data }), 'application/json'],
    ['JSON with data as text in text', JSON.stringify({ data: JSON.stringify(json) }), 'application/json'],
    ['JSON in other letters', JSON.stringify({ DATA: { ...data, Primary_Key: data.primary_key } }), 'application/json'],
    ['JSON with a byte order mark and spaces', `\uFEFF \n${JSON.stringify({ data })}\n`, 'application/json'],
    ['the literal text', `data=${json}`, 'application/json'],
    ['the literal text with spaces', ` data = ${json} \n`, 'application/json'],
    ['the literal text, more parameters behind it', `data=${json}&x=1`, 'application/json'],
    ['the literal text of a text', `data=${JSON.stringify(json)}`, 'text/plain'],
    ['the text, encoded', `data=${encoded}`, 'application/json'],
    ['the text, encoded as a whole', encodeURIComponent(`data=${json}`), 'text/plain'],
    ['a form', new URLSearchParams({ data: json }).toString(), 'application/x-www-form-urlencoded'],
    ['a form in parts', inParts(json), 'multipart/form-data; boundary=------------------------0123456789abcdef'],
    ['a form in parts with a file', inParts(json, '; filename="data.json"'), 'multipart/form-data'],
  ];
  const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain; charset=x', 'nonsense', 'a/b/c'];

  test.each(bodies)('as %s', async (_name, body, type) => {
    for (const contentType of [type, ...types]) {
      const answer = await send(service, query, body, { 'content-type': contentType });
      expect(answer.body, contentType).toMatchObject({
        status: 'success',
        result: { channel_activity: [{ msg_name: 'found' }] },
      });
    }
  });

  test('without a content type', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: `/apiv2?${new URLSearchParams(query).toString()}`,
      payload: Buffer.from(`data=${json}`),
    });
    expect(answer.json().status).toBe('success');
  });

  test('with all parameters, in JSON and in a form', async () => {
    for (const body of [JSON.stringify({ ...query, data }), new URLSearchParams({ ...query, data: json }).toString()]) {
      expect((await send(service, '', body)).body).toMatchObject({ status: 'success' });
    }
  });

  test('or not at all, when everything is in the query', async () => {
    const answer = await send(service, { ...query, data: json });
    expect(answer.body).toMatchObject({ status: 'success', result: { channel_activity: [{ msg_name: 'found' }] } });
  });

  test('with names and words in other letters, and the other names of the dates', async () => {
    const { from_date: fromdate, to_date: todate, ...rest } = data;
    const other = { ...rest, channel: ' EMAIL ', FromDate: fromdate, todate };
    const upper = { TYPE: 'Export_Data', Activity: words.activity.toUpperCase(), ApiKey: ` ${query.apikey} ` };
    const answer = await send(service, upper, `Data=${JSON.stringify(other)}`);
    expect(answer.body).toMatchObject({
      status: 'success',
      result: { from_date: '01062026', to_date: '07062026', channel: 'email' },
    });
  });

  test('where both names of a date are given, that of the contract wins', async () => {
    for (const both of [
      { ...data, fromdate: '01012020' },
      { fromdate: '01012020', ...data },
    ]) {
      const answer = await send(service, query, `data=${JSON.stringify(both)}`);
      expect(answer.body).toMatchObject({ status: 'success', result: { from_date: '01062026' } });
    }
  });
});

describe('a parameter', () => {
  test('of the query wins over the body', async () => {
    const answer = await send(service, query, JSON.stringify({ ...query, type: 'nonsense', apikey: 'nobody', data }));
    expect(answer.body.status).toBe('success');
    expect((await send(service, { ...query, type: 'nonsense' }, JSON.stringify({ ...query, data }))).status).toBe(400);
  });

  test('that is given twice with different values is refused', async () => {
    const twice = `${new URLSearchParams(query).toString()}&type=other`;
    expect((await send(service, twice, `data=${json}`)).body).toEqual({
      status: 'error',
      result: 'Invalid request',
      details: 'type is given twice, with different values. Leave one of them out.',
    });
    const same = `${new URLSearchParams(query).toString()}&type=${words.type}`;
    expect((await send(service, same, `data=${json}`)).status).toBe(200);
  });

  test('is named when it is missing or wrong, all in one answer', async () => {
    const { apikey } = query;
    const answer = await send(service, { apikey, activity: 'other' }, 'data={"channel":"fax","from_date":"31022026"}');
    expect(answer).toMatchObject({ status: 400, body: { status: 'error', result: 'Invalid request' } });
    expect(answer.body.details).toBe(
      [
        'type is required and must be "export_data".',
        'activity must be "get_user_channel_activity_data".',
        'data.primary_key is required. Send the value of the primary key of the person.',
        'data.channel must be one of email, sms, whatsapp, app_push, web_push.',
        'data.from_date must be a day that exists, written as DDMMYYYY, such as 23072018 for 23 July 2018.',
        'data.to_date is required.',
      ].join(' '),
    );
  });

  const form = 'Send an object with primary_key, channel, from_date and to_date.';
  test.each([
    ['no data', undefined, `data is required. ${form}`],
    ['blank data', 'data=', `data is required. ${form}`],
    ['data that is no JSON', 'data=hello', `data is not valid JSON. ${form}`],
    ['data that is cut off', `data=${json.slice(0, 40)}`, `data is not valid JSON. ${form}`],
    ['data with something behind it', `data=${json} x`, `data is not valid JSON. ${form}`],
    ['data that is a list', 'data=[]', 'data must be an object with primary_key, channel, from_date and to_date'],
    ['data that is a number', '{"data":5}', 'data must be an object with primary_key, channel, from_date and to_date'],
    [
      'JSON that is cut off',
      '{"data":',
      `The request has a body that begins like JSON but is not valid JSON. data is required. ${form}`,
    ],
    [
      'a form in parts that is cut off',
      inParts(json).slice(0, 150),
      `The request has a body that begins like multipart/form-data but is not valid. Send the parameters as JSON. data is required. ${form}`,
    ],
    [
      'a body that is not UTF-8',
      Buffer.from([0xff, 0xfe]),
      `The request has a body that is not UTF-8. data is required. ${form}`,
    ],
  ])('%s is 400', async (_name, body, details) => {
    const answer = await send(service, query, body);
    expect([answer.status, answer.body]).toEqual([400, { status: 'error', result: 'Invalid request', details }]);
  });
});

describe('the key', () => {
  test.each([
    ['missing', {}],
    ['blank', { apikey: ' ' }],
    ['unknown', { apikey: 'rk_unknown' }],
  ])('%s is 401, whatever else is wrong', async (_name, key) => {
    for (const body of [`data=${json}`, 'nonsense', '{"apikey":5}', undefined]) {
      const answer = await send(service, { type: 'nonsense', ...key }, body);
      expect([answer.status, answer.body]).toEqual([
        401,
        {
          status: 'error',
          result: 'Invalid API key',
          details: 'The parameter apikey is missing, blank or not a valid API key',
        },
      ]);
    }
  });

  test('needs the scope', async () => {
    const { body } = await service.first.operator('POST', '/api-keys', { name: 'other', scopes: ['contacts:read'] });
    const answer = await ask(service, { apiKey: body.api_key });
    expect([answer.status, answer.body]).toEqual([
      403,
      { status: 'error', result: 'Missing scope', details: 'The API key does not have the scope activity:read' },
    ]);
    const right = await service.first.operator('POST', '/api-keys', { name: 'right', scopes: ['activity:read'] });
    expect((await ask(service, { apiKey: right.body.api_key })).status).toBe(200);
  });

  test('of another account sees nothing of this one', async () => {
    const other = await service.createAccount();
    const answer = await ask(service, other, { primary_key: data.primary_key });
    expect(answer.body).toMatchObject({ status: 'success', result: { channel_activity: [] } });
  });
});

describe('every answer has the shape of apiv2', () => {
  const error = (result: string, details: unknown) => ({ status: 'error', result, details });

  test('405 for other methods, with Allow', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await service.call(method, `/apiv2?apikey=${query.apikey}`);
      expect([answer.status, answer.headers['allow'], answer.body]).toEqual([
        405,
        'POST',
        error('Method not allowed', `This path does not accept ${method}. It accepts POST.`),
      ]);
    }
  });

  test('404 below the path', async () => {
    const answer = await service.call('POST', '/apiv2/other?x=1', { body: '{}' });
    expect([answer.status, answer.body]).toEqual([
      404,
      error('Not found', 'There is no operation at this path. Did you mean /apiv2?'),
    ]);
    expect((await send(service, query, `data=${json}`)).status).toBe(200);
    expect(
      (await service.call('POST', `//apiv2/?${new URLSearchParams(query).toString()}`, { body: `data=${json}` }))
        .status,
    ).toBe(200);
  });

  test('413 for a body that is too large, 415 for one that is packed', async () => {
    const answer = await send(service, query, `data=${json}${' '.repeat(17_000)}`);
    expect([answer.status, answer.body]).toEqual([413, error('Request too large', expect.stringContaining('16 KiB'))]);
    const packed = await send(service, query, 'x', { 'content-encoding': 'gzip' });
    expect([packed.status, packed.body]).toEqual([415, error('Invalid request', expect.any(String))]);
  });

  test('413 and 400 for JSON that has more in it than the parameters', async () => {
    const many = await send(service, query, `{"data":[${'{},'.repeat(1000)}{}]}`);
    expect([many.status, many.body]).toEqual([
      413,
      error('Request too large', expect.stringContaining('1,000 values')),
    ]);
    const deep = await send(service, query, `{"data":${'['.repeat(33)}${']'.repeat(33)}}`);
    expect([deep.status, deep.body]).toEqual([400, error('Invalid request', expect.stringContaining('32 levels'))]);
  });

  test('429 beyond the rate limit of the key, wherever the key is', async () => {
    const limited = await service.createAccount({ name: 'Limited', settings: { rate_limit: 3 } });
    const statuses: number[] = [];
    let last: Answer | undefined;
    for (let n = 0; n < 5; n++) {
      const body = JSON.stringify({ ...words, apikey: limited.apiKey, data });
      last = n % 2 === 0 ? await send(service, '', body) : await ask(service, limited);
      statuses.push(last.status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(last!.body).toEqual(
      error('Too many requests', expect.stringMatching(/^Too many requests. Try again in \d+ s.$/)),
    );
    expect(last!.headers).toHaveProperty('retry-after');
  });

  test('500 and 503 name the request for the log, and nothing of what is inside', async () => {
    const { db } = service.context;
    await db.schema.alterTable('activities').renameTo('activities_away').execute();
    const answer = await send(service, query, `data=${json}`);
    await db.schema.alterTable('activities_away').renameTo('activities').execute();
    expect([answer.status, answer.body]).toEqual([
      500,
      error('Internal error', expect.stringMatching(/^An internal error occurred. .* \(request_id [0-9a-f-]{36}\)$/)),
    ]);
  });
});

test('neither the log nor the metrics have a key, an identity or an address of a request', async () => {
  const metrics = await service.call('GET', '/metrics');
  expect(metrics.body).toContain('route="/apiv2"');
  for (const text of [...log, metrics.body as string]) {
    for (const secret of [query.apikey, 'rk_unknown', 'example.com', 'data=', 'get_user_channel']) {
      expect(text.includes(secret), `${secret} in ${text.slice(0, 300)}`).toBe(false);
    }
  }
  expect(log.some((line) => line.includes('/apiv2'))).toBe(true);
});
