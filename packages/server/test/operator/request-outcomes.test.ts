import { describe, expect, test } from 'vitest';
import { databaseOn } from '#platform/database/connection/database.ts';
import { listRequests, type RequestFilter } from '#features/request-log/log-store.ts';
import { forFile } from '../support/for-file.ts';
import { pagesRead } from '../support/pages-read.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

const service = await forFile(startTestService());

const good = { identity: 'good@example.com' };
const failing = { identity: 'fails@example.com', email: 'other@example.com' };
const warned = { identity: 'warned@example.com', attributes: { NO_SUCH_ATTRIBUTE: 'x' } };

async function send(account: TestAccount, ...contacts: object[]): Promise<string> {
  const request = await account.createContacts(contacts);
  return request.request_id;
}

async function list(account: TestAccount, query: string): Promise<string[]> {
  const { body } = await account.operator('GET', `/requests?${query}`);
  return body.data.map(({ request_id }: { request_id: string }) => request_id);
}

describe('the list of requests by outcome', () => {
  test('finds requests with failed items, requests with warnings, and those with both', async () => {
    const account = await service.createAccount();
    const failed = await send(account, good, failing);
    const warnings = await send(account, good, warned);
    await send(account, good);
    const both = await send(account, failing, warned);

    expect(await list(account, 'outcome=failed')).toEqual([both, failed]);
    expect(await list(account, 'outcome=WARNINGS')).toEqual([both, warnings]);
    // The requests themselves were applied.
    expect(await list(account, 'outcome=failed&status=done')).toEqual([both, failed]);
    expect(await list(account, 'outcome=failed&status=failed')).toEqual([]);
    expect(await list(account, 'outcome=failed&status=accepted')).toEqual([]);
  });

  test('tells whether all items failed, some, or none', async () => {
    const account = await service.createAccount();
    const all = await send(account, failing, failing);
    const some = await send(account, good, failing);
    const none = await send(account, warned);
    expect(await list(account, 'outcome=all_failed')).toEqual([all]);
    expect(await list(account, 'outcome=some_failed')).toEqual([some]);
    expect(await list(account, 'outcome=succeeded')).toEqual([none]);
    expect(await list(account, 'has_failures=true')).toEqual([some, all]);
    expect(await list(account, 'has_failures=false')).toEqual([none]);
    expect(await list(account, 'has_failures=true&outcome=failed')).toEqual([some, all]);
    const outcomes = (await account.operator('GET', '/requests')).body.data.map(
      ({ outcome }: { outcome: string }) => outcome,
    );
    expect(outcomes).toEqual(['succeeded', 'some_failed', 'all_failed']);
    // A request in which everything failed is done: it was applied.
    expect((await account.operator('GET', `/requests/${all}`)).body).toMatchObject({
      status: 'done',
      outcome: 'all_failed',
    });
    const { body } = await account.operator('GET', '/requests?has_failures=true&outcome=succeeded');
    expect(body).toMatchObject({ code: 400, errors: [{ field: 'has_failures' }] });
  });

  test('can be limited to an operation and to a time', async () => {
    const account = await service.createAccount();
    const first = await send(account, failing);
    const { request_id: update } = await account.updateContacts([
      { identity: 'nobody@example.com', attributes: { CITY: 'Ulm' } },
    ]);
    const timeOf = async (id: string) => (await account.operator('GET', `/requests/${id}`)).body.accepted_at as string;
    const [firstTime, updateTime] = [await timeOf(first), await timeOf(update)];
    for (const outcome of ['', '&outcome=failed', '&outcome=all_failed']) {
      expect(await list(account, `operation=contact.update${outcome}`)).toEqual([update]);
      expect(await list(account, `operation=contact.delete${outcome}`)).toEqual([]);
      expect(await list(account, `before=${updateTime}${outcome}`)).toEqual([first]);
      expect(await list(account, `from=${updateTime}${outcome}`)).toEqual([update]);
      expect(await list(account, `from=${firstTime}&before=${updateTime}${outcome}`)).toEqual([first]);
      expect(await list(account, `before=${firstTime}${outcome}`)).toEqual([]);
    }
    expect((await account.operator('GET', '/requests?from=yesterday')).status).toBe(400);
  });

  test('continues each page where the previous page ended', async () => {
    const account = await service.createAccount();
    const sent = [await send(account, failing), await send(account, failing), await send(account, failing)];
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = `/requests?outcome=failed&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { body } = await account.operator('GET', query);
      seen.push(...body.data.map(({ request_id }: { request_id: string }) => request_id));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(sent.reverse());
  });

  test('includes a request without items that failed as a whole under failed', async () => {
    const account = await service.createAccount();
    const requestId = service.context.newId();
    await insertRequests(account, `values ('${requestId}'::uuid, 900000001, 'failed', 0)`);
    expect(await list(account, 'outcome=failed')).toEqual([requestId]);
    expect(await list(account, 'status=failed')).toEqual([requestId]);
    expect(await list(account, 'outcome=warnings')).toEqual([]);
  });

  test('shows no requests of other accounts', async () => {
    const [one, other] = [await service.createAccount(), await service.createAccount()];
    await send(one, failing);
    expect(await list(other, 'outcome=failed')).toEqual([]);
  });

  test('refuses an unknown outcome', async () => {
    const account = await service.createAccount();
    expect(await account.operator('GET', '/requests?outcome=lost')).toMatchObject({ status: 400 });
  });

  test.each([
    { outcome: 'failed' },
    { outcome: 'warnings' },
    { outcome: 'failed', before: 9000 },
    { status: 'failed' },
  ] as const)('reads few database pages of many requests: %o', async ({ before, ...filter }: RequestFilter) => {
    const account = await service.createAccount();
    // The table has no statistics yet, as in the first hour of a day's partition.
    await insertRequests(
      account,
      `select gen_random_uuid(), ${account.accountId} * 100000 + n, case n when 7 then 'failed' else 'done' end, (n = 5)::int from generate_series(1, 20000) n`,
    );
    const position = before === undefined ? undefined : account.accountId * 100_000 + before;
    const pages = await pagesRead(service.context.config.databaseUrl!, (client) =>
      listRequests(databaseOn(client), account.accountId, { ...filter, before: position }, 101),
    );
    expect(pages).toBeLessThan(100);
  });
});

/**
 * Inserts finished requests without a payload. `source` is a query for request_id, seq, status and
 * the number of failed items.
 */
async function insertRequests({ accountId }: TestAccount, source: string): Promise<void> {
  await service.context.pool.query(`
    with source (request_id, seq, status, failed) as (${source}),
      logged as (
        insert into requests (account_id, request_id, seq, operation, payload, payload_codec, total, accepted_at)
        select ${accountId}, request_id, seq, 'contact.create', '', 'json', 1, now() from source)
    insert into request_results (account_id, request_id, status, counts, finished_at)
    select ${accountId}, request_id, status, jsonb_build_object('failed', failed, 'warnings', failed), now() from source`);
}
