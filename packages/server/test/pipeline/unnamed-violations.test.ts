import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isCluster, serversOf } from '../support/cluster.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { simulateCluster, type SimulatedCluster } from '../support/simulated-cluster.ts';

// A cluster passes on the code of an error, but not the name of the constraint. So a violated check
// looks like a missing partition.
let cluster: SimulatedCluster | undefined;
let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  if (!isCluster) cluster = await simulateCluster();
  const config = cluster === undefined ? {} : { databaseUrl: cluster.url, layout: 'citus' as const };
  service = await startTestService({ config });
  account = await service.createAccount();
  await (cluster === undefined ? addCheck() : addUnnamedCheck(cluster.url));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

/** Adds a check to the contacts of a cluster, as an operator could do by mistake. */
async function addCheck(): Promise<void> {
  const { pool, config } = service.context;
  expect((await serversOf(config.databaseUrl!)).length).toBeGreaterThan(1);
  await pool.query(`alter table contacts add constraint no_bad_keys check (contact_key not like 'bad%')`);
}

/** Makes a single server report a violation without the name of a constraint. */
async function addUnnamedCheck(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    create function refuse_bad_keys() returns trigger language plpgsql as $$
      begin
        raise exception 'new row violates check constraint' using errcode = '23514';
      end $$;
    create trigger no_bad_keys before insert or update on contacts
      for each row when (new.contact_key like 'bad%') execute function refuse_bad_keys()`);
  await client.end();
}

const send = (...names: string[]) =>
  account.v5('/contact/create', {
    data: {
      contact_type: 'identified',
      contacts: names.map((name) => ({ identity: `${name}@example.com` })),
    },
  });
const request = async (id: string) => (await account.operator('GET', `/requests/${id}`)).body;

test('an item that violates a check fails by itself, even if the name of the check does not arrive', async () => {
  const answers = [await send('first'), await send('a', 'bad-1', 'b'), await send('bad-2'), await send('last')];
  await service.settled();
  expect(await Promise.all(answers.map(({ body }) => request(body.request_id)))).toMatchObject([
    { status: 'done', counts: { created: 1, failed: 0 } },
    {
      status: 'done',
      counts: { created: 2, failed: 1 },
      failures: [{ index: 1, code: 'internal', warning: false, message: expect.stringMatching(/\w/) }],
    },
    { status: 'done', counts: { created: 0, failed: 1 }, failures: [{ index: 0, code: 'internal' }] },
    { status: 'done', counts: { created: 1, failed: 0 } },
  ]);
});

test('an account goes on after a violated check, also with several buckets', async () => {
  expect(
    (await service.operator('PATCH', `/accounts/${account.accountId}`, { settings: { buckets: 16 } })).status,
  ).toBe(200);
  const names = Array.from({ length: 40 }, (_, n) => (n % 10 === 3 ? `bad-many-${n}` : `many-${n}`));
  const { body } = await send(...names);
  await service.settled();
  expect(await request(body.request_id)).toMatchObject({ counts: { created: 36, failed: 4 } });
  const after = await send('after');
  await service.settled();
  expect(await request(after.body.request_id)).toMatchObject({ status: 'done', counts: { created: 1 } });
});
