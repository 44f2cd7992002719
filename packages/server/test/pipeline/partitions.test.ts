import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { dayOf, makeNextPartition, makePartitions, preparePartitions } from '#pipeline/log/coming-partitions.ts';
import { partitionName } from '#pipeline/log/partitions.ts';
import { onSingleServerOnly } from '../support/cluster.ts';
import { startTestService } from '../support/service.ts';
import { lockWaits } from '../support/lock-waits.ts';

test('a request can be read and listed while it is moved out of the default partition', async () => {
  // With fewer connections, the requests of one account take turns.
  await using service = await startTestService({ config: { databasePoolSize: 20 } });
  const { context, first: account } = service;
  const { db } = context;
  const done = await account.createContacts([
    { identity: 'a@example.com' },
    { identity: 'x@example.com', email: 'y@example.com' },
  ]);
  const find = () => account.operator('GET', `/requests/${done.request_id}`);
  const waiting = async () => (await context.pool.query(lockWaits)).rowCount;
  let found: ReturnType<typeof find> | undefined;
  let listed: ReturnType<typeof find> | undefined;
  await db.transaction().execute(async (trx) => {
    while (await makeNextPartition(trx, context));
    found = find();
    listed = account.operator('GET', '/requests?status=done');
    await expect.poll(waiting, { timeout: 10_000 }).toBe(2);
  });
  const { rows } = await sql`select request_id from requests_default`.execute(db);
  expect(rows).toEqual([]);
  expect(await found).toMatchObject({ status: 200, body: { counts: { created: 1, failed: 1 } } });
  expect((await found)!.body.failures).toMatchObject([{ index: 1 }]);
  expect((await listed)!.body.data).toMatchObject([{ request_id: done.request_id }]);
});

const waitFree = onSingleServerOnly('each statement of a cluster locks all partitions, so it waits for a moment');

waitFree('reads and writes do not wait while partitions of days without requests are created', async () => {
  await using service = await startTestService({ worker: false });
  const { context, first: account } = service;
  await preparePartitions(context);
  const { body } = await account.v5('/contact/create', { data: { contact_type: 'anonymous', contacts: [{}] } });
  await context.db.transaction().execute(async (trx) => {
    const now = () => new Date(context.now().getTime() + 2 * 86_400_000);
    while (await makeNextPartition(trx, { now }));
    expect((await account.operator('GET', `/requests/${body.request_id}`)).status).toBe(200);
    expect((await account.v5('/contact/create', { data: { contact_type: 'anonymous', contacts: [{}] } })).status).toBe(
      200,
    );
  });
  const last = partitionName('requests', dayOf(context.now()) + 9);
  const { rows } = await sql<{ name: string | null }>`select to_regclass(${last}) as name`.execute(context.db);
  expect(rows[0]!.name).not.toBeNull();
});

test('requests are stored in a partition that was created after plans for the same groups were kept', async () => {
  await using service = await startTestService({ worker: false });
  const { context, first: account } = service;
  const accept = () => account.v5('/contact/create', { data: { contact_type: 'anonymous', contacts: [{}] } });
  // PostgreSQL keeps a general plan from the sixth execution on.
  for (let n = 0; n < 7; n++) expect((await accept()).status).toBe(200);
  await makePartitions(context);
  expect((await Promise.all(Array.from({ length: 20 }, accept))).map(({ status }) => status)).toEqual(
    Array.from({ length: 20 }, () => 200),
  );
  const partition = partitionName('requests', dayOf(context.now()));
  const { rows } = await sql<{ stored: number; others: number; queued: number }>`
    select (select count(*) from ${sql.id(partition)}) as stored, (select count(*) from requests_default) as others,
      (select count(*) from request_queue) as queued`.execute(context.db);
  expect(rows).toEqual([{ stored: 27, others: 0, queued: 27 }]);
});
