import { expect, test } from 'vitest';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService({ worker: false }));
const key = service.first.apiKey;

const send = (url: string, headers: Record<string, string>) =>
  service.call(
    url.startsWith('/admin') ? 'GET' : 'POST',
    url,
    url.startsWith('/admin') ? { headers } : { headers, body: {} },
  );

test.each([
  ['/v5/contact/search', 'ApiKey realm="Roster", header="api-key"'],
  ['/v4/audience/export', 'ApiKey realm="Roster", header="api-key"'],
  ['/apiv2', 'ApiKey realm="Roster", parameter="apikey"'],
  ['/admin/v1/accounts', 'Bearer realm="Roster operator API"'],
])('a 401 answer of %s says how to authenticate', async (url, challenge) => {
  const { status, headers } = await send(url, {});
  expect([status, headers['www-authenticate']]).toEqual([401, challenge]);
});

test('a credential in the wrong place gets a hint that does not repeat the credential', async () => {
  const cases: [string, Record<string, string>, RegExp][] = [
    ['/v5/contact/search', { authorization: `Bearer ${key}` }, /header api-key, not in the header Authorization/],
    ['/v5/contact/search', { 'x-api-key': key }, /header api-key, not in the header x-api-key/],
    ['/v5/contact/search', { api_key: key }, /header api-key, not in the header api_key/],
    ['/admin/v1/accounts', { authorization: testAdminToken }, /Bearer <token>", with the word Bearer/],
    [`/v5/contact/search?apikey=${key}`, {}, /header api-key, not in the query/],
    ['/v4/audience/export', { authorization: key }, /header api-key, not in the header Authorization/],
    ['/apiv2', { 'api-key': key }, /parameter apikey, not in the header api-key/],
    ['/admin/v1/accounts', { authorization: `Bearer ${key}` }, /Send the API key in the header api-key/],
    ['/admin/v1/accounts', { apikey: key }, /Authorization: Bearer <token>", not in the header apikey/],
    ['/admin/v1/accounts', { 'x-api-key': testAdminToken }, /Bearer <token>", not in the header x-api-key/],
  ];
  for (const [url, headers, hint] of cases) {
    const answer = await send(url, headers);
    const text = JSON.stringify(answer.body).replaceAll('\\"', '"');
    expect([url, answer.status]).toEqual([url, 401]);
    expect(text).toMatch(hint);
    expect(answer.headers['www-authenticate']).toContain('error_description="Send the ');
    expect(text + String(answer.headers['www-authenticate'])).not.toContain(key);
  }
});

test('batch add keeps its own message, and has the hint in the header WWW-Authenticate', async () => {
  const { status, headers, body } = await send('/v3/contact/batchadd', { authorization: `Bearer ${key}` });
  expect([status, body]).toEqual([400, { message: 'api key can not be blank in headers', status: 400 }]);
  expect(headers['www-authenticate']).toContain('not in the header Authorization');
});
