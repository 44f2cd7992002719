import pg from 'pg';
import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { createContext } from '#app/create-context.ts';
import type { Context } from '#platform/context.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { listenerName } from '#platform/database/connection/listen.ts';
import { requestsChannel } from '#pipeline/accept/accept-store.ts';
import { allLanes } from '#pipeline/operations/buckets.ts';
import type { BatchListener } from '#pipeline/worker/serve-lanes.ts';
import { startWorker } from '#pipeline/worker/worker.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

const errors: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void errors.push(line) });
const service = await forFile(startTestService({ worker: false, log }));
afterEach(() => vi.restoreAllMocks());

function ownContext(): Context {
  return createContext({ ...service.context.config, workerLoops: 1 }, 'worker', service.context);
}

/** Starts a worker with one loop. */
function startLoop(onBatch?: BatchListener): AsyncDisposable {
  const context = ownContext();
  const worker = startWorker(context, onBatch);
  return {
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await context[Symbol.asyncDispose]();
    },
  };
}

async function createContact(account: TestAccount, name: string): Promise<void> {
  const contacts = [{ identity: `${name}@example.com` }];
  const answer = await account.v5('/contact/create', { data: { contact_type: 'identified', contacts } });
  expect(answer.status).toBe(200);
}

/** Resolves when a worker gets notifications. */
async function isListening(): Promise<void> {
  const text = `select from pg_stat_activity where application_name = $1 and query like 'listen %' and state = 'idle'
    and datname = current_database()`;
  while ((await service.context.pool.query(text, [listenerName(requestsChannel)])).rowCount === 0);
}

async function waits({ accountId }: TestAccount): Promise<boolean> {
  const { pool } = service.context;
  const { rowCount } = await pool.query('select from request_queue where account_id = $1 limit 1', [accountId]);
  return rowCount !== 0;
}

test('a worker that was told about a request of an account that is deleted now goes on', async () => {
  const account = await service.createAccount();
  await using _loop = startLoop();
  await isListening();
  await service.context.pool.query('select pg_notify($1, $2)', [requestsChannel, '999999/0']);
  await createContact(account, 'one');
  await service.settled();
  expect(errors).toEqual([]);
});

test('lanes of the same account that wait do not end the turn of others', async () => {
  const account = await service.createAccount({ name: 'Large', settings: { buckets: 16 } });
  const other = await service.createAccount();
  const batches: number[][] = [];
  // With two workers, the loop takes half of the lanes.
  const leases = [1, 2].map(() => new pg.Client({ connectionString: service.context.config.databaseUrl! }));
  try {
    for (const [at, lease] of leases.entries()) {
      await lease.connect();
      await lease.query('select pg_advisory_lock($1, $2)', [advisoryLocks.jobLease, at]);
    }
    await using _loop = startLoop((results) => {
      if (results.some(({ request }) => request.lane === allLanes)) return;
      batches.push(results.map(({ request }) => request.lane));
    });
    // The first notification can be about any account.
    await isListening();
    await createContact(other, 'one');
    await service.settled();
    const lane = [advisoryLocks.allLanes, account.accountId];
    await leases[0]!.query('select pg_advisory_lock($1, $2)', lane);
    for (let at = 0; at < 160; at++) await createContact(account, `p${at}`);
    // Requests with a note are applied in batches of up to fifty.
    await service.context.db.updateTable('request_queue').set({ attempts: 1 }).execute();
    await leases[0]!.query('select pg_advisory_unlock($1, $2)', lane);
    await service.settled();
  } finally {
    for (const lease of leases) await lease.end();
  }
  const [first, second, third, fourth] = batches;
  expect(batches).toHaveLength(4);
  expect(first).toEqual(expect.arrayContaining(second!));
  expect(third).toEqual(expect.arrayContaining(fourth!));
});

test('a worker tries lanes again that another process held, before it reads the lanes of all accounts', async () => {
  const account = await service.createAccount();
  const other = await service.createAccount();
  await using _loop = startLoop();
  await isListening();
  await createContact(other, 'first');
  await service.settled();
  // From now on, it is never time to read.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const client = await service.context.pool.connect();
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock($1, $2)', [advisoryLocks.allLanes, account.accountId]);
  await createContact(account, 'one');
  await createContact(other, 'second');
  while (await waits(other));
  await client.query('rollback');
  client.release();
  await service.settled();
});
