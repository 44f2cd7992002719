import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { createAcceptor } from '#pipeline/accept/acceptor.ts';
import { allLanes } from '#pipeline/operations/buckets.ts';
import { nextRequests } from '#pipeline/queue/batch-store.ts';
import { isCluster, isServerFailure } from '../support/cluster.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { testLayout } from '../support/context.ts';

const lines: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
const service = await forFile(startTestService({ worker: false, log }));
const account = service.first;

const identified = (contacts: object[]) => ({ data: { contact_type: 'identified', contacts } });
async function accept(body: object, of = account): Promise<string> {
  const answer = await of.v5('/contact/create', body);
  expect(answer.status).toBe(200);
  return answer.body.request_id;
}
const create = (name: string, of?: TestAccount) => accept(identified([{ identity: `${name}@example.com` }]), of);
const request = async (id: string, of = account) => (await of.operator('GET', `/requests/${id}`)).body;
const attempts = async () =>
  (await service.context.db.selectFrom('request_queue').select('attempts').orderBy('seq').execute()).map(
    (row) => row.attempts,
  );
const setAttempts = (id: string, count: number) =>
  service.context.db.updateTable('request_queue').set({ attempts: count }).where('request_id', '=', id).execute();

/** Runs a worker until the queue is empty. */
async function work(): Promise<void> {
  await using _worker = service.startWorker();
  await service.settled();
}

test('a request that ended three workers while it was alone is given up, and one that ended two is applied', async () => {
  const ids = [await create('before'), await create('poison'), await create('suspected'), await create('after')];
  await setAttempts(ids[1]!, 5);
  await setAttempts(ids[2]!, 4);
  lines.length = 0;
  await work();
  expect(await Promise.all(ids.map((id) => request(id)))).toMatchObject([
    { status: 'done', counts: { created: 1 } },
    { status: 'failed', counts: { total: 1, failed: 1 }, failures: [{ index: 0, code: 'given_up', warning: false }] },
    { status: 'done', counts: { created: 1 } },
    { status: 'done', counts: { created: 1 } },
  ]);
  expect(lines.filter((line) => line.includes(ids[1]!) && line.includes('gave up'))).toHaveLength(1);
});

test('suspected requests are applied up to 50 together, and each alone after another worker has ended', async () => {
  const ids = [];
  for (let n = 0; n < 56; n++) ids.push(await create(`together${n}`));
  const next = async () =>
    (await nextRequests(service.context.pool, { accountId: account.accountId, numbers: [allLanes] }, [])).map(
      ({ requestId }) => requestId,
    );
  expect(await next()).toEqual(ids);

  for (const id of ids.slice(0, 55)) await setAttempts(id, 1);
  expect(await next()).toEqual(ids.slice(0, 50));
  await setAttempts(ids[0]!, 0);
  expect(await next()).toEqual(ids.slice(0, 1));
  await setAttempts(ids[0]!, 1);
  await setAttempts(ids[3]!, 2);
  expect(await next()).toEqual(ids.slice(0, 3));
  await setAttempts(ids[0]!, 2);
  await setAttempts(ids[1]!, 2);
  expect(await next()).toEqual(ids.slice(0, 1));

  await work();
  for (const id of ids) expect(await request(id)).toMatchObject({ status: 'done', counts: { created: 1 } });
});

test('an attempt does not count if it fails while the worker stays alive', async () => {
  await create('patient');
  await create('patient');
  await sql`alter table contacts rename to contacts_away`.execute(service.context.db);
  lines.length = 0;
  {
    await using _worker = service.startWorker(1);
    const stops = () => lines.filter((line) => isServerFailure(line)).length;
    await vi.waitUntil(() => stops() >= (isCluster ? 2 : 6), { timeout: 30_000 });
  }
  expect(await attempts()).toEqual([0, 0]);
  await sql`alter table contacts_away rename to contacts`.execute(service.context.db);
  await work();
});

test('a request that makes every worker run out of memory is given up, and all other requests are applied', async () => {
  const other = await service.createAccount();
  const before = await create('good1');
  // 8 MB of numbers need more memory than the workers of this test have.
  const listIds = Array.from({ length: 1000 }, () => 9);
  const details = Array.from({ length: 500 }, () => ({ audience_id: listIds, audience_type: 'list' }));
  const contacts = Array.from({ length: 8 }, (_, n) => ({
    identity: `poison${n}@example.com`,
    audience_details: details,
  }));
  // The API refuses a body with so many values. A request that an older version accepted can have
  // them.
  const poison = await createAcceptor(service.context).accept({
    accountId: account.accountId,
    requestId: service.context.newId(),
    operation: 'contact.create',
    payload: { contact_type: 'identified', contacts } as never,
    total: contacts.length,
    idempotency: undefined,
  });
  const later = await Promise.all(Array.from({ length: 20 }, (_, n) => create(`good${n}`)));
  const elsewhere = await create('good', other);

  const env = { ...process.env, DATABASE_URL: service.context.config.databaseUrl, ...testLayout };
  const program = path.join(import.meta.dirname, 'programs', 'worker.ts');
  const settled = service.settled();
  let deaths = 0;
  for (let isSettled = false; !isSettled && deaths < 10;) {
    const worker = spawn(process.execPath, ['--max-old-space-size=56', program], {
      env,
      stdio: 'ignore',
    });
    const died = once(worker, 'exit').then(() => 'died');
    isSettled = (await Promise.race([died, settled])) === undefined;
    if (isSettled) worker.kill('SIGKILL');
    else deaths++;
    await died;
  }
  // Twice in a batch with other requests, and three times alone.
  expect(deaths).toBe(5);
  expect(await request(poison)).toMatchObject({
    status: 'failed',
    counts: { total: 8, failed: 8 },
    failures: [{ code: 'given_up' }],
  });
  for (const id of [before, ...later]) expect(await request(id)).toMatchObject({ status: 'done' });
  expect(await request(elsewhere, other)).toMatchObject({ status: 'done' });
}, 360_000);
