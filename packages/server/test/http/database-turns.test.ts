import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { turnLimits } from '#platform/load/database-turns.ts';
import { onEachServer } from '../support/cluster.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer } from '../support/service.ts';
import { lockWaits } from '../support/lock-waits.ts';

const service = await forFile(startTestService({ worker: false, config: { databasePoolSize: 20 } }));
const other = await service.createAccount();
const { perKey, total } = turnLimits(service.context.config);

/** Returns the number of statements that wait for a lock. */
async function waitingStatements(): Promise<number> {
  const rows = await onEachServer(service.context.config.databaseUrl!, lockWaits);
  return rows.length;
}

/** Blocks everything that reads lists and segments while `work` runs. */
async function whileListsAreLocked(work: () => Promise<void>): Promise<void> {
  await service.context.db.transaction().execute(async (trx) => {
    await sql`lock table audiences in access exclusive mode`.execute(trx);
    await work();
  });
}

test('many slow requests of one account leave connections for another account', async () => {
  const sent: Promise<Answer>[] = [];
  await whileListsAreLocked(async () => {
    for (let n = 0; n < 40; n++) sent.push(service.first.operator('GET', '/lists'));
    await expect.poll(waitingStatements).toBe(perKey);
    expect(perKey).toBeLessThan(total);
    for (const path of ['/attributes', '/requests', '/exports']) {
      expect((await other.operator('GET', path)).status).toBe(200);
    }
    expect((await other.v5('/contact/create', { data: { contact_type: 'anonymous', contacts: [{}] } })).status).toBe(
      200,
    );
    expect(await waitingStatements()).toBe(perKey);
  });
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 200));
});

test('many callers of one account who wait for the pipeline leave connections for another account', async () => {
  {
    await using _ = service.startWorker();
    await service.first.createContacts([{ identity: 'asha@example.com' }]);
  }
  const [{ contact_id: id } = {}] = await service.first.rows({ output: { fields: ['contact_id'] } });
  const sent: Promise<Answer>[] = [];
  await service.context.db.transaction().execute(async (trx) => {
    await sql`lock table request_results in access exclusive mode`.execute(trx);
    for (let n = 0; n < 40; n++) sent.push(service.first.operator('POST', `/contacts/${String(id)}/block`));
    await expect.poll(waitingStatements).toBe(perKey);
    for (const path of ['/attributes', '/lists', '/exports']) {
      expect((await other.operator('GET', path)).status).toBe(200);
    }
    expect(await waitingStatements()).toBe(perKey);
  });
  await using _ = service.startWorker();
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 200));
});

test('many searches of one account leave connections for another account', async () => {
  const list = await service.first.createList('Newsletter');
  const body = {
    filtering_criteria: [{ condition_details: [{ field: 'list_id', operation: 'equals', value: [list] }] }],
  };
  const sent: Promise<Answer>[] = [];
  await whileListsAreLocked(async () => {
    for (let n = 0; n < 40; n++) sent.push(service.first.v5('/contact/search', body));
    await expect.poll(waitingStatements).toBe(perKey);
    expect((await other.operator('GET', '/attributes')).status).toBe(200);
    expect((await other.operator('GET', '/requests')).status).toBe(200);
    expect(await waitingStatements()).toBe(perKey);
  });
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 200));
});

test('a search that waits for its turn at the searches has no turn at the database', async () => {
  const { databaseTurns, searches } = service.context;
  const { accountId } = service.first;
  const { signal } = new AbortController();
  const held = Promise.withResolvers<void>();
  const waiting = Array.from({ length: perKey }, () =>
    databaseTurns.run(accountId, signal, () => searches.run(accountId, undefined, () => held.promise)),
  );
  expect((await service.first.operator('GET', '/lists')).status).toBe(200);
  held.resolve();
  await Promise.all(waiting);
});
