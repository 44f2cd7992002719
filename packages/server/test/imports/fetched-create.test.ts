import { beforeEach, describe, expect, test } from 'vitest';
import { parseAllowList } from '#platform/config/allow-list.ts';
import { importFromUrl } from '#features/imports/routes/import-from-url.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { loopback } from '../callbacks/support.ts';
import { forFile } from '../support/for-file.ts';
import type { TestAccount } from '../support/service.ts';
import { startImportService } from './import-service.ts';

const csv = 'EMAIL,First name,SHOE_SIZE\nasha@example.com,Asha,38\nbroken,Omar,41\n';

let account: TestAccount;

const config = { callbackAllow: parseAllowList('files.test') };
const imports = await forFile(startImportService({ jobs: false, resolveHost: loopback, config }));
const server = await forFile(startReceiver((response) => void response.end(csv)));
beforeEach(async () => {
  account = await imports.service.createAccount({ name: 'Fetching' });
});

function urlOf(): string {
  return `http://files.test:${server.port}/customers.csv`;
}

describe('the creation of an import that fetches its file', () => {
  test.each([
    ['no URL', 'customers.csv', 'invalid_format'],
    ['another scheme', 'ftp://files.example.com/a.csv', 'invalid_format'],
    ['a password', 'https://user:pass@files.example.com/a.csv', 'not_allowed'],
    ['plain HTTP', 'http://files.example.com/a.csv', 'not_allowed'],
    ['a private address', 'https://10.0.0.1/a.csv', 'not_allowed'],
    ['this machine', 'https://localhost/a.csv', 'not_allowed'],
    ['too many characters', `https://files.example.com/${'a'.repeat(4000)}`, 'too_long'],
  ])('is refused with %s', async (_what, source_url, code) => {
    const refused = await account.operator('POST', '/imports', { source_url, notify_email: 'nobody' });
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.body.errors).toHaveLength(2);
    expect(refused.body.errors).toContainEqual(expect.objectContaining({ code, field: 'source_url' }));
  });

  test('needs the permission of imports, and other accounts do not see the import', async () => {
    const { import_id } = await imports.create({ source_url: urlOf() }, account);
    const other = await imports.service.createAccount({ name: 'Stranger' });
    expect((await other.operator('GET', `/imports/${import_id}`)).status).toBe(404);
    expect((await other.operator('POST', `/imports/${import_id}/cancel`)).status).toBe(404);
    const anonymous = await imports.service.call('POST', `/admin/v1/accounts/${account.accountId}/imports`, {
      body: { source_url: urlOf() },
    });
    expect(anonymous.status).toBe(401);
    expect((await account.operator('POST', `/imports/${import_id}/cancel`)).status).toBe(200);
  });

  test('is possible for other features with a URL, a list and an address', async () => {
    const { context } = imports.service;
    const list = await account.operator('POST', '/lists', { name: 'Friends' });
    const listId = list.body.audience_id as number;
    const id = await importFromUrl(
      context,
      account.accountId,
      { url: urlOf(), listId, notifyEmail: 'asha@example.com' },
      'api-key:1',
    );
    await using _jobs = imports.service.startJobs();
    const done = await imports.ended(id, account);
    expect(done).toMatchObject({ status: 'completed', audience_ids: [listId], counts: { created: 1, failed: 1 } });
    const { mail_id } = await imports.find(id, account);
    const mail = await account.operator('GET', `/mails/${mail_id}`);
    expect(mail.body).toMatchObject({
      to: 'asha@example.com',
      text: expect.stringContaining(`Lists: Friends (${listId})`) as string,
    });
    await expect(
      importFromUrl(context, account.accountId, { url: 'http://10.0.0.1/', listId: 999, notifyEmail: 'x' }, 'system'),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      faults: expect.arrayContaining([
        expect.objectContaining({ field: 'source_url' }),
        expect.objectContaining({ field: 'audience_ids[0]' }),
        expect.objectContaining({ field: 'notify_email' }),
      ]),
    });
  });
});
