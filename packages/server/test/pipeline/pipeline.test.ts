import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pino from 'pino';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { attributeKey } from '#features/registry/registry.ts';
import { partitionName } from '#pipeline/log/partitions.ts';
import { deleteOldRequests } from '#app/worker/upkeep.ts';
import { makePartitions } from '#pipeline/log/coming-partitions.ts';
import { isServerFailure } from '../support/cluster.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

let account: TestAccount;
/** Log lines of the workers. */
const lines: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
const service = await forFile(startTestService({ worker: false, log }));

const accept = async (path: string, body: unknown, of = account) => {
  const answer = await of.v5(path, body);
  expect(answer.status).toBe(200);
  return answer.body.request_id as string;
};
const create = (contacts: unknown[], of?: TestAccount) =>
  accept('/contact/create', { data: { contact_type: 'identified', contacts } }, of);
const update = (contacts: unknown[]) => accept('/contact/update', { data: { contacts } });
const remove = (contacts: unknown[]) => accept('/contact/delete', { data: { contacts } });
const city = (name: string) => ({ attributes: { CITY: name } });
const request = async (id: string) => (await account.operator('GET', `/requests/${id}`)).body;

/** Runs a worker until the queue is empty. */
async function work(lanes = 2): Promise<void> {
  await using _worker = service.startWorker(lanes);
  await service.settled();
}

