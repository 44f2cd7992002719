import { AccountDetail, CreatedAccount } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { lockLane } from '#pipeline/queue/lane.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { expectShape } from './shape.ts';

let now = new Date('2026-08-01T09:00:00.000Z');
const service = await forFile(startTestService({ worker: false, now: () => now }));

const defaults = {
  reject_existing_contacts: false,
  reject_forgotten_contacts: true,
  auto_create_attributes: false,
  csv_formula_guard: false,
  buckets: 1,
  events: false,
  event_retention_days: 7,
  derived_attributes: false,
  activity_retention_months: 25,
  rate_limit: null,
  daily_batch_limit: 100_000,
};

async function attributesOf({ accountId }: TestAccount | { accountId: number }) {
  const rows = await service.context.db
    .selectFrom('attributes')
    .where('account_id', '=', accountId)
    .select(['attribute_id', 'name', 'data_type', 'category', 'system'])
    .orderBy('attribute_id')
    .execute();
  return rows;
}

async function auditOf({ accountId }: TestAccount | { accountId: number }) {
  const { body } = await service.operator('GET', `/accounts/${accountId}/audit-log`);
  return body.data.map(({ action, subject, details }: Record<string, unknown>) => ({ action, subject, details }));
}

describe('creating an account', () => {
  test('returns the account with its defaults and an API key that works at once', async () => {
    const { status, body } = await service.operator('POST', '/accounts', { name: ' Acme ' });

    expect(status).toBe(201);
    expectShape(CreatedAccount, body);
    expect(body).toEqual({
      account_id: expect.any(Number),
      name: 'Acme',
      primary_key: 'EMAIL',
      time_zone: 'UTC',
      settings: defaults,
      created_at: '2026-08-01T09:00:00.000Z',
      updated_at: '2026-08-01T09:00:00.000Z',
      api_key_id: expect.any(Number),
      api_key: expect.stringMatching(/^rk_[\w-]{43}$/),
    });
    const { api_key, api_key_id: _, ...account } = body;
    expect((await service.operator('GET', `/accounts/${body.account_id}`)).body).toEqual({
      ...account,
      daily_batch: { limit: 100_000, used: 0, resets_at: '2026-08-02T00:00:00.000Z' },
      stored_files: { limit: null, used: 0 },
    });
    const search = await service.call('POST', '/v5/contact/search', { body: {}, headers: { 'api-key': api_key } });
    expect(search.status).toBe(200);
  });

  test('creates the system attributes', async () => {
    const account = await service.createAccount();

    const attributes = await attributesOf(account);
    expect(attributes.map(({ attribute_id, name, data_type }) => [attribute_id, name, data_type])).toEqual([
      [1, 'FIRST_NAME', 'text'],
      [2, 'LAST_NAME', 'text'],
      [3, 'GENDER', 'text'],
      [4, 'BIRTH_DATE', 'date'],
      [5, 'CITY', 'text'],
      [6, 'STATE', 'text'],
      [7, 'COUNTRY', 'text'],
      [8, 'POSTAL_CODE', 'text'],
      [9, 'LANGUAGE', 'text'],
      [10, 'TIME_ZONE', 'text'],
    ]);
    expect(attributes.every(({ system }) => system)).toBe(true);
  });

  test('with a custom primary key creates the attribute of that name', async () => {
    const { body } = await service.operator('POST', '/accounts', {
      name: 'Acme',
      primary_key: 'customer_id',
      time_zone: 'Asia/Kolkata',
      settings: { rate_limit: 0, auto_create_attributes: 'true', reject_existing_contacts: null },
    });

    expect(body).toMatchObject({
      primary_key: 'CUSTOMER_ID',
      time_zone: 'Asia/Kolkata',
      settings: { reject_existing_contacts: false, auto_create_attributes: true, rate_limit: 0 },
    });
    const attributes = await attributesOf({ accountId: body.account_id });
    expect(attributes.at(-1)).toEqual({
      attribute_id: 11,
      name: 'CUSTOMER_ID',
      data_type: 'text',
      category: 'custom',
      system: false,
    });
    expect(await auditOf({ accountId: body.account_id })).toEqual([
      expect.objectContaining({ action: 'api-key.create' }),
      { action: 'attribute.create', subject: 'attribute:11', details: { name: 'CUSTOMER_ID', data_type: 'text' } },
      {
        action: 'account.create',
        subject: `account:${body.account_id}`,
        details: {
          name: 'Acme',
          primary_key: 'CUSTOMER_ID',
          time_zone: 'Asia/Kolkata',
          settings: { auto_create_attributes: true, rate_limit: 0 },
        },
      },
    ]);
  });

  test.each([
    [{ primary_key: 'mobile' }, { primary_key: 'MOBILE' }],
    [{ primary_key: null }, { primary_key: 'EMAIL' }],
    [
      { NAME: 'Acme', Primary_Key: 'EMAIL', settings: null },
      { primary_key: 'EMAIL', settings: defaults },
    ],
  ])('accepts %j', async (body, expected) => {
    const answer = await service.operator('POST', '/accounts', { name: 'Acme', ...body });
    expect(answer).toMatchObject({ status: 201, body: expected });
  });

  const faults: [object, string, string][] = [
    [{ primary_key: 'CONTACT_ID' }, 'primary_key', 'not_allowed'],
    [{ primary_key: 'identity' }, 'primary_key', 'not_allowed'],
    [{ primary_key: 'CITY' }, 'primary_key', 'not_allowed'],
    [{ primary_key: 'BIRTH_DATE' }, 'primary_key', 'not_allowed'],
    [{ primary_key: '1ST' }, 'primary_key', 'invalid_format'],
    [{ primary_key: 'CUSTOMER ID' }, 'primary_key', 'invalid_format'],
    [{ primary_key: `A${'B'.repeat(64)}` }, 'primary_key', 'invalid_format'],
    [{ time_zone: 'Mars/Base' }, 'time_zone', 'invalid_format'],
    [{ time_zone: '+05:30' }, 'time_zone', 'invalid_format'],
    [{ settings: { rate_limit: -1 } }, 'settings.rate_limit', 'out_of_range'],
    [{ settings: { auto_create_attributes: 'maybe' } }, 'settings.auto_create_attributes', 'invalid_type'],
    [{ settings: { color: 'red' } }, 'settings.color', 'unknown_field'],
    [{ settings: [] }, 'settings', 'invalid_type'],
  ];
  test.each(faults)('refuses %j and creates nothing', async (body, field, code) => {
    const before = await service.context.db.selectFrom('accounts').select('account_id').execute();

    const answer = await service.operator('POST', '/accounts', { name: 'Acme', ...body });

    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([{ code, field, message: expect.any(String) }]);
    expect(await service.context.db.selectFrom('accounts').select('account_id').execute()).toHaveLength(before.length);
  });
});

