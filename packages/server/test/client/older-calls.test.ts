import { createClient, createOperatorClient } from '@roster/client';
import { expect, test } from 'vitest';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { listening } from '../support/listening.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService());
const url = await listening(service);
const roster = createClient({ url, apiKey: service.first.apiKey });
const account = createOperatorClient({ url, token: testAdminToken }).account(service.first.accountId);

test('the client lists the lists or segments of an account with their numbers', async () => {
  const { audience_id: id } = await account.lists.create({ name: 'Older' });
  const { api_key: apiKey } = await account.apiKeys.create({ name: 'Older', scopes: ['lists:read'] });
  const { older } = createClient({ url, apiKey });
  const filtering_criteria = { audience_ids: [id] };
  expect((await older.audiences({ audience_type: 'list', filtering_criteria })).audiences).toMatchObject([
    { audience_id: id, name: 'Older', count: 0 },
  ]);
  await expect(older.audiences({ audience_type: 'segment' })).rejects.toMatchObject({ status: 403 });
});

test('the client blacklists contacts by their primary key', async () => {
  const id = await roster.older.blacklist(['older@example.com'], { primaryKey: 'email', channel: 'sms' });
  expect((await account.requests.wait(id, { interval: 10 })).counts).toMatchObject({ total: 1, created: 1 });
  await expect(roster.older.blacklist(['older@example.com'], { primaryKey: 'MOBILE' })).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'blacklistContacts: 400 header primarykey must be EMAIL, the primary key of the account',
  });
});

test('the client reports an unreachable database in v3 like a 503', async () => {
  const answer = { message: 'the service server not found', status: 400 };
  const broken = createClient({
    url,
    apiKey: 'rk_1',
    retries: { limit: 0 },
    fetch: async () => Response.json(answer, { status: 400 }),
  });
  await expect(broken.older.blacklist(['a@example.com'], { primaryKey: 'EMAIL' })).rejects.toMatchObject({
    code: 'unavailable',
  });
});
