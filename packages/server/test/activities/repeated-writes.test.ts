import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { isCluster } from '../support/cluster.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { simulateCluster } from '../support/simulated-cluster.ts';
import { createContacts, record, stored } from './support.ts';

// On a cluster, the writes of a batch are repeated once when a partition is missing. A trigger says so
// here, and a real cluster allows none.
const cluster = isCluster ? undefined : await forFile(simulateCluster());
const config = cluster === undefined ? {} : { databaseUrl: cluster.url, layout: 'citus' as const };
const service = await forFile(startTestService({ worker: false, config }));
const { db } = service.context;

/** Applies all requests. The first attempt to write activities fails after they are stored. */
async function applyTwice(): Promise<void> {
  await sql`create sequence attempts`.execute(db);
  await sql`
    create function refuse_once() returns trigger language plpgsql as $$ begin
      if nextval('attempts') = 1 then raise exception 'no partition' using errcode = '23514'; end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger refuse_once before insert on activity_counts for each row execute function refuse_once()`.execute(
    db,
  );
  await using worker = service.startWorker();
  void worker;
  await service.settled();
  const { rows } = await sql<{ times: number }>`select last_value::int as times from attempts`.execute(db);
  expect(rows[0]!.times).toBeGreaterThan(1);
  await sql`drop function refuse_once() cascade`.execute(db);
  await sql`drop sequence attempts`.execute(db);
}

test.skipIf(isCluster)('a repeated activity is counted once when a batch is written a second time', async () => {
  const account = await service.createAccount();
  const [first, second] = [record({ id: 'one' }), record({ id: 'two' })];
  const send = async (...data: object[]) =>
    String((await account.operator('POST', '/activities', { data })).body.request_id);
  {
    await using worker = service.startWorker();
    void worker;
    await send(first);
    await service.settled();
  }
  const id = await send(first, second);
  await applyTwice();
  expect((await account.operator('GET', `/requests/${id}`)).body).toMatchObject({
    counts: { total: 2, created: 1, unchanged: 1 },
  });
  expect(await stored(service, account)).toHaveLength(2);
});

test.skipIf(isCluster)(
  'activities are stored when a batch that also deletes a contact is written a second time',
  async () => {
    const account = await service.createAccount();
    {
      await using worker = service.startWorker();
      void worker;
      await createContacts(account, 'asha@example.com');
      await service.settled();
    }
    const deletion = { data: { contacts: [{ identity: 'asha@example.com' }] } };
    expect((await account.v5('/contact/delete', deletion)).status).toBe(200);
    const { body } = await account.operator('POST', '/activities', { data: [record({ identity: 'ben@example.com' })] });
    await applyTwice();
    expect((await account.operator('GET', `/requests/${body.request_id}`)).body).toMatchObject({
      counts: { total: 1, created: 1 },
    });
    expect(await stored(service, account)).toHaveLength(1);
  },
);
