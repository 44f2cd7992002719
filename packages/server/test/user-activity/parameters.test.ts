import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer } from '../support/service.ts';
import { createContacts, record, recorded } from '../activities/support.ts';
import { ask, requestData, send, words } from './support.ts';

const log: string[] = [];
const logger = pino({ level: 'trace' }, { write: (line: string) => void log.push(line) });
const service = await forFile(startTestService({ log: logger, now: () => new Date('2026-06-15T12:00:00Z') }));
const query: { type: string; activity: string; apikey: string } = { ...words, apikey: service.first.apiKey };
await createContacts(service.first, 'a+b&c@example.com');
await recorded(service, service.first, [
  record({ identity: 'a+b&c@example.com', occurred_at: '2026-06-03T10:00:00Z', msg_name: 'found' }),
]);

// An address with characters that have a meaning in forms.
const data = requestData({ primary_key: 'a+b&c@example.com' });
const json = JSON.stringify(data);
const encoded = encodeURIComponent(json);

/** Returns a multipart body as `curl -F` sends it. */
function inParts(value: string, more = ''): string {
  const delimiter = '--------------------------0123456789abcdef';
  const part = (name: string, text: string) =>
    `Content-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
  return `${delimiter}\r\n${part('x', '1')}${delimiter}\r\n${part('data', value)}${delimiter}--\r\n`;
}

describe('a request for user activity', () => {
  const bodies: [string, string, string][] = [
    ['JSON with data as JSON in a string', JSON.stringify({ data: json }), 'application/json'],
    ['JSON with data as an object', JSON.stringify({ data }), 'application/json'],
    [
      'JSON with data as JSON in a string in a string',
      JSON.stringify({ data: JSON.stringify(json) }),
      'application/json',
    ],
    [
      'JSON with keys in another letter case',
      JSON.stringify({ DATA: { ...data, Primary_Key: data.primary_key } }),
      'application/json',
    ],
    ['JSON with a byte order mark and spaces', `\uFEFF \n${JSON.stringify({ data })}\n`, 'application/json'],
    ['the text data=…', `data=${json}`, 'application/json'],
    ['the text data=… with spaces', ` data = ${json} \n`, 'application/json'],
    ['the text data=… followed by more parameters', `data=${json}&x=1`, 'application/json'],
    ['the text data=… with JSON in a string', `data=${JSON.stringify(json)}`, 'text/plain'],
    ['the text data=… with a percent-encoded value', `data=${encoded}`, 'application/json'],
    ['the text data=…, percent-encoded as a whole', encodeURIComponent(`data=${json}`), 'text/plain'],
    ['a form', new URLSearchParams({ data: json }).toString(), 'application/x-www-form-urlencoded'],
    ['a multipart form', inParts(json), 'multipart/form-data; boundary=------------------------0123456789abcdef'],
    ['a multipart form with a file', inParts(json, '; filename="data.json"'), 'multipart/form-data'],
  ];
  const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain; charset=x', 'nonsense', 'a/b/c'];

  test.each(bodies)('may have the body: %s, with any content type', async (_name, body, type) => {
    for (const contentType of [type, ...types]) {
      const answer = await send(service, query, body, { 'content-type': contentType });
      expect(answer.body, contentType).toMatchObject({
        status: 'success',
        result: { channel_activity: [{ msg_name: 'found' }] },
      });
    }
  });

  test('may have no content type', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: `/apiv2?${new URLSearchParams(query).toString()}`,
      payload: Buffer.from(`data=${json}`),
    });
    expect(answer.json().status).toBe('success');
  });

  test('may have all parameters in a JSON body or a form', async () => {
    for (const body of [JSON.stringify({ ...query, data }), new URLSearchParams({ ...query, data: json }).toString()]) {
      expect((await send(service, '', body)).body).toMatchObject({ status: 'success' });
    }
  });

  test('may have all parameters in the query and no body', async () => {
    const answer = await send(service, { ...query, data: json });
    expect(answer.body).toMatchObject({ status: 'success', result: { channel_activity: [{ msg_name: 'found' }] } });
  });

  test('may have names and values in another letter case, and the names fromdate and todate', async () => {
    const { from_date: fromdate, to_date: todate, ...rest } = data;
    const other = { ...rest, channel: ' EMAIL ', FromDate: fromdate, todate };
    const upper = { TYPE: 'Export_Data', Activity: words.activity.toUpperCase(), ApiKey: ` ${query.apikey} ` };
    const answer = await send(service, upper, `Data=${JSON.stringify(other)}`);
    expect(answer.body).toMatchObject({
      status: 'success',
      result: { from_date: '01062026', to_date: '07062026', channel: 'email' },
    });
  });

  test('uses from_date if it has both from_date and fromdate', async () => {
    for (const both of [
      { ...data, fromdate: '01012020' },
      { fromdate: '01012020', ...data },
    ]) {
      const answer = await send(service, query, `data=${JSON.stringify(both)}`);
      expect(answer.body).toMatchObject({ status: 'success', result: { from_date: '01062026' } });
    }
  });
});

describe('a parameter of user activity', () => {
  test('in the query overrides the same parameter in the body', async () => {
    const answer = await send(service, query, JSON.stringify({ ...query, type: 'nonsense', apikey: 'nobody', data }));
    expect(answer.body.status).toBe('success');
    expect((await send(service, { ...query, type: 'nonsense' }, JSON.stringify({ ...query, data }))).status).toBe(400);
  });

  test('is refused if it occurs twice with different values', async () => {
    const twice = `${new URLSearchParams(query).toString()}&type=other`;
    expect((await send(service, twice, `data=${json}`)).body).toEqual({
      status: 'error',
      result: 'Invalid request',
      details: 'type is given twice, with different values. Leave one of them out.',
    });
    const same = `${new URLSearchParams(query).toString()}&type=${words.type}`;
    expect((await send(service, same, `data=${json}`)).status).toBe(200);
  });

  test('is named in the answer if it is missing or wrong, together with all others', async () => {
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
    ['missing data', undefined, `data is required. ${form}`],
    ['blank data', 'data=', `data is required. ${form}`],
    ['data that is not JSON', 'data=hello', `data is not valid JSON. ${form}`],
    ['incomplete data', `data=${json.slice(0, 40)}`, `data is not valid JSON. ${form}`],
    ['data followed by another text', `data=${json} x`, `data is not valid JSON. ${form}`],
    ['data that is a list', 'data=[]', 'data must be an object with primary_key, channel, from_date and to_date'],
    ['data that is a number', '{"data":5}', 'data must be an object with primary_key, channel, from_date and to_date'],
    [
      'an incomplete JSON body',
      '{"data":',
      `The request has a body that begins like JSON but is not valid JSON. data is required. ${form}`,
    ],
    [
      'an incomplete multipart form',
      inParts(json).slice(0, 150),
      `The request has a body that begins like multipart/form-data but is not valid. Send the parameters as JSON. data is required. ${form}`,
    ],
    [
      'a body that is not UTF-8',
      Buffer.from([0xff, 0xfe]),
      `The request has a body that is not UTF-8. data is required. ${form}`,
    ],
  ])('is refused with 400: %s', async (_name, body, details) => {
    const answer = await send(service, query, body);
    expect([answer.status, answer.body]).toEqual([400, { status: 'error', result: 'Invalid request', details }]);
  });
});

describe('the API key of a user activity request', () => {
  test.each([
    ['missing', {}],
    ['blank', { apikey: ' ' }],
    ['unknown', { apikey: 'rk_unknown' }],
  ])('gives 401 when it is %s, even if more is wrong', async (_name, key) => {
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

  test('needs the scope activity:read', async () => {
    const { body } = await service.first.operator('POST', '/api-keys', { name: 'other', scopes: ['contacts:read'] });
    const answer = await ask(service, { apiKey: body.api_key });
    expect([answer.status, answer.body]).toEqual([
      403,
      { status: 'error', result: 'Missing scope', details: 'The API key does not have the scope activity:read' },
    ]);
    const right = await service.first.operator('POST', '/api-keys', { name: 'right', scopes: ['activity:read'] });
    expect((await ask(service, { apiKey: right.body.api_key })).status).toBe(200);
  });

  test('of another account finds no activities of this account', async () => {
    const other = await service.createAccount();
    const answer = await ask(service, other, { primary_key: data.primary_key });
    expect(answer.body).toMatchObject({ status: 'success', result: { channel_activity: [] } });
  });
});

describe('an error of user activity has the shape of apiv2', () => {
  const error = (result: string, details: unknown) => ({ status: 'error', result, details });

  test('with 405 and the header Allow for other methods', async () => {
    // Only older calls accept GET.
    for (const [method, allow] of [
      ['GET', 'POST'],
      ['PUT', 'GET, POST'],
      ['DELETE', 'GET, POST'],
    ] as const) {
      const answer = await service.call(method, `/apiv2?apikey=${query.apikey}`);
      expect([answer.status, answer.headers['allow'], answer.body]).toEqual([
        405,
        allow,
        error('Method not allowed', `This path does not accept ${method}. It accepts ${allow}.`),
      ]);
    }
  });

  test('with 404 for paths below /apiv2', async () => {
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

  test('with 413 for a body that is too large, and 415 for a compressed body', async () => {
    const answer = await send(service, query, `data=${json}${' '.repeat(17_000)}`);
    expect([answer.status, answer.body]).toEqual([413, error('Request too large', expect.stringContaining('16 KiB'))]);
    const compressed = await send(service, query, 'x', { 'content-encoding': 'gzip' });
    expect([compressed.status, compressed.body]).toEqual([415, error('Invalid request', expect.any(String))]);
  });

  test('with 413 for JSON with too many values, and 400 for JSON that is nested too deeply', async () => {
    const many = await send(service, query, `{"data":[${'{},'.repeat(1000)}{}]}`);
    expect([many.status, many.body]).toEqual([
      413,
      error('Request too large', expect.stringContaining('1,000 values')),
    ]);
    const deep = await send(service, query, `{"data":${'['.repeat(33)}${']'.repeat(33)}}`);
    expect([deep.status, deep.body]).toEqual([400, error('Invalid request', expect.stringContaining('32 levels'))]);
  });

  test('with 429 over the rate limit, with the key in the query or in the body', async () => {
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

  test('with 500 and the request_id, but no internals, when the database query fails', async () => {
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

test('the log and the metrics contain no API key, identity or data of user activity requests', async () => {
  const metrics = await service.call('GET', '/metrics');
  expect(metrics.body).toContain('route="/apiv2"');
  for (const text of [...log, metrics.body as string]) {
    for (const secret of [query.apikey, 'rk_unknown', 'example.com', 'data=', 'get_user_channel']) {
      expect(text.includes(secret), `${secret} in ${text.slice(0, 300)}`).toBe(false);
    }
  }
  expect(log.some((line) => line.includes('/apiv2'))).toBe(true);
});
