import { createHmac } from 'node:crypto';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deleteOldDeliveries } from '#features/callbacks/delivery-upkeep.ts';
import { forFile } from '../support/for-file.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import {
  waitForAttempts,
  deliver,
  waitForDelivery,
  deleteDeliveries,
  skipPause,
  useLongPauses,
  sourceId,
  startDeliveryService,
} from './support.ts';

let stack: AsyncDisposableStack;
let clockOffset = 0;
const lines: string[] = [];

const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
const service = await forFile(startDeliveryService({ log, now: () => new Date(Date.now() + clockOffset) }));
const other = await service.createAccount();
beforeEach(() => {
  clockOffset = 0;
  stack = new AsyncDisposableStack();
});
afterEach(async () => {
  await stack.disposeAsync();
  await deleteDeliveries(service.context);
});

const startJobs = () => stack.use(service.startJobs());
const url = 'http://one.test:1/';

async function receive(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  return stack.use(await startReceiver(...args));
}

const idsOf = (body: { data: { delivery_id: string }[] }): string[] => body.data.map(({ delivery_id }) => delivery_id);

describe("the operator's list of deliveries", () => {
  test('the list has the deliveries of the account, newest first, page by page', async () => {
    const ids = [];
    for (let index = 0; index < 5; index++) ids.push(await deliver(service.context, url));
    await deliver(service.context, url, { accountId: other.accountId });
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await service.first.operator(
        'GET',
        `/deliveries?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...idsOf(body));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(ids.toReversed());
  });

  test('the list can be filtered by status and by source', async () => {
    const receiver = await receive();
    startJobs();
    const batch = { kind: 'batch', id: '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a99' } as const;
    const delivered = await deliver(service.context, `http://one.test:${receiver.port}/`);
    await waitForDelivery(service.first, delivered, ({ status }) => status === 'delivered');
    const pending = await deliver(service.context, url, { source: batch });
    const list = async (query: string) => idsOf((await service.first.operator('GET', `/deliveries?${query}`)).body);
    expect(await list('status=delivered')).toEqual([delivered]);
    expect(await list('status=pending')).toEqual([pending]);
    expect(await list('status=failed')).toEqual([]);
    expect(await list('source=batch')).toEqual([pending]);
    expect(await list(`source=export&source_id=${sourceId.toUpperCase()}`)).toEqual([delivered]);
    expect(await list(`source_id=${batch.id}&status=delivered`)).toEqual([]);
    for (const query of ['status=lost', 'source=mail', 'source_id=7', 'cursor=x', 'limit=0', 'colour=red']) {
      expect((await service.first.operator('GET', `/deliveries?${query}`)).status, query).toBe(400);
    }
  });

  test('an account cannot read or replay the deliveries of another account', async () => {
    const deliveryId = await deliver(service.context, url);
    for (const account of [
      other,
      { ...other, operator: (method: string, path: string) => service.operator(method, `/accounts/99${path}`) },
    ]) {
      expect((await account.operator('GET', `/deliveries/${deliveryId}`)).status).toBe(404);
      expect((await account.operator('POST', `/deliveries/${deliveryId}/replay`)).status).toBe(404);
    }
    expect((await other.operator('GET', '/deliveries')).body).toEqual({ data: [], next_cursor: null });
    expect((await service.operator('GET', '/accounts/99/deliveries')).status).toBe(404);
    expect((await service.first.operator('GET', '/deliveries/7')).status).toBe(404);
  });
});

test('the values of headers are never shown or logged, and the URL is not logged', async () => {
  startJobs();
  const headers = [{ name: 'Authorization', value: 'Bearer very-secret' }];
  const deliveryId = await deliver(service.context, `${url}?token=very-secret`, { headers });
  const detail = await waitForAttempts(service.first, deliveryId, 1);
  expect(detail).toMatchObject({ header_names: ['Authorization'], body: '{"status":"completed","name":"ü"}' });
  expect(JSON.stringify({ ...detail, url: '' })).not.toContain('very-secret');
  await expect.poll(() => lines.join('')).toContain('could not send a callback; retrying');
  expect(lines.join('')).not.toContain('very-secret');
});

describe('a replay of a delivery', () => {
  test('a replay sends a delivery again with new attempts, and is written to the audit log', async () => {
    useLongPauses();
    const answers = [200, 500, 200];
    const receiver = await receive((response) => void response.writeHead(answers[receiver.requests.length - 1]!).end());
    startJobs();
    const deliveryId = await deliver(service.context, `http://one.test:${receiver.port}/`);
    await waitForDelivery(service.first, deliveryId, ({ status }) => status === 'delivered');
    // The 24 hours of the first series of attempts are over. The replay starts a new series.
    clockOffset = 48 * 3_600_000;
    const replay = await service.first.operator('POST', `/deliveries/${deliveryId}/replay`);
    expect(replay).toMatchObject({
      status: 200,
      body: { delivery_id: deliveryId, status: 'pending', attempts: 1, finished_at: null },
    });
    const retried = await waitForAttempts(service.first, deliveryId, 2);
    expect(retried).toMatchObject({ status: 'pending', attempts: 2 });
    // The pause is as short as after a first attempt.
    expect(Date.parse(retried.next_attempt_at!) - Date.now()).toBeLessThan(10_000);
    const refused = await service.first.operator('POST', `/deliveries/${deliveryId}/replay`);
    expect(refused).toMatchObject({ status: 409, body: { description: expect.stringContaining('pending') } });
    await skipPause(service.context, deliveryId);
    const delivered = await waitForDelivery(service.first, deliveryId, ({ status }) => status === 'delivered');
    expect(delivered.attempt_log.map(({ attempt, status_code }) => [attempt, status_code])).toEqual([
      [1, 200],
      [2, 500],
      [3, 200],
    ]);
    const requests = receiver.requests.map(({ headers, body }) => [headers['x-roster-delivery'], body].join());
    expect(new Set(requests).size).toBe(1);
    const audit = (await service.first.operator('GET', '/audit-log')).body.data;
    expect(audit.filter(({ action }: { action: string }) => action === 'delivery.replay')).toMatchObject([
      { actor: 'operator', subject: `delivery:${deliveryId}`, details: { status: 'delivered', attempts: 1 } },
    ]);
  });

  test('simultaneous replay requests send the delivery once', async () => {
    const receiver = await receive();
    const jobs = service.startJobs();
    const deliveryId = await deliver(service.context, `http://one.test:${receiver.port}/`);
    await waitForDelivery(service.first, deliveryId, ({ status }) => status === 'delivered');
    await jobs[Symbol.asyncDispose]();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => service.first.operator('POST', `/deliveries/${deliveryId}/replay`)),
    );
    expect(answers.map(({ status }) => status).filter((status) => status !== 409)).toEqual([200]);
    startJobs();
    await waitForDelivery(service.first, deliveryId, ({ status }) => status === 'delivered');
    expect(receiver.requests.length).toBe(2);
  });
});

