import { expect, test } from 'vitest';
import { startImportService } from '../imports/import-service.ts';
import { forFile } from '../support/for-file.ts';

const imports = await forFile(startImportService());
await imports.account.operator('PATCH', '', { settings: { events: true } });

const newest = async () => (await imports.account.operator('GET', '/event-feed?limit=10000')).body.data.at(-1);

test('the end of an import is an event after those of its contacts, but not the end of a dry run', async () => {
  const file = 'email,city\nada@example.com,Pune\nbob@example.com,Ulm\nnobody,\n';
  const { import_id: id } = await imports.run(file);
  const event = await newest();
  expect(event).toMatchObject({ kind: 'import.completed', contact_id: null, request_id: null });
  expect(event.details).toEqual({ import_id: id, created: 2, updated: 0, unchanged: 0, failed: 1 });
  await imports.run(file, { dry_run: true });
  expect(await newest()).toEqual(event);
});

test('the end of an export is an event with its request', async () => {
  const { request_id: id } = (await imports.account.operator('POST', '/exports', { filter: {} })).body;
  await expect.poll(async () => (await newest()).kind).toBe('export.completed');
  expect(await newest()).toMatchObject({
    request_id: id,
    contact_id: null,
    details: { row_count: 2, audience_type: null, audience_id: null },
  });
});

test('an account that wants no events has none of its imports', async () => {
  const other = await imports.service.createAccount();
  await imports.run('email\nada@example.com\n', {}, other);
  expect((await other.operator('GET', '/event-feed')).body).toEqual({ data: [], next_after: 0, last_position: 0 });
});

test('an API key reads the feed of its own account if it has the scope', async () => {
  const keyWith = async (...scopes: string[]) =>
    (await imports.account.operator('POST', '/api-keys', { name: 'Feed', scopes })).body.api_key;
  const read = (accountId: number, key: string) =>
    imports.service.call('GET', `/admin/v1/accounts/${accountId}/event-feed?limit=1`, { headers: { 'api-key': key } });
  const { accountId } = imports.account;
  const key = await keyWith('events:read');
  const { status, body } = await read(accountId, key);
  expect(status).toBe(200);
  expect(body.data).toHaveLength(1);
  expect((await read(accountId, await keyWith('contacts:read'))).status).toBe(403);
  const other = await imports.service.createAccount();
  expect((await read(other.accountId, key)).status).not.toBe(200);
});
