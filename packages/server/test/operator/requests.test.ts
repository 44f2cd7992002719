import { pageAnswer, RequestDetail } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { expectShape } from './shape.ts';

const create = (...contacts: object[]) => ({ data: { contact_type: 'identified', contacts } });

const service = await forFile(startTestService({ worker: false }));
const worker = service.startWorker();
const account = await service.createAccount();
const applied: string[] = [];
for (const identity of ['a@example.com', 'b@example.com', 'fails@example.com', 'c@example.com']) {
  const item = identity.startsWith('fails') ? { identity, email: 'other@example.com' } : { identity };
  applied.push((await account.apply('/contact/create', create(item))).request_id);
}
// From here on no worker applies requests.
await worker[Symbol.asyncDispose]();
const waiting = await service.createAccount();
const waitingIds: string[] = [];
for (let count = 0; count < 3; count++) {
  const { body } = await waiting.v5(
    '/contact/create',
    create({ identity: 'd@example.com' }, { identity: 'e@example.com' }),
  );
  waitingIds.push(body.request_id);
}

const ids = ({ body }: { body: { data: { request_id: string }[] } }) => body.data.map((request) => request.request_id);

describe('the list of requests', () => {
  test('is newest first, with counts', async () => {
    const answer = await account.operator('GET', '/requests');

    expect(answer.status).toBe(200);
    expectShape(pageAnswer('RequestSummary'), answer.body);
    expect(ids(answer)).toEqual([...applied].reverse());
    expect(answer.body.data[0]).toEqual({
      request_id: applied[3],
      operation: 'contact.create',
      status: 'done',
      outcome: 'succeeded',
      accepted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      finished_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      counts: { total: 1, created: 1, updated: 0, unchanged: 0, deleted: 0, failed: 0, warnings: 0 },
    });
  });

  test('shows requests of one status', async () => {
    expect(ids(await account.operator('GET', '/requests?status=done'))).toEqual([...applied].reverse());
    expect(ids(await account.operator('GET', '/requests?status=accepted'))).toEqual([]);
    expect(ids(await account.operator('GET', '/requests?status=failed'))).toEqual([]);
    expect(ids(await waiting.operator('GET', '/requests?status=ACCEPTED'))).toEqual([...waitingIds].reverse());
    expect(ids(await waiting.operator('GET', '/requests?status=done'))).toEqual([]);
    expect(await account.operator('GET', '/requests?status=lost')).toMatchObject({ status: 400 });
  });

  test.each(['', '&status=accepted'])(
    'continues after the previous page while requests arrive (query "%s")',
    async (filter) => {
      const account = await service.createAccount();
      const accepted: string[] = [];
      const accept = async () =>
        accepted.push((await account.v5('/contact/create', create({ identity: 'f@example.com' }))).body.request_id);
      for (let count = 0; count < 5; count++) await accept();

      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const query: string = `limit=2${filter}${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const page = await account.operator('GET', `/requests?${query}`);
        seen.push(...ids(page));
        cursor = page.body.next_cursor;
        await accept();
      }
      expect(seen).toEqual(accepted.slice(0, 5).reverse());
    },
  );
});

describe('a single request', () => {
  test('has only its total while it waits', async () => {
    const { status, body } = await waiting.operator('GET', `/requests/${waitingIds[0]!.toUpperCase()}`);

    expect(status).toBe(200);
    expectShape(RequestDetail, body);
    expect(body).toEqual({
      request_id: waitingIds[0],
      operation: 'contact.create',
      status: 'accepted',
      outcome: null,
      accepted_at: expect.any(String),
      finished_at: null,
      counts: { total: 2, created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0, warnings: 0 },
      failure_codes: [],
      failures: [],
      failures_next_cursor: null,
    });
  });

  test('has its failures with item, field and reason', async () => {
    const { body } = await account.operator('GET', `/requests/${applied[2]}`);

    expectShape(RequestDetail, body);
    expect(body.counts).toMatchObject({ total: 1, created: 0, failed: 1 });
    expect(body.failures).toEqual([
      { index: 0, code: 'identity_mismatch', field: 'email', message: expect.any(String), warning: false },
    ]);
  });

  test('is 404 in another account, and not in the list of that account', async () => {
    expect((await waiting.operator('GET', `/requests/${applied[0]}`)).status).toBe(404);
    expect(ids(await waiting.operator('GET', '/requests'))).not.toContain(applied[0]);
  });

  test('returns its failures page by page, in the order of the items', async () => {
    await service.context.pool.query(
      `insert into request_failures (account_id, request_id, item_index, ordinal, code, field, message, warning)
       select $1, $2, i, o, 'list_unknown', 'audience_details', 'm', true
       from generate_series(0, 1000) i, generate_series(0, 1) o order by random()`,
      [waiting.accountId, waitingIds[0]],
    );
    const seen: number[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = cursor === '' ? '' : `?failures_cursor=${cursor}`;
      const { body } = await waiting.operator('GET', `/requests/${waitingIds[0]}${query}`);
      sizes.push(body.failures.length);
      seen.push(...body.failures.map((failure: { index: number }) => failure.index));
      cursor = body.failures_next_cursor;
    }
    expect(sizes).toEqual([1000, 1000, 2]);
    expect(seen).toEqual(Array.from({ length: 2002 }, (_, place) => Math.floor(place / 2)));
    const bad = await waiting.operator('GET', `/requests/${waitingIds[0]}?failures_cursor=xyz`);
    expect(bad).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'failures_cursor', code: 'invalid_format' }] },
    });
  });
});