describe('a batch', () => {
  beforeAll(async () => {
    account = await service.createAccount();
  });

  test('applies requests of every kind in the order of acceptance', async () => {
    const ids = [
      await create([{ identity: 'a@example.com', ...city('1') }]),
      await update([{ identity: 'a@example.com', ...city('2') }]),
      await remove([{ identity: 'a@example.com' }]),
      await update([{ identity: 'a@example.com', ...city('3') }]),
      await create([{ identity: 'a@example.com', mobile: '1234567' }]),
      await update([{ mobile: '1234567', email: 'b@example.com', identity: 'a@example.com' }]),
      await update([{ identity: 'a@example.com', ...city('4') }]),
    ];
    await work();
    const outcomes = [];
    for (const id of ids) {
      const { counts } = await request(id);
      outcomes.push(Object.entries(counts).find(([name, count]) => name !== 'total' && count === 1)?.[0]);
    }
    expect(outcomes).toEqual(['created', 'updated', 'deleted', 'failed', 'created', 'failed', 'updated']);
    expect(await account.rows({ output: { fields: ['identity', 'CITY', 'MOBILE'] } })).toEqual([
      { identity: 'a@example.com', CITY: '4', MOBILE: '1234567' },
    ]);
  });

  test('with many requests gives each request its own counts and failures', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 30; n++)
      ids.push(
        await create([
          { identity: `n${n % 10}@example.com`, ...city(`${n}`) },
          { identity: 'x@example.com', email: 'y@example.com' },
        ]),
      );
    await work();
    const counts = await Promise.all(ids.map(async (id) => (await request(id)).counts));
    expect(counts.slice(0, 10).every((one) => one.created === 1 && one.failed === 1)).toBe(true);
    expect(counts.slice(10).every((one) => one.updated === 1 && one.failed === 1)).toBe(true);
  });

  test('that the database refuses is split until only the bad item fails, and the lane continues', async () => {
    const key = sql.lit(attributeKey(account.accountId, 5));
    await sql`alter table contacts add constraint poison check (attributes ->> ${key} is distinct from 'poison')`.execute(
      service.context.db,
    );
    const contacts = Array.from({ length: 40 }, (_, n) => ({
      identity: `p${n}@example.com`,
      ...city(n === 17 ? 'poison' : 'fine'),
    }));
    const first = await create(contacts);
    const second = await update([
      { identity: 'p16@example.com', ...city('poison') },
      { identity: 'p18@example.com', ...city('after') },
    ]);
    await work();
    await sql`alter table contacts drop constraint poison`.execute(service.context.db);
    expect(await request(first)).toMatchObject({
      status: 'done',
      counts: { total: 40, created: 39, failed: 1 },
      failures: [{ index: 17, code: 'internal', warning: false }],
    });
    expect(await request(second)).toMatchObject({
      counts: { updated: 1, failed: 1 },
      failures: [{ index: 0, code: 'internal' }],
    });
    const rows = await account.rows({
      filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['fine', 'after'] }] }],
      output: { get_count: true, pagination: { limit: 100 }, fields: ['identity'] },
    });
    expect(rows).toHaveLength(39);
  });

  test('with an unreadable payload fails that request and applies the others', async () => {
    const bad = await create([{ identity: 'damaged@example.com' }]);
    const good = await create([{ identity: 'undamaged@example.com' }]);
    await service.context.db
      .updateTable('requests')
      .set({ payload: Buffer.from('{') })
      .where('request_id', '=', bad)
      .execute();
    await work();
    expect(await request(bad)).toMatchObject({
      status: 'failed',
      counts: { total: 1, failed: 1 },
      failures: [{ code: 'payload_unreadable' }],
    });
    expect(await request(good)).toMatchObject({ status: 'done', counts: { created: 1 } });
  });

  test('with a damaged item fails that item and applies the others', async () => {
    const bad = await create([{ identity: 'first@example.com' }, { identity: 'damaged@example.com' }]);
    const good = await create([{ identity: 'after-damage@example.com' }]);
    const payload = { contact_type: 'identified', contacts: [{ identity: 'first@example.com' }, null] };
    await service.context.db
      .updateTable('requests')
      .set({ payload: Buffer.from(JSON.stringify(payload)), payload_codec: 'json' })
      .where('request_id', '=', bad)
      .execute();
    await work();
    expect(await request(bad)).toMatchObject({
      status: 'done',
      counts: { total: 2, created: 1, failed: 1 },
      failures: [{ index: 1, code: 'internal' }],
    });
    expect(await request(good)).toMatchObject({ status: 'done', counts: { created: 1 } });
  });

  test('that cannot be planned is split until only the bad item fails', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ identity: `plan-${name}@example.com` })) as [
      object,
      object,
      object,
    ];
    await create([a, b, c]);
    await work();
    // No version of the service writes such a row. Reading it fails.
    await sql`update contacts set attributes = 'null' where contact_key = 'plan-b@example.com'`.execute(
      service.context.db,
    );
    const ids = [
      await update([{ ...a, ...city('1') }]),
      await update([a, b, c].map((contact) => ({ ...contact, ...city('2') }))),
      await update([{ ...c, ...city('3') }]),
    ];
    await work();
    expect(await Promise.all(ids.map(request))).toMatchObject([
      { status: 'done', counts: { updated: 1 } },
      { status: 'done', counts: { updated: 2, failed: 1 }, failures: [{ index: 1, code: 'internal' }] },
      { status: 'done', counts: { updated: 1 } },
    ]);
    await sql`delete from contacts where contact_key = 'plan-b@example.com'`.execute(service.context.db);
  });

  test('with a request whose result cannot be stored fails that request and applies the others', async () => {
    await sql`alter table request_failures add constraint poison check (field is distinct from 'attributes.POISON')`.execute(
      service.context.db,
    );
    const contact = (name: string, attributes: object) => ({ identity: `${name}@example.com`, attributes });
    const ids = [
      await create([contact('ended', { UNKNOWN: 1 })]),
      await create([contact('unended', { POISON: 1 })]),
      await create([contact('ended', { CITY: 'Pune' })]),
    ];
    await work();
    await sql`alter table request_failures drop constraint poison`.execute(service.context.db);
    expect(await Promise.all(ids.map(request))).toMatchObject([
      { status: 'done', counts: { created: 1, warnings: 1 } },
      { status: 'failed', counts: { total: 1, created: 0, failed: 1 }, failures: [{ index: 0, code: 'internal' }] },
      { status: 'done', counts: { updated: 1 } },
    ]);
    const { body } = await account.v5('/contact/search', {
      filtering_criteria: [
        { condition_details: [{ field: 'identity', operation: 'equals', value: 'unended@example.com' }] },
      ],
    });
    expect(body.data).toEqual([]);
  });

  test.each(['contacts', 'request_results'])('that fails without the table %s is applied once later', async (table) => {
    const id = await create([{ identity: `${table}@example.com` }]);
    // This simulates a running migration of another version, or a connection that breaks before the
    // commit.
    const away = `${table}_away`;
    await sql`alter table ${sql.id(table)} rename to ${sql.id(away)}`.execute(service.context.db);
    lines.length = 0;
    {
      await using _worker = service.startWorker(1);
      await vi.waitUntil(() => lines.some(isServerFailure), { timeout: 20_000 });
    }
    await sql`alter table ${sql.id(away)} rename to ${sql.id(table)}`.execute(service.context.db);
    expect(await request(id)).toMatchObject({ status: 'accepted' });
    const later = [{ condition_details: [{ field: 'identity', operation: 'equals', value: `${table}@example.com` }] }];
    expect(await account.rows({ filtering_criteria: later })).toEqual([]);
    await work();
    expect(await request(id)).toMatchObject({ status: 'done', counts: { created: 1 } });
    expect(await account.rows({ filtering_criteria: later })).toHaveLength(1);
  });
});