describe('the signing secret of an account', () => {
  test('each account has its own signing secret, which can be read', async () => {
    const { body } = await other.operator('GET', '/signing-secret');
    expect(body).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      created_at: expect.any(String),
      previous: null,
    });
    expect((await service.first.operator('GET', '/signing-secret')).body.secret).not.toBe(body.secret);
    expect((await service.operator('GET', '/accounts/99/signing-secret')).status).toBe(404);
    expect((await service.operator('POST', '/accounts/99/signing-secret/rotate')).status).toBe(404);
  });

  test('after a rotation the old secret signs for 24 more hours, together with the new one', async () => {
    const receiver = await receive();
    startJobs();
    const account = await service.createAccount();
    const { accountId } = account;
    async function signers(): Promise<string[]> {
      const count = receiver.requests.length;
      await deliver(service.context, `http://one.test:${receiver.port}/`, { accountId });
      const { headers, body } = (await receiver.reached(count + 1)).at(-1)!;
      const [time, ...signatures] = String(headers['x-roster-signature']).split(',');
      return signatures.map((signature) => {
        const by = secrets.find(
          (secret) =>
            signature ===
            `v1=${createHmac('sha256', secret)
              .update(`${time!.slice(2)}.${body}`)
              .digest('hex')}`,
        );
        return by === undefined ? 'nobody' : String(secrets.indexOf(by));
      });
    }
    const secrets = [(await account.operator('GET', '/signing-secret')).body.secret as string];
    expect(await signers()).toEqual(['0']);

    const rotated = await account.operator('POST', '/signing-secret/rotate');
    expect(rotated).toMatchObject({ status: 200, body: { previous: { secret: secrets[0] } } });
    expect(Date.parse(rotated.body.previous.expires_at) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    expect((await account.operator('GET', '/signing-secret')).body).toEqual(rotated.body);
    secrets.push(rotated.body.secret);
    expect(await signers()).toEqual(['1', '0']);

    secrets.push((await account.operator('POST', '/signing-secret/rotate')).body.secret);
    expect(await signers()).toEqual(['2', '1']);
    clockOffset = 24 * 3_600_000 + 1000;
    expect(await signers()).toEqual(['2']);
    expect((await account.operator('GET', '/signing-secret')).body).toMatchObject({
      secret: secrets[2],
      previous: null,
    });

    const audit = JSON.stringify((await account.operator('GET', '/audit-log')).body);
    expect(audit).toContain('signing-secret.rotate');
    expect(audit).not.toContain('whsec_');
  });

  test('simultaneous rotations create one new secret', async () => {
    const account = await service.createAccount();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => account.operator('POST', '/signing-secret/rotate')),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const rows = await service.context.db
      .selectFrom('signing_secrets')
      .where('account_id', '=', account.accountId)
      .selectAll()
      .execute();
    expect(rows.length).toBe(2);
    expect(rows.filter(({ expires_at }) => expires_at === null).length).toBe(1);
  });
});

