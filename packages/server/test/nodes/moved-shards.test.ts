import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isCluster } from '../support/cluster.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { simulateCluster, type SimulatedCluster } from '../support/simulated-cluster.ts';

// On a cluster, `cluster/nodes.test.ts` moves shards.
const onOneServer = test.skipIf(isCluster);

let cluster: SimulatedCluster;
let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  if (isCluster) return;
  cluster = await simulateCluster();
  service = await startTestService({ config: { databaseUrl: cluster.url, layout: 'citus' }, worker: false });
  account = service.first;
});
afterAll(async () => {
  if (isCluster) return;
  await service[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

const create = (city: string) =>
  account.v5('/contact/create', {
    data: { contact_type: 'identified', contacts: [{ identity: 'a@example.com', attributes: { CITY: city } }] },
  });
const cities = () => account.rows({ output: { fields: ['CITY'] } });

onOneServer('a batch is not written to the table of a shard that is on another node now', async () => {
  const { db } = service.context;
  await create('Pune');
  {
    await using _worker = service.startWorker();
    await service.settled();
  }
  // The worker remembers where the shard was, and the old table is still there.
  await sql`update pg_dist_placement set shardstate = 4`.execute(db);
  await create('Delhi');
  {
    await using _worker = service.startWorker();
    await sleep(1000);
    expect(await cities()).toEqual([{ CITY: 'Pune' }]);
    const { rows } = await sql<{ count: number }>`select count(*)::int from request_queue`.execute(db);
    expect(rows).toEqual([{ count: 1 }]);
    await sql`update pg_dist_placement set shardstate = 1`.execute(db);
    await service.settled();
  }
  expect(await cities()).toEqual([{ CITY: 'Delhi' }]);
});
