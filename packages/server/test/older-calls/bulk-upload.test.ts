import { expect, test } from 'vitest';
import { parseAllowList } from '#platform/config/allow-list.ts';
import { startReceiver, trustReceivers } from '../callbacks/receiver.ts';
import { loopback } from '../callbacks/support.ts';
import { startImportService } from '../imports/import-service.ts';
import { forFile } from '../support/for-file.ts';

trustReceivers();
const imports = await forFile(
  startImportService({
    resolveHost: loopback,
    config: { callbackAllow: parseAllowList('files.test') },
  }),
);
const files = await forFile(
  startReceiver((response) => void response.end('EMAIL,FIRST_NAME,SHOE\nasha@example.com,Asha,38\n')),
);
const account = await imports.service.createAccount({ name: 'Older' });
const scopes = ['imports:write', 'contacts:read'];
const apiKey: string = (await account.operator('POST', '/api-keys', { name: 'Uploads', scopes })).body.api_key;

const upload = (body: Record<string, string>, key = apiKey) => {
  const query = new URLSearchParams({ type: 'contact', activity: 'bulkupload', apikey: key });
  return imports.service.call('POST', `/apiv2?${query.toString()}`, {
    body: new URLSearchParams(body).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
};

test('a file at a URL is imported into a list', async () => {
  const list = await account.createList('News');
  const path = `http://files.test:${files.port}/people.csv`;
  const answer = await upload({ path, listid: String(list), notifyemail: 'ops@example.com' });
  expect(answer).toMatchObject({ status: 200, body: { result: 'Success' } });
  const [, ...parts] = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(answer.body.requestid)!;
  const ended = await imports.ended(parts.join('-'), account);
  expect(ended).toMatchObject({ status: 'completed', notify_email: 'ops@example.com', counts: { created: 1 } });
  const rows = await account.rows({ output: { fields: ['EMAIL', 'FIRST_NAME', 'list_id'] } });
  expect(rows).toEqual([{ EMAIL: 'asha@example.com', FIRST_NAME: 'Asha', list_id: [list] }]);
});

test.for([
  [{}, 'path is required. Send the URL of a CSV file'],
  [{ path: 'people.csv' }, 'path must be'],
  [{ path: 'https://10.0.0.1/people.csv' }, 'path'],
  [{ path: 'https://files.test/people.csv', listid: '9999' }, 'listid'],
  [{ path: 'https://files.test/people.csv', notifyemail: 'nobody' }, 'notifyemail must be'],
] as const)('%j is refused: %s', async ([body, message]) => {
  const answer = await upload(body);
  expect(answer).toMatchObject({ status: 400, body: { result: 'Invalid request' } });
  expect(answer.body.details).toContain(message);
  expect(answer.body.details).not.toMatch(/source_url|audience_ids|notify_email/);
});

test('a key without the scope of imports is refused', async () => {
  expect(await upload({ path: 'https://files.test/people.csv' }, account.apiKey)).toMatchObject({
    status: 403,
    body: { result: 'Missing scope' },
  });
});