test('the metrics count deliveries by outcome', async () => {
  const receiver = await receive(
    (response) => void response.writeHead(receiver.requests.length === 1 ? 200 : 500).end(),
  );
  startJobs();
  const value = async (pattern: RegExp) => Number(pattern.exec((await service.call('GET', '/metrics')).body)?.[1] ?? 0);
  const delivered = await value(/roster_deliveries_total\{outcome="delivered"\} (\d+)/);
  await waitForDelivery(
    service.first,
    await deliver(service.context, `http://one.test:${receiver.port}/`),
    ({ status }) => status === 'delivered',
  );
  await waitForAttempts(service.first, await deliver(service.context, `http://one.test:${receiver.port}/`), 1);
  expect(await value(/roster_deliveries_total\{outcome="delivered"\} (\d+)/)).toBe(delivered + 1);
  expect(await value(/roster_delivery_attempt_seconds_count\{outcome="bad_status"\} (\d+)/)).toBeGreaterThan(0);
});

test('finished deliveries are deleted with their attempts after the retention, and pending ones are kept', async () => {
  const receiver = await receive();
  const jobs = service.startJobs();
  const finished = await deliver(service.context, `http://one.test:${receiver.port}/`);
  await waitForDelivery(service.first, finished, ({ status }) => status === 'delivered');
  await jobs[Symbol.asyncDispose]();
  const pending = await deliver(service.context, url);
  const { signal } = new AbortController();
  clockOffset = 29 * 86_400_000;
  await deleteOldDeliveries(service.context, signal);
  expect(idsOf((await service.first.operator('GET', '/deliveries')).body)).toEqual([pending, finished]);
  clockOffset = 31 * 86_400_000;
  await deleteOldDeliveries(service.context, signal);
  expect(idsOf((await service.first.operator('GET', '/deliveries')).body)).toEqual([pending]);
  expect(await service.context.db.selectFrom('delivery_attempts').selectAll().execute()).toEqual([]);
});