describe('changing an account', () => {
  test('changes the given fields, merges settings and logs what changed', async () => {
    const account = await service.createAccount({ name: 'Before', settings: { rate_limit: 100 } });
    now = new Date('2026-08-02T09:00:00.000Z');

    const { status, body } = await account.operator('PATCH', '', {
      name: 'After',
      time_zone: 'Europe/Berlin',
      settings: { reject_existing_contacts: true },
    });

    expect(status).toBe(200);
    expectShape(AccountDetail, body);
    expect(body).toMatchObject({
      name: 'After',
      primary_key: 'EMAIL',
      time_zone: 'Europe/Berlin',
      settings: { reject_existing_contacts: true, auto_create_attributes: false, rate_limit: 100 },
      created_at: '2026-08-01T09:00:00.000Z',
      updated_at: '2026-08-02T09:00:00.000Z',
    });
    expect((await auditOf(account))[0]).toEqual({
      action: 'account.update',
      subject: `account:${account.accountId}`,
      details: {
        changes: {
          name: { from: 'Before', to: 'After' },
          time_zone: { from: 'UTC', to: 'Europe/Berlin' },
          reject_existing_contacts: { from: false, to: true },
        },
      },
    });
  });

  test('to null sets a setting to its default', async () => {
    const account = await service.createAccount({
      name: 'x',
      settings: { rate_limit: 100, auto_create_attributes: true },
    });

    const { body } = await account.operator('PATCH', '', { settings: { rate_limit: null } });
    expect(body.settings).toEqual({ ...defaults, auto_create_attributes: true });
    const again = await account.operator('PATCH', '', { settings: { auto_create_attributes: null } });
    expect(again.body.settings).toEqual(defaults);
  });

  test('to the current values changes nothing and is not in the audit log', async () => {
    const account = await service.createAccount({ name: 'Same' });
    const before = (await account.operator('GET', '')).body;
    now = new Date(now.getTime() + 1000);

    const { status, body } = await account.operator('PATCH', '', {
      name: ' Same ',
      primary_key: 'email',
      settings: { rate_limit: null },
    });

    expect({ status, body }).toEqual({ status: 200, body: before });
    expect((await auditOf(account))[0].action).not.toBe('account.update');
  });

  test.each([
    [{ name: null }, 'name'],
    [{ name: '' }, 'name'],
    [{ settings: null }, 'settings'],
    [{ settings: { color: 1 } }, 'settings.color'],
    [{ account_id: 5 }, 'account_id'],
  ])('with %j is refused', async (body, field) => {
    const answer = await service.first.operator('PATCH', '', body);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  });

  test.each([[null], [''], [' ']])('treats %j as an absent primary key and time zone', async (empty) => {
    const before = (await service.first.operator('GET', '')).body;
    const words = { primary_key: empty, time_zone: empty };
    const answer = await service.first.operator('PATCH', '', { name: before.name, ...words });
    expect(answer).toMatchObject({ status: 200, body: { primary_key: 'EMAIL', time_zone: before.time_zone } });
    const created = await service.operator('POST', '/accounts', { name: 'x', ...words });
    expect(created).toMatchObject({ status: 201, body: { primary_key: 'EMAIL', time_zone: 'UTC' } });
    expect((await service.first.operator('PATCH', '', words)).status).toBe(400);
  });

  test('applies new settings to the next request', async () => {
    const account = await service.createAccount();
    expect((await account.v5('/contact/search', {})).status).toBe(200);

    await account.operator('PATCH', '', { settings: { rate_limit: 1 } });
    expect((await account.v5('/contact/search', {})).headers['ratelimit-limit']).toBe('1');
  });
});

