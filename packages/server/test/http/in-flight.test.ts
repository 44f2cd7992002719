import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { requestsInFlight } from '#platform/http/server/in-flight.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { onEachServer } from '../support/cluster.ts';
import { lockWaits } from '../support/lock-waits.ts';

const service = await forFile(startTestService({ worker: false }));
const other = await service.createAccount();

const body = { data: { contact_type: 'anonymous', contacts: [{}] } };
const create = (account: TestAccount, headers = {}) => account.v5('/contact/create', body, headers);

/** Blocks the storing of requests while `work` runs. */
async function whileQueueIsLocked(work: () => Promise<void>): Promise<void> {
  await service.context.db.transaction().execute(async (trx) => {
    await sql`lock table request_queue in access exclusive mode`.execute(trx);
    await work();
  });
}

/** Returns the number of statements that wait for a lock. */
async function waitingStatements(): Promise<number> {
  const rows = await onEachServer(service.context.config.databaseUrl!, lockWaits);
  return rows.length;
}

test('an account with too many requests in flight gets 429 with Retry-After, and another account does not', async () => {
  const { perAccount, waitingPerAccount } = requestsInFlight;
  const sent: Promise<{ status: number }>[] = [];
  await whileQueueIsLocked(async () => {
    for (let n = 0; n < perAccount + waitingPerAccount; n++) sent.push(create(service.first));
    await expect.poll(waitingStatements).toBeGreaterThan(0);
    const refused = await create(service.first);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
    expect(refused.body.description).toContain('too many open requests');
    sent.push(create(other));
    // Searches of the same account still work.
    expect((await service.first.v5('/contact/search', {})).status).toBe(200);
  });
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});

test('waiting requests with idempotency keys of one account leave connections for another account', async () => {
  const sent: Promise<{ status: number }>[] = [];
  await service.context.db.transaction().execute(async (trx) => {
    await sql`lock table idempotency_keys in access exclusive mode`.execute(trx);
    for (let n = 0; n < 20; n++) sent.push(create(service.first, { 'idempotency-key': `key-${n}` }));
    await expect.poll(waitingStatements).toBeGreaterThan(0);
    expect((await create(other)).status).toBe(200);
  });
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 200));
});
