import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTestContext } from '../../../../test/support/context.ts';
import type { Context } from '#platform/context.ts';
import { databaseFault } from '#platform/database/connection/database.ts';
import { DatabaseBusy } from '#platform/database/connection/database-watch.ts';
import { changeAccount, createAccount } from '../accounts.ts';
import { createApiKey, revokeApiKey } from './api-keys.ts';
import { operatorActor } from '#platform/http/authentication/actor.ts';
import type { CredentialStore } from '#platform/http/authentication/credential.ts';
import { createCredentialStore, type CredentialStoreOptions } from './credentials.ts';

let context: Context;
let accountId: number;
let apiKey: string;
let apiKeyId: number;
let now = new Date('2026-08-01T00:00:00Z');
/** The clock of every credential store of a test, in milliseconds. */
let clock = 0;

beforeAll(async () => {
  context = await createTestContext({ now: () => now });
});
afterAll(async () => {
  await context[Symbol.asyncDispose]();
});
beforeEach(async () => {
  now = new Date('2026-08-01T00:00:00Z');
  clock = 0;
  const made = await createAccount(context, { name: 'Acme' }, operatorActor);
  accountId = made.account.account_id;
  apiKey = made.apiKey;
  apiKeyId = made.row.api_key_id;
});

/** Opens a credential store, as another process would. */
function openStore(options: CredentialStoreOptions = {}): CredentialStore {
  const store = createCredentialStore(context, { clock: () => clock, ...options });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

/** Waits until `count` stores listen. Returns the process ids of their connections. */
async function untilListening(count: number): Promise<number[]> {
  return vi.waitFor(async () => {
    const { rows } = await context.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and query = 'listen "roster_account"' and state = 'idle'`,
    );
    expect(rows).toHaveLength(count);
    return rows.map(({ pid }) => pid);
  }, 20_000);
}

/** Counts queries for credentials from now on. */
function countQueries(): () => number {
  const spy = vi.spyOn(context.pool, 'connect');
  onTestFinished(() => spy.mockRestore());
  return () => spy.mock.calls.length;
}

describe('finding an API key', () => {
  test('finding an API key returns its account and its scopes', async () => {
    expect(await openStore().find(apiKey)).toEqual({
      accountId,
      apiKeyId,
      author: `api-key:${apiKeyId}`,
      scopes: new Set([
        'contacts:read',
        'contacts:write',
        'attributes:read',
        'attributes:write',
        'export',
        'activity:read',
        'requests:read',
      ]),
      primaryKey: 'EMAIL',
      timeZone: 'UTC',
      settings: {},
      expiresAt: null,
    });
  });

  test('finding an API key takes one query for 10,000 requests with the same key', async () => {
    const store = openStore();
    await untilListening(1);
    const queries = countQueries();

    await Promise.all(Array.from({ length: 5000 }, () => store.find(apiKey)));
    for (let count = 0; count < 5000; count++) await store.find(apiKey);

    expect(queries()).toBe(1);
  });

  test('1,000 concurrent invented keys cause two queries, and do not evict a valid key from the cache', async () => {
    const store = openStore();
    await untilListening(1);
    await store.find(apiKey);
    const queries = countQueries();

    const found = await Promise.all(Array.from({ length: 1000 }, (_, index) => store.find(`made-up-${index}`)));
    await store.find(apiKey);

    expect(found.every((credential) => credential === undefined)).toBe(true);
    expect(queries()).toBe(2);
  });

  test('an API key is not found after it expires, even if it is cached', async () => {
    const store = openStore();
    const made = await createApiKey(
      context,
      accountId,
      { name: 'Short', expires_at: '2026-08-01T00:00:10.000Z' },
      operatorActor,
    );
    expect(await store.find(made.apiKey)).toMatchObject({ apiKeyId: made.row.api_key_id });

    now = new Date('2026-08-01T00:00:09.999Z');
    expect(await store.find(made.apiKey)).toBeDefined();
    now = new Date('2026-08-01T00:00:10.000Z');
    expect(await store.find(made.apiKey)).toBeUndefined();
  });
});

describe('a change of an API key or its account', () => {
  test('a new API key works at once, and the old key works until it is revoked', async () => {
    const [here, there] = [openStore(), openStore()];
    await untilListening(2);
    const next = await createApiKey(context, accountId, { name: 'Next' }, operatorActor);
    expect(await here.find(apiKey)).toBeDefined();
    expect(await there.find(next.apiKey)).toBeDefined();

    await revokeApiKey(context, accountId, apiKeyId, 'operator');
    here.forget(accountId);

    expect(await here.find(apiKey)).toBeUndefined();
    await expect.poll(async () => there.find(apiKey)).toBeUndefined();
    expect(await here.find(next.apiKey)).toBeDefined();
    expect(await there.find(next.apiKey)).toBeDefined();
  });

  test('a revoked API key stops working after three seconds if the notification is lost', async () => {
    const store = openStore();
    await untilListening(1);
    await store.find(apiKey);
    // A change by a process whose notification is lost.
    await context.db.updateTable('api_keys').set({ revoked_at: now }).execute();

    clock = 2999;
    expect(await store.find(apiKey)).toBeDefined();
    clock = 3000;
    expect(await store.find(apiKey)).toBeUndefined();
  });

  test('the background refresh of a cached API key finds a change of the key', async () => {
    const store = openStore();
    await untilListening(1);
    await store.find(apiKey);
    await context.db.updateTable('api_keys').set({ revoked_at: now }).execute();

    clock = 1500;
    expect(await store.find(apiKey)).toBeDefined();
    await expect.poll(async () => store.find(apiKey)).toBeUndefined();
  });

  test('an unknown API key that becomes valid works after a second if the notification is lost', async () => {
    const store = openStore();
    await untilListening(1);
    await context.db.updateTable('api_keys').set({ revoked_at: now }).execute();
    expect(await store.find(apiKey)).toBeUndefined();
    await context.db.updateTable('api_keys').set({ revoked_at: null }).execute();

    clock = 999;
    expect(await store.find(apiKey)).toBeUndefined();
    clock = 1000;
    expect(await store.find(apiKey)).toBeDefined();
  });

  test('a change of the settings of an account takes effect in every process', async () => {
    const store = openStore();
    await untilListening(1);
    expect((await store.find(apiKey))?.settings).toEqual({});

    const changes = { settings: { reject_existing_contacts: true }, time_zone: 'Asia/Kolkata' };
    await changeAccount(context, accountId, changes, 'operator');

    await expect
      .poll(async () => store.find(apiKey))
      .toMatchObject({ settings: { reject_existing_contacts: true }, timeZone: 'Asia/Kolkata' });
  });

  test('the result of a query that began before a change of the account is not cached', async () => {
    const store = openStore();
    await untilListening(1);

    const before = store.find(apiKey);
    await new Promise((resolve) => setImmediate(resolve));
    store.forget(accountId);
    await before;
    await context.db.updateTable('api_keys').set({ revoked_at: now }).execute();

    expect(await store.find(apiKey)).toBeUndefined();
  });

  test('a change takes effect after the listening connection was killed and opened again', async () => {
    const store = openStore();
    const [pid] = await untilListening(1);
    await store.find(apiKey);

    await context.db.updateTable('api_keys').set({ revoked_at: now }).execute();
    await context.pool.query('select pg_terminate_backend($1)', [pid]);

    await expect.poll(async () => store.find(apiKey)).toBeUndefined();
    const [next] = await untilListening(1);
    expect(next).not.toBe(pid);
    await context.db.updateTable('api_keys').set({ revoked_at: null }).execute();
    await changeAccount(context, accountId, { name: 'heard' }, 'operator');
    await expect.poll(async () => store.find(apiKey)).toBeDefined();
  });
});

test('a cached API key works for three seconds while the database is unreachable, and then finding it fails as unreachable', async () => {
  const store = openStore();
  await untilListening(1);
  await store.find(apiKey);
  const spy = vi.spyOn(context.pool, 'connect').mockImplementation(() => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  });

  clock = 2999;
  expect(await store.find(apiKey)).toBeDefined();
  clock = 3000;
  const error: unknown = await store.find(apiKey).catch((error: unknown) => error);
  expect(databaseFault(error)).toBe('unreachable');

  spy.mockRestore();
  expect(await store.find(apiKey)).toBeDefined();
});

describe('an API key look-up without a response', () => {
  /**
   * Locks the table of keys from another session, calls `meanwhile`, and returns the error of
   * finding a key.
   */
  async function findLocked(meanwhile: () => Promise<void>): Promise<unknown> {
    const store = openStore({ timeout: 500 });
    await untilListening(1);
    const client = await context.searchPool.connect();
    try {
      await client.query('begin; lock table api_keys in access exclusive mode');
      const finding = store.find(apiKey).catch((error: unknown) => error);
      await meanwhile();
      return await finding;
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  test('an API key look-up without a response fails as unreachable if no other query gets a response and this process is idle', async () => {
    const error = await findLocked(async () => undefined);
    expect([databaseFault(error), error instanceof DatabaseBusy]).toEqual(['unreachable', false]);
  });

  test('an API key look-up without a response fails as busy if other queries get a response', async () => {
    const error = await findLocked(async () => void (await context.searchPool.query('select 1')));
    expect(error).toBeInstanceOf(DatabaseBusy);
  });

  test('an API key look-up without a response fails as busy if the event loop is busy', async () => {
    const error = await findLocked(async () => {
      const until = performance.now() + 700;
      while (performance.now() < until) {
        const pause = performance.now() + 50;
        while (performance.now() < pause) Math.random();
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    expect(error).toBeInstanceOf(DatabaseBusy);
  });

  test('an API key look-up fails as busy if all connections stay in use', async () => {
    const store = openStore();
    await untilListening(1);
    const clients = await Promise.all(
      Array.from({ length: context.pool.options.max }, async () => context.pool.connect()),
    );
    try {
      await expect(store.find(apiKey)).rejects.toBeInstanceOf(DatabaseBusy);
    } finally {
      for (const client of clients) client.release();
    }
  }, 20_000);
});