describe('the lanes of workers', () => {
  test('let several workers share the accounts, apply each in order, and apply nothing twice', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 4 }, (_, n) => service.createAccount({ name: `Lane ${n}` })),
    );
    await using _workers = {
      workers: [1, 2, 3].map(() => service.startWorker()),
      async [Symbol.asyncDispose]() {
        await Promise.all(this.workers.map((worker) => worker[Symbol.asyncDispose]()));
      },
    };
    await Promise.all(
      accounts.map(async (of) => {
        for (let n = 0; n < 40; n++)
          await create([{ identity: 'a@example.com', ...city(`${n}`) }, { identity: `${n}@example.com` }], of);
      }),
    );
    await service.settled();
    for (const of of accounts) {
      const rows = await of.rows({
        filtering_criteria: [
          { condition_details: [{ field: 'identity', operation: 'equals', value: 'a@example.com' }] },
        ],
        output: { fields: ['CITY'] },
      });
      expect(rows).toEqual([{ CITY: '39' }]);
      const requests = (await of.operator('GET', '/requests?limit=500')).body.data;
      const sum = (name: string) =>
        requests.reduce((total: number, one: { counts: Record<string, number> }) => total + one.counts[name]!, 0);
      expect([requests.length, sum('created'), sum('updated'), sum('failed')]).toEqual([40, 41, 39, 0]);
    }
  });

  test('let a small account be served while a large account has a backlog', async () => {
    const [large, small] = [await service.createAccount(), await service.createAccount()];
    for (let n = 0; n < 12; n++) {
      await create(
        Array.from({ length: 1000 }, (_, i) => ({ identity: `${n}-${i}@example.com` })),
        large,
      );
    }
    await create([{ identity: 'small@example.com' }], small);
    await using _worker = service.startWorker(1);
    for (;;) {
      const { body } = await small.operator('GET', '/requests');
      if (body.data[0].status === 'done') break;
      await sleep(5);
    }
    await service.settled();
    expect((await large.v5('/contact/search', { output: { get_count: true } })).body.count).toBe(12_000);
  }, 60_000);

  test('start again without losing a request when their connections are cut', async () => {
    account = await service.createAccount();
    await using _worker = service.startWorker();
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) {
      ids.push(
        await create(Array.from({ length: 200 }, (_, i) => ({ identity: `${i}@example.com`, ...city(`${n}`) }))),
      );
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like '%contacts%' and application_name = 'roster worker'`.execute(
        service.context.searchDb,
      );
    }
    await service.settled();
    const rows = await account.rows({ output: { fields: ['CITY'], pagination: { limit: 1000 } } });
    expect(rows).toHaveLength(200);
    expect(new Set(rows.map((row) => row['CITY']))).toEqual(new Set(['19']));
  }, 60_000);

  test('do not look again and again for waiting requests that are not in the log', async () => {
    const { accountId } = await service.createAccount();
    const { db, newId } = service.context;
    lines.length = 0;
    await sql`insert into request_queue values (${accountId}, 0, ${newId()}, 1, 1, now())`.execute(db);
    await using _worker = service.startWorker(1);
    const data = { contact_type: 'identified', contacts: [{ identity: 'a@example.com' }] };
    const answer = await account.v5('/contact/create', { data }, { prefer: 'wait=60' });
    expect(answer.body.outcome).toMatchObject({ status: 'done' });
    const looks = lines.filter((line) => line.includes('not in the log')).length;
    expect(looks).toBeGreaterThan(0);
    // One in 5 s: more only if the machine is very busy.
    expect(looks).toBeLessThan(10);
    await sql`delete from request_queue where account_id = ${accountId}`.execute(db);
  });
});

describe('the upkeep of partitions', () => {
  test('creates the partitions of the coming days, and moves requests there from the default partition', async () => {
    account = await service.createAccount();
    const now = service.context.now();
    const id = await create([{ identity: 'early@example.com' }, { identity: 'x@example.com', email: 'y@example.com' }]);
    await work();
    await makePartitions({ ...service.context, now: () => now });
    await makePartitions({ ...service.context, now: () => now });
    expect(await request(id)).toMatchObject({ counts: { created: 1, failed: 1 }, failures: [{ index: 1 }] });
    const { rows } = await sql<{ name: string; rows: number }>`
      select c.relname as name, (select count(*) from requests_default)::int as rows
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'requests'::regclass`.execute(
      service.context.db,
    );
    // There may be one more partition, if earlier tests ran before midnight.
    const today = Math.floor(now.getTime() / 86_400_000);
    const coming = Array.from({ length: 8 }, (_, day) => partitionName('requests', today + day));
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['requests_default', ...coming]));
    expect(rows[0]!.rows).toBe(0);
    expect(await request(await create([{ identity: 'later@example.com' }]))).toMatchObject({ status: 'accepted' });
    await work();
  });

  test('drops partitions of old days, but never one with a waiting request', async () => {
    const past = new Date(Date.now() - 20 * 86_400_000);
    const old = { ...service.context, now: () => past };
    await makePartitions(old);
    const name = `requests_${past.toISOString().slice(0, 10).replaceAll('-', '')}`;
    const exists = async () => {
      const { rows } = await sql<{ found: string | null }>`select to_regclass(${name}) as found`.execute(
        service.context.db,
      );
      return rows[0]!.found !== null;
    };
    expect(await exists()).toBe(true);
    await sql`insert into request_queue values (${account.accountId}, 0, ${service.context.newId()}, 1, 1, ${past})`.execute(
      service.context.db,
    );
    await deleteOldRequests(service.context);
    expect(await exists()).toBe(true);
    await sql`delete from request_queue`.execute(service.context.db);
    await deleteOldRequests(service.context);
    expect(await exists()).toBe(false);
  });
});
