import {
  apiKeysPerAccount,
  bulkChangeLimits,
  importLimits,
  invitationsPerAccount,
  listsPerAccount,
  segmentsPerAccount,
} from '@roster/contract';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer, type TestAccount } from '../support/service.ts';

const service = await forFile(startTestService({ worker: false }));
const { db } = service.context;
let account: TestAccount;
beforeEach(async () => {
  account = await service.createAccount();
});

/**
 * Sends five requests at the same time to an account with room for two, and expects that two of them
 * are accepted. Returns the description of the others.
 */
async function expectRoomForTwo(create: (index: number) => Promise<Answer>): Promise<string> {
  const answers = await Promise.all([0, 1, 2, 3, 4].map(create));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409, 409]);
  return answers.find(({ status }) => status === 409)!.body.description;
}

/** Copies a row of a table until the account has `count` more. `changed` are the columns that differ. */
async function copy(table: string, count: number, changed: Record<string, string>): Promise<void> {
  const columns = await sql<{ column_name: string }>`
    select column_name from information_schema.columns where table_name = ${table} and is_identity = 'NO'`.execute(db);
  const names = columns.rows.map(({ column_name: name }) => name);
  const values = names.map((name) => changed[name] ?? `t.${name}`);
  await sql`
    insert into ${sql.table(table)} (${sql.raw(names.join(', '))})
    select ${sql.raw(values.join(', '))} from ${sql.table(table)} t, generate_series(1, ${count}::int) as copy
    where t.account_id = ${account.accountId}`.execute(db);
}

test('an account can have 100,000 lists, and one more is refused', async () => {
  const create = (): Promise<Answer> => account.operator('POST', '/lists', { name: 'Newsletter' });
  await create();
  await copy('audiences', listsPerAccount - 3, { audience_id: '1000 + copy' });
  const refusal = await expectRoomForTwo(create);
  expect(refusal).toBe('The account has 100000 lists, which is the maximum. Delete one of them.');
  expect((await account.operator('DELETE', '/lists/1001')).status).toBe(204);
  expect((await create()).status).toBe(201);
  expect((await account.operator('POST', '/segments', { name: 'All', filtering_criteria: [] })).status).toBe(201);
});

test('an account can have 10,000 segments, and one more is refused', async () => {
  const create = (): Promise<Answer> => account.operator('POST', '/segments', { name: 'All', filtering_criteria: [] });
  await create();
  await copy('audiences', segmentsPerAccount - 3, { audience_id: '1000 + copy' });
  const refusal = await expectRoomForTwo(create);
  expect(refusal).toBe('The account has 10000 segments, which is the maximum. Delete one of them.');
  await account.createList('Newsletter');
});

test('an account can have 1,000 active API keys, and revoked and expired keys do not count', async () => {
  const create = (): Promise<Answer> => account.operator('POST', '/api-keys', { name: 'Website' });
  const hash = `sha256(convert_to(t.account_id || '/' || copy || '/' || t.api_key_id, 'UTF8'))`;
  // The account has its first key.
  await copy('api_keys', 5, { key_hash: hash, revoked_at: 'now()', name: `'revoked ' || copy` });
  await sql`delete from api_keys where account_id = ${account.accountId} and name = 'revoked 5'`.execute(db);
  await sql`
    update api_keys set revoked_at = null, expires_at = now() - interval '1 minute'
    where account_id = ${account.accountId} and name = 'revoked 4'`.execute(db);
  await sql`
    insert into api_keys (account_id, name, key_hash, key_hint, scopes, created_at)
    select ${account.accountId}, 'Many', sha256(convert_to(${account.accountId} || ' ' || copy, 'UTF8')), 'hint', '{}', now()
    from generate_series(1, ${apiKeysPerAccount - 3}::int) as copy`.execute(db);
  const refusal = await expectRoomForTwo(create);
  expect(refusal).toBe('The account has 1000 active API keys, which is the maximum. Revoke one of them.');
  const [{ api_key_id: id }] = (await account.operator('GET', '/api-keys?limit=1')).body.data;
  expect((await account.operator('DELETE', `/api-keys/${id}`)).status).toBe(204);
  expect((await create()).status).toBe(201);
});

test('an account can have 1,000 open invitations, and a new one to the same address is not one more', async () => {
  const create = (email: string): Promise<Answer> =>
    account.operator('POST', '/invitations', { email, role: 'viewer' });
  await create('first@example.com');
  await copy('invitations', invitationsPerAccount - 3, {
    email: `'p' || copy || '@example.com'`,
    email_key: `'p' || copy || '@example.com'`,
    token_hash: `sha256(convert_to('invitation ' || t.account_id || ' ' || copy, 'UTF8'))`,
  });
  const refusal = await expectRoomForTwo((index) => create(`new${index}@example.com`));
  expect(refusal).toBe('The account has 1000 open invitations, which is the maximum. Withdraw one of them.');
  expect((await create('first@example.com')).status).toBe(201);
});

test('an account can have 1,000 unfinished imports, and one more is refused', async () => {
  const create = (): Promise<Answer> => account.operator('POST', '/imports', {});
  const { body } = await create();
  await copy('imports', importLimits.unfinished - 3, { import_id: 'gen_random_uuid()' });
  const refusal = await expectRoomForTwo(create);
  expect(refusal).toBe(
    'The account has 1000 unfinished imports, which is the maximum. Try again when one of them has ended.',
  );
  expect((await account.operator('POST', `/imports/${body.import_id}/cancel`)).status).toBe(200);
  expect((await create()).status).toBe(201);
});

test('an account can have 100 unfinished bulk changes, and one more is refused', async () => {
  const list = await account.createList('Newsletter');
  const action = { type: 'add_to_list', audience_id: list };
  const create = (): Promise<Answer> =>
    account.operator('POST', '/bulk-changes', { all_contacts: true, action, expected_count: 0 });
  const { body } = await create();
  await copy('bulk_changes', bulkChangeLimits.unfinished - 3, { bulk_change_id: 'gen_random_uuid()' });
  const refusal = await expectRoomForTwo(create);
  expect(refusal).toBe(
    'The account has 100 unfinished bulk changes, which is the maximum. Try again when one of them has ended.',
  );
  expect((await account.operator('POST', `/bulk-changes/${body.bulk_change_id}/cancel`)).status).toBe(200);
  expect((await create()).status).toBe(201);
});
