import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { pipelineState } from '#features/statistics/pipeline-state.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

let now = Date.parse('2026-03-29T12:00:00Z');
let account: TestAccount;
const service = await forFile(startTestService({ worker: false, now: () => new Date(now) }));
beforeEach(async () => {
  now = Date.parse('2026-03-29T12:00:00Z');
  account = await service.createAccount({ name: 'Pipeline' });
});

const state = async (query = '', of = account) => {
  const { status, body } = await of.operator('GET', `/statistics/pipeline${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const createContacts = (...identities: string[]) =>
  account.v5('/contact/create', {
    data: { contact_type: 'identified', contacts: identities.map((identity) => ({ identity })) },
  });
async function applyAll(): Promise<void> {
  await using _worker = service.startWorker();
  await service.settled();
}

/** Applies a request whose only item fails. Returns its answer. */
async function updateUnknown(): Promise<{ request_id: string }> {
  const { status, body } = await account.v5('/contact/update', { data: { contacts: [{ identity: 'x@example.com' }] } });
  expect(status).toBe(200);
  await applyAll();
  return body;
}

test('an account without work has no backlog, and nothing runs or failed', async () => {
  expect(await state()).toEqual({
    waiting_requests: 0,
    waiting_items: 0,
    lag_seconds: 0,
    workers: 0,
    running: [],
    failed_since: '2026-03-28T12:00:00.000Z',
    failures: [],
  });
});

test('waiting requests of the account count, and those of other accounts do not', async () => {
  await createContacts('a@example.com', 'b@example.com');
  now += 5000;
  await createContacts('c@example.com');
  now += 10_000;
  expect(await state()).toMatchObject({ waiting_requests: 2, waiting_items: 3, lag_seconds: 15 });
  expect(await state('', await service.createAccount())).toMatchObject({ waiting_requests: 0 });
  await applyAll();
  expect(await state()).toMatchObject({ waiting_requests: 0, lag_seconds: 0 });
});

test('a worker process counts while it runs its jobs', async () => {
  {
    await using _jobs = service.startJobs();
    await expect.poll(async () => (await state()).workers).toBe(1);
  }
  expect((await state()).workers).toBe(0);
});

test('a request with failed items is a failure, with its cause, until it is too old', async () => {
  const body = await updateUnknown();
  const failed = {
    kind: 'request',
    count: 1,
    latest: [{ kind: 'request', id: body.request_id, title: 'contact.update', failed: 1, percent: null }],
  };
  const { failures } = await state();
  expect(failures).toMatchObject([failed]);
  expect(failures[0].latest[0].cause).toMatch(/contact/i);
  now += 90_000_000;
  expect((await state()).failures).toEqual([]);
  expect((await state('?failed_since=2026-03-29T00:00:00Z')).failures).toMatchObject([failed]);
});

test('a bulk change that failed, or with failed contacts, is a failure', async () => {
  const { accountId } = account;
  const at = new Date(now);
  const id = (last: number) => `00000000-0000-7000-8000-0000000000${last}`;
  const stored = { account_id: accountId, author: 'operator', selection: '{"by":"all"}', expected_count: 5, total: 5 };
  const action = JSON.stringify({ type: 'add_to_list', audience_id: 1 });
  await service.context.db
    .insertInto('bulk_changes')
    .values([
      { ...stored, action, bulk_change_id: id(11), status: 'completed', failed: 2, created_at: at, finished_at: at },
      { ...stored, action, bulk_change_id: id(12), status: 'completed', failed: 0, created_at: at, finished_at: at },
      {
        ...stored,
        action,
        bulk_change_id: id(13),
        status: 'failed',
        failure_code: 'count_changed',
        created_at: at,
        finished_at: new Date(now + 1),
      },
    ])
    .execute();
  expect((await state()).failures).toMatchObject([
    {
      kind: 'bulk_change',
      count: 2,
      latest: [
        { id: id(13), title: 'add_to_list', failed: 0, cause: expect.stringMatching(/\.$/) },
        { id: id(11), title: 'add_to_list', failed: 2, cause: null },
      ],
    },
  ]);
  expect((await state('', await service.createAccount())).failures).toEqual([]);
});

test('imports, exports, callbacks and mails that failed are listed with their causes', async () => {
  const { db } = service.context;
  const { accountId } = account;
  const id = (last: number) => `00000000-0000-7000-8000-00000000000${last}`;
  const at = new Date(now);
  const key = { account_id: accountId, created_at: at };
  await db
    .insertInto('mails')
    .values({
      ...key,
      mail_id: id(1),
      template: 'export-finished',
      recipient: 'a@example.com',
      subject: 'Ready',
      plain_text: '',
      html: '',
      status: 'failed',
      attempts: 3,
      last_error: 'recipient_refused',
      last_reply: '550',
    })
    .execute();
  await db
    .insertInto('deliveries')
    .values({
      ...key,
      delivery_id: id(2),
      source: 'export',
      source_id: id(3),
      method: 'POST',
      url: 'https://example.com/hook?token=secret',
      receiver: 'example.com',
      headers: '[]',
      body: '{}',
      status: 'failed',
      cycle_started_at: at,
      finished_at: at,
    })
    .execute();
  await db
    .insertInto('delivery_attempts')
    .values({
      account_id: accountId,
      delivery_id: id(2),
      attempt: 1,
      started_at: at,
      error_code: 'bad_status',
      status_code: 503,
    })
    .execute();
  const imported = {
    ...key,
    status: 'completed',
    file_name: 'people.csv',
    given: '{}',
    mode: 'upsert',
    blank_cells: 'leave',
    audience_ids: sql<number[]>`'{}'`,
    unknown_columns: 'skip',
    failed: 4,
    finished_at: at,
  } as const;
  await db
    .insertInto('imports')
    .values([
      { ...imported, import_id: id(4), dry_run: false },
      // A dry run only tells what would fail.
      { ...imported, import_id: id(5), dry_run: true },
    ])
    .execute();
  const { failures } = await state();
  expect(failures).toMatchObject([
    { kind: 'import', count: 1, latest: [{ id: id(4), title: 'people.csv', failed: 4, cause: null }] },
    {
      kind: 'callback',
      count: 1,
      latest: [{ id: id(2), title: 'https://example.com/hook', cause: 'The receiver did not return a 2xx status.' }],
    },
    {
      kind: 'mail',
      count: 1,
      latest: [{ id: id(1), title: 'export-finished', cause: 'The mail server refused the recipient permanently.' }],
    },
  ]);
});

test('a caller sees only the failures that it can list', async () => {
  await updateUnknown();
  const { accountId } = account;
  const asPerson = { contacts: new Set(['account:read']), requests: new Set(['account:read', 'requests:read']) };
  const seen = async (permissions: ReadonlySet<string>) =>
    (await pipelineState(service.context, accountId, undefined, (permission) => permissions.has(permission))).failures;
  expect(await seen(asPerson.contacts)).toEqual([]);
  expect(await seen(asPerson.requests)).toMatchObject([{ kind: 'request', count: 1 }]);
});

test('an API key has no permission for it', async () => {
  const { status } = await service.call('GET', `/admin/v1/accounts/${account.accountId}/statistics/pipeline`, {
    headers: { 'api-key': account.apiKey },
  });
  expect(status).toBe(403);
});
