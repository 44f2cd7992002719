import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { lockAccount } from '#features/accounts/store/account-store.ts';
import { createCredentialStore } from '#features/accounts/keys/credentials.ts';
import { changeAttributes, createUpdateGate } from '#features/attributes/routes/update.ts';
import { noPeople } from '#platform/http/authentication/no-people.ts';
import { createFailedAuthentications } from '#platform/http/authentication/failed-authentications.ts';
import { createAcceptor } from '#pipeline/accept/acceptor.ts';
import { withdrawRequest } from '#pipeline/queue/withdraw.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer, type TestService } from '../support/service.ts';
import { attributeAccount, path } from './attribute-account.ts';
import { isCluster, onEachServer } from '../support/cluster.ts';

const service = await forFile(startTestService());

describe('the order of acceptance', () => {
  test('changes of attributes and contacts are applied in the order of acceptance', async () => {
    await using waiting = await startTestService({ worker: false });
    const { first } = waiting;
    const define = (data_type: string) => first.v5(path.create, { data: [{ name: 'LEVEL', data_type }] });
    const send = (identity: string, LEVEL: unknown) =>
      first.v5('/contact/create', {
        data: { contact_type: 'identified', contacts: [{ identity, attributes: { LEVEL } }] },
      });
    await send('a@example.com', 'before');
    await define('text');
    await send('b@example.com', 'high');
    // The attribute does not exist yet, but it will when this request is applied.
    expect((await first.v5(path.delete, { data: ['LEVEL'] })).status).toBe(200);
    await send('c@example.com', 'lost');
    await define('number');
    await send('d@example.com', '7');
    const update = first.v5(path.update, { data: [{ name: 'LEVEL', new_name: 'RANK' }] });
    await expect
      .poll(async () => (await waiting.context.db.selectFrom('request_queue').select('seq').execute()).length)
      .toBe(8);
    await send('e@example.com', '8');
    await first.v5('/contact/create', {
      data: { contact_type: 'identified', contacts: [{ identity: 'f@example.com', attributes: { RANK: 9 } }] },
    });
    await using worker = waiting.startWorker();
    void worker;
    expect((await update).body.data).toMatchObject([{ name: 'RANK', data_type: 'number', id: 12 }]);
    await waiting.settled();
    const rows = await first.rows({ output: { fields: ['identity', 'RANK'], sorting: [{ field: 'identity' }] } });
    expect(rows.map(({ RANK }) => RANK)).toEqual([null, null, null, 7, null, 9]);
    const log = await first.operator('GET', '/requests?limit=100');
    const failures = await Promise.all(
      log.body.data
        .toReversed()
        .map(async ({ request_id }: { request_id: string }) =>
          (await first.operator('GET', `/requests/${request_id}`)).body.failures.map(
            ({ code }: { code: string }) => code,
          ),
        ),
    );
    const unknown = ['attribute_unknown'];
    expect(failures).toEqual([unknown, [], [], [], unknown, [], [], [], unknown, []]);
  });

  test('under load, each contact keeps the value of an attribute through many renames', async () => {
    const account = await attributeAccount(service);
    await account.create({ name: 'NAME_0', data_type: 'number' });
    const sent: Promise<Answer>[] = [];
    for (let round = 0; round < 15; round++) {
      for (let i = 0; i < 10; i++) {
        const identity = `r${round}-${i}@example.com`;
        sent.push(
          account.v5('/contact/create', {
            data: { contact_type: 'identified', contacts: [{ identity, attributes: { [`NAME_${round}`]: round } }] },
          }),
        );
      }
      await Promise.all(sent);
      expect((await account.update({ name: `NAME_${round}`, new_name: `NAME_${round + 1}` })).status).toBe(200);
    }
    await service.settled();
    const rows = await account.values('NAME_15');
    expect(rows).toHaveLength(150);
    expect(rows.flat().reduce<number>((sum, value) => sum + Number(value), 0)).toBe((10 * 14 * 15) / 2);
    expect(rows.flat()).not.toContain(null);
  });

  test('ten updates of an account wait in the pipeline at a time, and further updates wait before it', async () => {
    await using waiting = await startTestService({ worker: false });
    const { first } = waiting;
    const update = () => first.v5(path.update, { data: [{ name: 'CITY', category: 'custom' }] });
    const queued = async () => (await waiting.context.db.selectFrom('request_queue').select('seq').execute()).length;
    const updates = Array.from({ length: 25 }, update);
    await expect.poll(queued).toBe(10);
    // A later request does not wait for updates that are not accepted yet.
    await first.v5(path.create, { data: [{ name: 'TIER', data_type: 'text' }] });
    expect(await queued()).toBe(11);
    await using worker = waiting.startWorker();
    void worker;
    expect((await Promise.all(updates)).map(({ status }) => status)).toEqual(Array(25).fill(200));
  });

  test('the time that an update waits for a free place counts towards its limit of 30 s', async () => {
    await using waiting = await startTestService({ worker: false });
    const { context, first } = waiting;
    await using credentials = createCredentialStore(context);
    const acceptor = createAcceptor(context);
    const gate = createUpdateGate();
    const places = await Promise.all(Array.from({ length: 10 }, () => gate.enter(first.accountId)));
    const request = {
      requestId: randomUUID(),
      credential: (await credentials.find(first.apiKey))!,
      body: { data: [{ name: 'CITY', category: 'custom' as const }] },
      idempotencyKey: undefined,
      disconnectSignal: () => new AbortController().signal,
    };
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const update = changeAttributes(
        {
          context,
          credentials,
          acceptor,
          people: noPeople,
          failedAuthentications: createFailedAuthentications(context),
          adminToken: testAdminToken,
        },
        gate,
        request,
      );
      expect(gate.waiting).toBe(1);
      vi.advanceTimersByTime(30_001);
      places[0]!();
      await expect(update).rejects.toMatchObject({ code: 'pipeline_busy' });
    } finally {
      vi.useRealTimers();
    }
    expect(await context.db.selectFrom('request_queue').selectAll().execute()).toEqual([]);
    const log = await first.operator('GET', `/requests/${request.requestId}`);
    expect(log.body.failures).toMatchObject([{ code: 'withdrawn' }]);
  });

  test('a request that waits too long is withdrawn and changes nothing', async () => {
    await using waiting = await startTestService({ worker: false });
    const { awaitResult } = await import('#pipeline/accept/await-result.ts');
    const body = { data: [{ name: 'CITY', category: 'custom' }] };
    const answer = await waiting.first.v5(path.delete, { data: ['CITY'] });
    expect(answer.status).toBe(400);
    const pending = waiting.first.v5(path.update, body, { 'idempotency-key': 'again' });
    const queue = () => waiting.context.db.selectFrom('request_queue').selectAll().execute();
    await expect.poll(async () => (await queue()).length).toBe(1);
    const [request] = await queue();
    await expect(
      awaitResult(
        waiting.context,
        { accountId: 1, requestId: request!.request_id },
        { signal: new AbortController().signal, timeout: 0 },
      ),
    ).rejects.toMatchObject({
      code: 'pipeline_busy',
    });
    expect(await queue()).toEqual([]);
    // The client that waits for the same request gets the same answer.
    expect(await pending).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    const log = await waiting.first.operator('GET', `/requests/${request!.request_id}`);
    expect(log.body).toMatchObject({
      status: 'failed',
      counts: { total: 1, failed: 1 },
      failures: [{ code: 'withdrawn' }],
    });
    // The idempotency key can be used again.
    expect(await waiting.context.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([]);
  });

  test('a request withdrawn while it is applied changes nothing, and the worker logs no error', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    await using waiting = await startTestService({ worker: false, log });
    const { context, first } = waiting;
    const pending = first.v5(path.update, { data: [{ name: 'CITY', category: 'custom' }] });
    const queue = () => context.db.selectFrom('request_queue').select('request_id').execute();
    await expect.poll(async () => (await queue()).length).toBe(1);
    const [request] = await queue();
    await first.v5(path.create, { data: [{ name: 'TIER', data_type: 'text' }] });

    const worker = await context.db.transaction().execute(async (trx) => {
      await lockAccount(trx, 1);
      const started = waiting.startWorker();
      await expect.poll(() => waitingForLocks(context)).toBe(1);
      expect(await withdrawRequest(context.pool, 1, request!.request_id, context.now())).toBe(true);
      return started;
    });
    await using _worker = worker;
    expect((await pending).status).toBe(503);
    await waiting.settled();
    const find = async (name: string) =>
      context.db.selectFrom('attributes').where('name', '=', name).select('category').execute();
    expect(await find('CITY')).toEqual([{ category: 'location' }]);
    expect(await find('TIER')).toHaveLength(1);
    // The client got a normal answer, 503. The worker logs no warning and no error.
    expect(lines.filter(({ level }) => Number(level) > 30)).toEqual([]);
    // On a cluster, the batch begins again on the coordinator, where the request is gone already.
    if (isCluster) return;
    const withdrawn = { account_id: 1, msg: expect.stringContaining('was withdrawn while it was applied') };
    expect(lines).toContainEqual(expect.objectContaining(withdrawn));
  });
});

/** The number of statements on the database of the test that wait for a lock. */
async function waitingForLocks({ config }: TestService['context']): Promise<number> {
  const rows = await onEachServer(
    config.databaseUrl!,
    `select pid from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and wait_event <> 'advisory'`,
  );
  return rows.length;
}
