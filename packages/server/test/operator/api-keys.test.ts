import { ApiKey, CreatedApiKey, defaultScopes, pageAnswer } from '@roster/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { createCredentialStore } from '#features/accounts/keys/credentials.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { expectShape } from './shape.ts';

let account: TestAccount;
let now: Date;
const service = await forFile(startTestService({ worker: false, now: () => now ?? new Date() }));
beforeEach(async () => {
  now = new Date('2026-08-01T09:00:00.000Z');
  account = await service.createAccount();
});

const search = (apiKey: string) =>
  service.call('POST', '/v5/contact/search', { body: {}, headers: { 'api-key': apiKey } });

describe('creating an API key', () => {
  test('returns the key once, with the default scopes, and stores only its hash', async () => {
    const { status, body } = await account.operator('POST', '/api-keys', { name: 'Website' });

    expect(status).toBe(201);
    expectShape(CreatedApiKey, body);
    expect(body).toEqual({
      api_key_id: expect.any(Number),
      name: 'Website',
      api_key: expect.stringMatching(/^rk_[\w-]{43}$/),
      key_hint: body.api_key.slice(0, 8),
      scopes: defaultScopes,
      status: 'active',
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      created_at: '2026-08-01T09:00:00.000Z',
    });
    expect((await search(body.api_key)).status).toBe(200);
    const listed = await account.operator('GET', '/api-keys');
    expectShape(pageAnswer('ApiKey'), listed.body);
    expect(JSON.stringify(listed.body)).not.toContain(body.api_key);
    const { rows } = await service.context.pool.query<{ text: string }>(
      'select api_keys::text as text from api_keys union all select audit_log::text from audit_log',
    );
    expect(rows.some(({ text }) => text.includes(body.api_key.slice(3)))).toBe(false);
  });

  test('gives the key each requested scope once', async () => {
    const { body } = await account.operator('POST', '/api-keys', {
      name: 'Reader',
      scopes: ['contacts:read', 'UNMASKED', 'contacts:read'],
    });

    expect(body.scopes).toEqual(['contacts:read', 'unmasked']);
    expect((await search(body.api_key)).status).toBe(200);
    const create = await service.call('POST', '/v5/contact/create', {
      body: { data: { contact_type: 'anonymous', contacts: [{}] } },
      headers: { 'api-key': body.api_key },
    });
    expect(create).toMatchObject({
      status: 403,
      body: { description: 'The caller does not have the scope contacts:write' },
    });
  });

  test('with an expiry gives a key that works until then', async () => {
    const { status, body } = await account.operator('POST', '/api-keys', {
      name: 'Short',
      expires_at: '2026-08-01T15:30:00+05:30',
    });

    expect(status).toBe(201);
    expect(body.expires_at).toBe('2026-08-01T10:00:00.000Z');
    expect((await search(body.api_key)).status).toBe(200);
    now = new Date('2026-08-01T10:00:00.000Z');
    expect((await search(body.api_key)).status).toBe(401);
    const listed = (await account.operator('GET', '/api-keys')).body.data.at(-1);
    expect(listed).toMatchObject({ name: 'Short', status: 'expired' });
    expectShape(ApiKey, listed);
  });

  test.each([
    [{ expires_at: '2026-08-01T09:00:00Z' }, 'expires_at', 'out_of_range'],
    [{ expires_at: '2026-08-02' }, 'expires_at', 'invalid_format'],
    [{ expires_at: 1_800_000_000 }, 'expires_at', 'invalid_format'],
    [{ scopes: [] }, 'scopes', 'too_few_items'],
    [{ scopes: ['contacts:read', 'everything'] }, 'scopes[1]', 'unknown_value'],
    [{ api_key: 'a-key-of-my-own-choice' }, 'api_key', 'unknown_field'],
  ])('with %j is refused', async (body, field, code) => {
    const answer = await account.operator('POST', '/api-keys', { name: 'x', ...body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([{ code, field, message: expect.any(String) }]);
  });
});

describe('revoking an API key', () => {
  test('disables the key at once, does not affect other keys, and can be repeated', async () => {
    const next = (await account.operator('POST', '/api-keys', { name: 'Next' })).body;
    const first = (await account.operator('GET', '/api-keys')).body.data[0];
    expect((await search(account.apiKey)).status).toBe(200);
    now = new Date('2026-08-01T09:30:00.000Z');

    for (let count = 0; count < 2; count++) {
      expect((await account.operator('DELETE', `/api-keys/${first.api_key_id}`)).status).toBe(204);
      expect((await search(account.apiKey)).status).toBe(401);
    }

    expect((await search(next.api_key)).status).toBe(200);
    const { body } = await account.operator('GET', '/api-keys');
    expect(body.data.map((key: Record<string, unknown>) => [key['name'], key['status'], key['revoked_at']])).toEqual([
      ['First key', 'revoked', '2026-08-01T09:30:00.000Z'],
      ['Next', 'active', null],
    ]);
    const audit = (await account.operator('GET', '/audit-log')).body.data;
    expect(audit.filter(({ action }: { action: string }) => action === 'api-key.revoke')).toEqual([
      expect.objectContaining({ actor: 'operator', subject: `api-key:${first.api_key_id}`, details: {} }),
    ]);
  });

  test('also takes effect in another process that has the key cached', async () => {
    await using other = createCredentialStore(service.context);
    expect(await other.find(account.apiKey)).toBeDefined();
    const [key] = (await account.operator('GET', '/api-keys')).body.data;

    await account.operator('DELETE', `/api-keys/${key.api_key_id}`);

    await expect.poll(async () => other.find(account.apiKey)).toBeUndefined();
  });

  test('is possible for the last key of an account', async () => {
    const [key] = (await account.operator('GET', '/api-keys')).body.data;
    expect((await account.operator('DELETE', `/api-keys/${key.api_key_id}`)).status).toBe(204);
    expect((await search(account.apiKey)).status).toBe(401);
  });

  test('is 404 for a key of another account, which keeps working', async () => {
    const other = await service.createAccount();
    const [key] = (await account.operator('GET', '/api-keys')).body.data;

    const answer = await other.operator('DELETE', `/api-keys/${key.api_key_id}`);

    expect(answer.status).toBe(404);
    expect(answer.body.description).toBe(`There is no API key ${key.api_key_id} in account ${other.accountId}`);
    expect((await search(account.apiKey)).status).toBe(200);
    expect((await other.operator('GET', '/api-keys')).body.data).toHaveLength(1);
  });
});
