import { operatorActor } from '#platform/http/authentication/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestContext } from '../../test/support/context.ts';
import type { Context } from '#platform/context.ts';
import { hashApiKey } from '#features/accounts/keys/api-key.ts';
import { createAccount } from '#features/accounts/accounts.ts';
import { ensureFirstAccount } from './first-start.ts';

let context: Context;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(async () => {
  await context[Symbol.asyncDispose]();
});

test('one of ten concurrent starts creates the first account, its API key and its list', async () => {
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => ensureFirstAccount(context)));

  const made = outcomes.filter((outcome) => outcome !== undefined);
  expect(made).toEqual([
    { accountId: 1, apiKey: expect.stringMatching(/^rk_[\w-]{43}$/), isKeyGiven: false, audienceId: 1 },
  ]);
  const accounts = await context.db.selectFrom('accounts').select(['account_id', 'name', 'primary_key']).execute();
  expect(accounts).toEqual([{ account_id: 1, name: 'First account', primary_key: 'EMAIL' }]);
  const keys = await context.db.selectFrom('api_keys').select('key_hash').execute();
  expect(keys).toEqual([{ key_hash: hashApiKey(made[0]!.apiKey) }]);
  const lists = await context.db.selectFrom('audiences').select(['name', 'audience_type']).execute();
  expect(lists).toEqual([{ name: 'First list', audience_type: 'list' }]);
  const audit = await context.db.selectFrom('audit_log').select(['actor', 'action']).orderBy('audit_id').execute();
  expect(audit).toEqual([
    { actor: 'system', action: 'account.create' },
    { actor: 'system', action: 'api-key.create' },
    { actor: 'system', action: 'list.create' },
  ]);
});

test('the second account has the account_id 2, and a later start creates nothing', async () => {
  const { account } = await createAccount(context, { name: 'Second' }, operatorActor);

  expect(account.account_id).toBe(2);
  expect(await ensureFirstAccount(context)).toBeUndefined();
});

test('the first start uses ROSTER_API_KEY, stores only its hash, and creates account 1 even after a failed attempt', async () => {
  const apiKey = 'a-key-of-my-own-with-32-characters';
  await using context = await createTestContext({ config: { apiKey } });
  await context.db
    .transaction()
    .execute(async (trx) => {
      await trx
        .insertInto('accounts')
        .values({
          name: 'lost',
          primary_key: 'EMAIL',
          time_zone: 'UTC',
          settings: '{}',
          created_at: new Date(),
          updated_at: new Date(),
        })
        .execute();
      throw new Error('crash');
    })
    .catch(() => undefined);

  expect(await ensureFirstAccount(context)).toEqual({ accountId: 1, apiKey, isKeyGiven: true, audienceId: 1 });
  const { rows } = await context.pool.query<{ row: string }>('select api_keys::text as row from api_keys');
  expect(rows[0]!.row).toContain('a-key-of');
  expect(rows[0]!.row).not.toContain('a-key-of-');
});