describe('the primary key of an account', () => {
  async function addContact(accountId: number, db = service.context.db): Promise<void> {
    await db
      .insertInto('contacts')
      .values({
        account_id: accountId,
        contact_key: 'asha@example.com',
        contact_id: 1,
        contact_type: 'identified',
        attributes: '{}',
        list_ids: [],
        created_at: now,
        updated_at: now,
      })
      .execute();
  }

  test('can change to an existing or a new text attribute while the account has no contacts', async () => {
    const account = await service.createAccount();

    expect((await account.operator('PATCH', '', { primary_key: 'customer_id' })).body.primary_key).toBe('CUSTOMER_ID');
    expect((await account.operator('PATCH', '', { primary_key: 'MOBILE' })).body.primary_key).toBe('MOBILE');
    expect((await account.operator('PATCH', '', { primary_key: 'CUSTOMER_ID' })).body.primary_key).toBe('CUSTOMER_ID');
    const custom = (await attributesOf(account)).filter(({ system }) => !system);
    expect(custom.map(({ name }) => name)).toEqual(['CUSTOMER_ID']);
  });

  test('cannot be an attribute of another type than text', async () => {
    const account = await service.createAccount();
    await service.context.db
      .insertInto('attributes')
      .values({
        account_id: account.accountId,
        attribute_id: 11,
        name: 'AGE',
        data_type: 'number',
        created_at: now,
        updated_at: now,
      })
      .execute();

    const { status, body } = await account.operator('PATCH', '', { primary_key: 'AGE' });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      {
        code: 'not_allowed',
        field: 'primary_key',
        message: 'AGE has the type number. The primary key must have the type text.',
      },
    ]);
  });

  test('cannot be a new attribute if the account has the maximum number of attributes', async () => {
    const account = await service.createAccount();
    await service.context.pool.query(
      `insert into attributes (account_id, attribute_id, name, data_type, created_at, updated_at)
       select $1, n, 'A' || n, 'text', now(), now() from generate_series(11, 500) n`,
      [account.accountId],
    );

    expect(await account.operator('PATCH', '', { primary_key: 'CUSTOMER_ID' })).toMatchObject({ status: 409 });
    expect(await account.operator('PATCH', '', { primary_key: 'A11' })).toMatchObject({ status: 200 });
  });

  test('cannot change while the account has contacts', async () => {
    const account = await service.createAccount();
    await addContact(account.accountId);

    const { status, body } = await account.operator('PATCH', '', { primary_key: 'MOBILE', name: 'x' });

    expect(status).toBe(409);
    expect(body.description).toBe(
      'The primary key can change only while the account has no contacts. This account has contacts.',
    );
    expect((await account.operator('GET', '')).body).toMatchObject({ name: 'Another', primary_key: 'EMAIL' });
    expect(await account.operator('PATCH', '', { primary_key: 'EMAIL', name: 'x' })).toMatchObject({ status: 200 });
  });

  test('cannot change while requests wait to be applied', async () => {
    const account = await service.createAccount();
    const data = { contact_type: 'identified', contacts: [{ identity: 'asha@example.com' }] };
    expect((await account.v5('/contact/create', { data })).status).toBe(200);

    const { status, body } = await account.operator('PATCH', '', { primary_key: 'MOBILE' });
    expect(status).toBe(409);
    expect(body.description).toContain('has requests that are not applied yet');
  });

  test('changes only after a worker has finished the running batch, and sees its contacts', async () => {
    const account = await service.createAccount();
    const { promise: release, resolve } = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const worker = service.context.db.transaction().execute(async (trx) => {
      await lockLane(trx, account.accountId);
      held.resolve();
      await release;
      await addContact(account.accountId, trx);
    });
    await held.promise;

    const change = account.operator('PATCH', '', { primary_key: 'MOBILE' });
    const other = await account.operator('PATCH', '', { name: 'needs no lane' });
    expect(other.status).toBe(200);
    resolve();
    await worker;
    expect((await change).status).toBe(409);
  });

  test('gets 409 instead of a long wait while the pipeline stays busy, even for many requests', async () => {
    const account = await service.createAccount();
    await service.context.db.transaction().execute(async (trx) => {
      await lockLane(trx, account.accountId);
      const changes = await Promise.all(
        Array.from({ length: 14 }, () => account.operator('PATCH', '', { primary_key: 'MOBILE' })),
      );
      expect(new Set(changes.map(({ status }) => status))).toEqual(new Set([409]));
      expect(changes[0]!.body.description).toContain('has requests that are being applied');
    });
    expect((await account.operator('PATCH', '', { primary_key: 'MOBILE' })).status).toBe(200);
  });
});
