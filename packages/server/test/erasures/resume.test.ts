import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eraseTraces } from '#features/erasures/traces/erase-traces.ts';
import { restartErasures } from '#features/erasures/restart-erasures.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { created, erased, finished, mentions } from './support.ts';
import { onEachServer } from '../support/cluster.ts';

const service = await forFile(startTestService());

const texts = ['lena@example.com', 'Lenamarie'];

/**
 * Sends many requests about Lena and others. They are so large that few fit into memory at once.
 */
async function fill(requests: number): Promise<number> {
  const { first } = service;
  const id = await created(first, { identity: 'lena@example.com' });
  for (let n = 0; n < requests; n++) {
    const contacts = Array.from({ length: 700 }, (_, index) =>
      index === n
        ? { identity: 'lena@example.com', attributes: { FIRST_NAME: `Lenamarie ${n}` } }
        : // Random letters, which cannot be compressed well.
          {
            identity: `${index}@example.com`,
            attributes: { CITY: Array.from({ length: 60 }, () => Math.random().toString(36).slice(2)).join('') },
          },
    );
    const answer = await first.v5('/contact/create', { data: { contact_type: 'identified', contacts } });
    expect(answer.status).toBe(200);
  }
  await service.settled();
  return id;
}

test('an erasure that is stopped or killed continues where it was', async () => {
  const { context, first } = service;
  const id = await fill(24);
  const { request_id: requestId } = await erased(first, id);
  const key = { account_id: first.accountId, request_id: requestId };
  const row = () =>
    context.db.selectFrom('erasures').where('request_id', '=', requestId).selectAll().executeTakeFirstOrThrow();
  const begin = await row();

  // Stops the erasure between two steps.
  const stopping = new AbortController();
  const counting: typeof context = {
    ...context,
    db: new Proxy(context.db, {
      get(target, name, receiver) {
        if (name === 'transaction') stopping.abort(new Error('the process stops'));
        const value: unknown = Reflect.get(target, name, receiver);
        return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
      },
    }),
  };
  const run = eraseTraces(counting, key, { signal: stopping.signal, jobId: '1', attempt: 1, maxAttempts: 25 });
  await expect(run).rejects.toThrow('the process stops');
  const stopped = await row();
  expect(stopped.position).toBeLessThan(begin.position!);
  expect(stopped.erased_items).toBeGreaterThan(0);
  expect(stopped.erased_items).toBeLessThan(25);
  expect(await mentions(service, first, texts)).not.toEqual([]);

  // Simulates a kill during a write: the connection ends, and so does its transaction.
  const blocker = await context.pool.connect();
  await blocker.query('begin');
  await blocker.query('select 1 from requests where account_id = $1 for update', [first.accountId]);
  const killed = eraseTraces(context, key, {
    signal: new AbortController().signal,
    jobId: '1',
    attempt: 1,
    maxAttempts: 25,
  });
  killed.catch(() => undefined);
  for (;;) {
    const rows = await onEachServer(
      context.config.databaseUrl!,
      `select pg_terminate_backend(pid) as killed from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query ilike '%for update of r%'`,
    );
    if (rows.length > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await expect(killed).rejects.toThrow();
  await blocker.query('rollback');
  blocker.release();
  expect(await row()).toEqual(stopped);

  await using _jobs = service.startJobs();
  const done = await finished(first, requestId);
  expect(done).toMatchObject({ status: 'done', erased: { items: 25 } });
  expect(await mentions(service, first, texts)).toEqual([]);
  expect(await row()).toMatchObject({ identifiers: null, learned: [], position: null });
  // The items of other people are unchanged.
  const log = await context.db
    .selectFrom('requests')
    .where('operation', '=', 'contact.create')
    .select('total')
    .execute();
  expect(log.filter(({ total }) => total === 700)).toHaveLength(24);
  expect((await mentions(service, first, ['"identity":"699@example.com"'])).length).toBe(1);
});

test('two simultaneous erasures in the same requests leave nothing of either person', async () => {
  const { context, first } = service;
  const people = ['asha@example.net', 'bela@example.net', 'cara@example.net'];
  for (let n = 0; n < 10; n++) {
    const contacts = people.map((identity) => ({ identity, attributes: { CITY: `${identity} ${n}` } }));
    await first.createContacts(contacts);
  }
  const ids = await Promise.all(people.slice(0, 2).map((identity) => created(first, { identity })));
  const erasures = await Promise.all(ids.map((id) => erased(first, id)));
  const run = { signal: new AbortController().signal, jobId: '1', attempt: 1, maxAttempts: 25 };
  await Promise.all(
    erasures.map(({ request_id }) => eraseTraces(context, { account_id: first.accountId, request_id }, run)),
  );
  expect(await mentions(service, first, people.slice(0, 2))).toEqual([]);
  expect(await mentions(service, first, ['cara@example.net 9'])).toEqual(
    expect.arrayContaining(['payload: cara@example.net 9']),
  );
});

test('an erasure whose job has failed for good is started again', async () => {
  const { context, first } = service;
  const id = await created(first, { identity: 'given-up@example.net' });
  const { request_id: requestId } = await erased(first, id);
  await sql`select roster_jobs.permanently_fail_jobs(array(select id from roster_jobs.jobs), 'given up')`.execute(
    context.db,
  );
  const later = { ...context, now: () => new Date(Date.now() + 120_000) };
  await restartErasures(later, new AbortController().signal);
  // The erasure has a job again, so the second run does not change it.
  await restartErasures(later, new AbortController().signal);
  await using _jobs = service.startJobs();
  expect(await finished(first, requestId)).toMatchObject({ status: 'done' });
});
