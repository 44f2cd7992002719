import { randomUUID } from 'node:crypto';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WriteOptions } from '#platform/files/file-store.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import { isJobAlive } from '#platform/jobs/jobs.ts';
import { cancelledByOperator, internalFailure } from '#features/exports/place/export-failure.ts';
import { exportsUsingAttributes } from '#features/exports/upkeep/export-usage.ts';
import { deleteExpiredFiles, deleteOldExports, endAbandonedExports } from '#features/exports/upkeep/export-upkeep.ts';
import { runExport } from '#features/exports/run/run-export.ts';
import { listExport, startExportService } from './export-service.ts';
import { forFile } from '../support/for-file.ts';

let now = Date.now();

const exports = await forFile(startExportService({ jobs: false, now: () => new Date(now) }));
await exports.account.createContacts([
  { identity: 'a@example.com', attributes: { CITY: 'Pune' }, audience_details: [{ audience_id: 1 }] },
]);

const withCallback = {
  callback_details: {
    endpoint: 'https://hooks.example.com/exports',
    method: 'PUT',
    header: [{ 'X-Token': 'of the caller' }],
    body: { job: 7 },
  },
  notify_email: 'asha@example.com',
};

type Run = Parameters<JobHandler<JobPayloads['export']>>[2];

/** Runs the job of an export in this process. */
async function run(requestId: string, options: Partial<Run> = {}): Promise<void> {
  const payload = { account_id: 1, request_id: requestId };
  const signal = new AbortController().signal;
  await runExport(exports.service.context, payload, { signal, jobId: '1', attempt: 1, maxAttempts: 8, ...options });
}

async function deliveriesOf(requestId: string) {
  const { db } = exports.service.context;
  return db.selectFrom('deliveries').where('source_id', '=', requestId).selectAll().execute();
}

async function mailsOf(mailId: string | null) {
  const { db } = exports.service.context;
  return db.selectFrom('mails').where('mail_id', '=', mailId).selectAll().execute();
}

/** Expects one callback and one mail about an export, and returns the body of the callback. */
async function expectCallbackAndMail(requestId: string): Promise<Record<string, unknown>> {
  const found = await exports.find(requestId);
  const deliveries = await deliveriesOf(requestId);
  expect(deliveries).toHaveLength(1);
  const [delivery] = deliveries;
  expect(delivery).toMatchObject({
    delivery_id: found.delivery_id,
    source: 'export',
    method: 'PUT',
    url: 'https://hooks.example.com/exports',
    headers: [['X-Token', 'of the caller']],
  });
  const [mail] = await mailsOf(found.mail_id);
  expect(mail).toMatchObject({ recipient: 'asha@example.com', template: 'export_finished' });
  return JSON.parse(delivery!.body);
}

async function filesOf(requestId: string): Promise<string[]> {
  const files = await readdir(path.join(exports.directory, '1')).catch(() => []);
  return files.filter((file) => file.startsWith(requestId));
}

/**
 * Makes the store fail: unfinished files cannot be removed until `recover` is called. A test
 * replaces `write`.
 */
function failingStore() {
  const { exportFiles } = exports.service.context;
  const original = { ...exportFiles };
  const store = {
    write: async (_unfinished: string, _onBegin: WriteOptions['onBegin']): Promise<void> => undefined,
    recover: () => void Object.assign(exportFiles, original),
    [Symbol.asyncDispose]: async () => store.recover(),
  };
  Object.assign(exportFiles, {
    write: async (key: string, { onBegin }: WriteOptions) => {
      const unfinished = `${key}.part`;
      await onBegin(unfinished);
      await mkdir(path.join(exports.directory, '1'), { recursive: true });
      await writeFile(path.join(exports.directory, unfinished), 'x');
      await store.write(unfinished, onBegin);
    },
    discard: async () => Promise.reject(new Error('the store is away')),
  });
  return store;
}

describe('the end of an export', () => {
  test('a completed export sends one callback with exactly the facts, and a mail', async () => {
    const requestId = await exports.accepted(listExport(1, {}, withCallback));
    await run(requestId);
    const found = await exports.find(requestId);
    expect(await expectCallbackAndMail(requestId)).toEqual({
      request_id: requestId,
      status: 'completed',
      audience_type: 'list',
      audience_id: 1,
      file_type: 'csv',
      row_count: 1,
      file_size: found.file_size,
      file_url: found.file_url,
      expires_at: found.expires_at,
      callbackBody: { job: 7 },
    });
    const [mail] = await mailsOf(found.mail_id);
    expect(mail!.plain_text).toContain(found.file_url);
    expect(await filesOf(requestId)).toEqual([`${requestId}-1.csv`]);
  });

  test('a GET callback has the facts in its query, after the query of the endpoint', async () => {
    const endpoint = 'https://hooks.example.com/exports?token=a%20b';
    const requestId = await exports.accepted(
      listExport(1, {}, { callback_details: { method: 'get', endpoint, body: { job: 7 } } }),
    );
    await run(requestId);
    const found = await exports.find(requestId);
    const [delivery] = await deliveriesOf(requestId);
    expect(delivery).toMatchObject({ method: 'GET', body: '' });
    expect(Object.fromEntries(new URL(delivery!.url).searchParams)).toEqual({
      token: 'a b',
      request_id: requestId,
      status: 'completed',
      audience_type: 'list',
      audience_id: '1',
      file_type: 'csv',
      row_count: '1',
      file_size: String(found.file_size),
      file_url: found.file_url,
      expires_at: found.expires_at,
      callbackBody: '{"job":7}',
    });
  });

  test('the export of an empty audience sends a callback too', async () => {
    const list = await exports.account.createList('Nobody');
    const requestId = await exports.accepted(listExport(list, {}, withCallback));
    await run(requestId);
    expect(await expectCallbackAndMail(requestId)).toMatchObject({ status: 'completed', row_count: 0 });
  });

  test('an export without endpoint and address sends no callback and no mail', async () => {
    const requestId = await exports.accepted(listExport(1));
    await run(requestId);
    expect(await exports.find(requestId)).toMatchObject({ status: 'completed', delivery_id: null, mail_id: null });
    expect(await deliveriesOf(requestId)).toEqual([]);
  });

  test('an export ends once, even if its job runs several times', async () => {
    const requestId = await exports.accepted(listExport(1, {}, withCallback));
    await run(requestId);
    await Promise.all([run(requestId), run(requestId)]);
    await expectCallbackAndMail(requestId);
    expect(await filesOf(requestId)).toEqual([`${requestId}-1.csv`]);
  });

  test('with several simultaneous runs, the export ends once and one file stays', async () => {
    const requestId = await exports.accepted(listExport(1, {}, withCallback));
    await Promise.all(Array.from({ length: 4 }, () => run(requestId)));
    expect(await expectCallbackAndMail(requestId)).toMatchObject({ status: 'completed' });
    const { file_key } = await exports.service.context.db
      .selectFrom('exports')
      .where('request_id', '=', requestId)
      .select('file_key')
      .executeTakeFirstOrThrow();
    expect((await filesOf(requestId)).map((file) => `1/${file}`)).toEqual([file_key]);
    expect((await exports.rows(requestId))[1]).toEqual(['a@example.com', '']);
  });

  test('the callback settings of an export are deleted at its end', async () => {
    const requestId = await exports.accepted(listExport(1, {}, withCallback));
    await run(requestId);
    const { rows } = await exports.service.context.pool.query('select callback from exports where request_id = $1', [
      requestId,
    ]);
    expect(rows).toEqual([{ callback: null }]);
  });
});

describe('the failure of an export', () => {
  const expectFailed = async (requestId: string, error: string) => {
    expect(await exports.find(requestId)).toMatchObject({
      status: 'failed',
      error,
      file_url: null,
      file_size: null,
      expires_at: null,
    });
    expect(await expectCallbackAndMail(requestId)).toEqual({
      request_id: requestId,
      status: 'failed',
      audience_type: expect.any(String),
      audience_id: expect.any(Number),
      file_type: 'csv',
      row_count: null,
      file_size: null,
      file_url: null,
      expires_at: null,
      error,
      callbackBody: { job: 7 },
    });
    expect(await filesOf(requestId)).toEqual([]);
  };

  test('an export fails if its list is deleted before it runs', async () => {
    const list = await exports.account.createList('Short-lived');
    const requestId = await exports.accepted(listExport(list, {}, withCallback));
    expect((await exports.account.operator('DELETE', `/lists/${list}`)).status).toBe(204);
    await run(requestId);
    await expectFailed(requestId, `The list ${list} was deleted before the export ran.`);
  });

  test('an export fails if its segment has become invalid', async () => {
    const { db } = exports.service.context;
    const filtering_criteria = [{ condition_details: [{ field: 'CITY', operation: 'is_null' }] }];
    const { body } = await exports.account.operator('POST', '/segments', { name: 'Pune', filtering_criteria });
    const requestId = await exports.accepted(listExport(body.audience_id, { audience_type: 'segment' }, withCallback));
    const filter = JSON.stringify({
      filtering_criteria_operator: 'and',
      filtering_criteria: [
        {
          condition_operator: 'and',
          condition_details: [{ attribute_id: 99, field_category: 'attribute', operation: 'is_null', value: [] }],
        },
      ],
    });
    await db.updateTable('audiences').where('audience_id', '=', body.audience_id).set({ filter }).execute();
    await run(requestId);
    const reason = 'The segment uses a field that was deleted or changed its type.';
    await expectFailed(
      requestId,
      `The segment ${body.audience_id} could not be evaluated when the export ran: ${reason}`,
    );
  });

  test('an export fails if an attribute was deleted or has become a long text', async () => {
    const { db } = exports.service.context;
    const insert = (attribute_id: number, name: string) =>
      db
        .insertInto('attributes')
        .values({
          account_id: 1,
          attribute_id,
          name,
          data_type: 'text',
          created_at: new Date(),
          updated_at: new Date(),
        })
        .execute();
    await insert(50, 'GONE');
    await insert(51, 'LONG');
    const gone = await exports.accepted(listExport(1, { attributes_needed: ['gone'] }, withCallback));
    const long = await exports.accepted(listExport(1, { attributes_needed: ['Long'] }, withCallback));
    await db.deleteFrom('attributes').where('attribute_id', '=', 50).execute();
    await db.updateTable('attributes').where('attribute_id', '=', 51).set({ data_type: 'long_text' }).execute();
    await run(gone);
    await run(long);
    await expectFailed(
      gone,
      'The attribute gone was deleted before the export ran. Request the export again without it.',
    );
    await expectFailed(
      long,
      'The attribute Long became a long text before the export ran. Long texts cannot be exported. Request the export again without it.',
    );
  });

  test('an attribute that is renamed before the export runs is exported under the requested name', async () => {
    const requestId = await exports.accepted(listExport(1, { attributes_needed: ['city'] }));
    const { db } = exports.service.context;
    await db.updateTable('attributes').where('name', '=', 'CITY').set({ name: 'TOWN' }).execute();
    await run(requestId);
    await db.updateTable('attributes').where('name', '=', 'TOWN').set({ name: 'CITY' }).execute();
    expect(await exports.rows(requestId)).toEqual([['city'], ['Pune']]);
  });

  test('an export fails if the disk is full', async () => {
    const requestId = await exports.accepted(listExport(1, {}, withCallback));
    // A device that is always full replaces the file that is being written.
    await mkdir(path.join(exports.directory, '1'), { recursive: true });
    await symlink('/dev/full', path.join(exports.directory, '1', `${requestId}-1.csv.part`));
    await run(requestId);
    await expectFailed(requestId, 'The file store has no space left for the file. An operator must free some.');
  });

  test('an internal error is retried, and finally reported without details', async () => {
    const requestId = await exports.accepted(listExport(1, {}, withCallback));
    const { context } = exports.service;
    const write = context.exportFiles.write.bind(context.exportFiles);
    Object.assign(context.exportFiles, { write: async () => Promise.reject(new Error('a secret of the store')) });
    await expect(run(requestId, { attempt: 1, maxAttempts: 2 })).rejects.toThrow('a secret of the store');
    expect(await exports.find(requestId)).toMatchObject({ status: 'running', error: null });
    expect(await deliveriesOf(requestId)).toEqual([]);
    await run(requestId, { attempt: 2, maxAttempts: 2 });
    Object.assign(context.exportFiles, { write });
    await expectFailed(requestId, internalFailure);
  });

  test('an export whose account was deleted just now ends without a mail', async () => {
    const requestId = await exports.accepted(listExport(1, {}, withCallback));
    const { context } = exports.service;
    const deleteAt = (deleted_at: Date | null) =>
      context.db.updateTable('accounts').where('account_id', '=', 1).set({ deleted_at }).execute();
    await deleteAt(new Date(now));
    try {
      await expect(run(requestId)).rejects.toMatchObject({ code: 'not_found' });
      await run(requestId, { attempt: 2, maxAttempts: 2 });
    } finally {
      await deleteAt(null);
    }
    expect(await exports.find(requestId)).toMatchObject({ status: 'failed', mail_id: null });
  });

  test('an export that fails while the store is unreachable leaves no file once the store is back', async () => {
    const requestId = await exports.accepted(listExport(1, {}, withCallback));
    await using store = failingStore();
    store.write = async () => Promise.reject(new Error('the store is away'));
    await expect(run(requestId, { attempt: 8 })).rejects.toThrow('the store is away');
    expect(await filesOf(requestId)).toEqual([`${requestId}-1.csv.part`]);
    expect(await isJobAlive(exports.service.context.db, 'export', `${requestId}/leftovers`)).toBe(true);
    store.recover();
    await run(requestId);
    await expectFailed(requestId, internalFailure);
  });

  test('the file of an export that cannot be marked as completed is deleted', async () => {
    const requestId = await exports.accepted(listExport(1, {}, withCallback));
    const { pool } = exports.service.context;
    await pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create trigger refuse before update on exports for each row when (new.status = 'completed') execute function refuse()`);
    await expect(run(requestId, { attempt: 1, maxAttempts: 2 })).rejects.toThrow('refused');
    expect(await filesOf(requestId)).toEqual([`${requestId}-1.csv`]);
    await run(requestId, { attempt: 2, maxAttempts: 2 });
    await pool.query('drop trigger refuse on exports; drop function refuse');
    await expectFailed(requestId, internalFailure);
  });

  test('upkeep ends an export without a job, and removes its unfinished file', async () => {
    const requestId = await exports.accepted(listExport(1, {}, withCallback));
    const alive = await exports.accepted(listExport(1, {}, withCallback));
    const { context } = exports.service;
    const { signal } = new AbortController();
    const { rowCount } = await context.pool.query(
      'update roster_jobs._private_jobs set attempts = max_attempts where key = $1',
      [`export:${requestId}`],
    );
    expect(rowCount).toBe(1);
    await endAbandonedExports(context, signal);
    expect((await exports.find(requestId)).status).toBe('accepted');
    // This is the state after a process was killed in its second run.
    const unfinished_write = `1/${requestId}-2.csv.part`;
    await writeFile(path.join(exports.directory, unfinished_write), 'x');
    await context.db
      .updateTable('exports')
      .where('request_id', '=', requestId)
      .set({ status: 'running', run: 2, unfinished_write })
      .execute();
    // An older export, whose callback cannot be written, must not block this one.
    const stuck = await exports.accepted(listExport(1, {}, withCallback));
    await context.db
      .updateTable('exports')
      .where('request_id', '=', stuck)
      .set({ accepted_at: new Date(now - 1000), callback: JSON.stringify({ endpoint: 'no address', headers: [] }) })
      .execute();
    await context.pool.query('update roster_jobs._private_jobs set attempts = max_attempts where key = $1', [
      `export:${stuck}`,
    ]);
    now += 61_000;
    await endAbandonedExports(context, signal);
    await expectFailed(requestId, internalFailure);
    expect((await exports.find(stuck)).status).toBe('accepted');
    await context.db.deleteFrom('exports').where('request_id', '=', stuck).execute();
    expect((await exports.find(alive)).status).toBe('accepted');
  });
});

describe('exports and operators', () => {
  const cancel = (requestId: string) => exports.account.operator('POST', `/exports/${requestId}/cancel`);

  test('a cancelled export sends its callback and mail, and its job does nothing', async () => {
    const requestId = await exports.accepted(listExport(1, {}, withCallback));
    const answer = await cancel(requestId);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'cancelled', error: cancelledByOperator });
    // An earlier, killed run left a file behind.
    const unfinished_write = `1/${requestId}-1.csv.part`;
    await writeFile(path.join(exports.directory, unfinished_write), 'x');
    const { db } = exports.service.context;
    await db.updateTable('exports').where('request_id', '=', requestId).set({ run: 1, unfinished_write }).execute();
    await run(requestId);
    expect(await expectCallbackAndMail(requestId)).toMatchObject({ status: 'failed', error: cancelledByOperator });
    expect((await exports.find(requestId)).status).toBe('cancelled');
    expect(await filesOf(requestId)).toEqual([]);
    const log = await exports.account.operator('GET', '/audit-log?limit=1');
    expect(log.body.data[0]).toMatchObject({
      actor: 'operator',
      action: 'export.cancel',
      subject: `export:${requestId}`,
    });
    expect((await cancel(requestId)).body).toEqual(await exports.find(requestId));
    expect(await deliveriesOf(requestId)).toHaveLength(1);
  });

  test('an export that is cancelled while the store is unreachable leaves no file once the store is back', async () => {
    const requestId = await exports.accepted(listExport(1, {}, withCallback));
    await using store = failingStore();
    store.write = async (unfinished, onBegin) => {
      await cancel(requestId);
      await onBegin(unfinished);
    };
    await expect(run(requestId)).rejects.toThrow('the store is away');
    expect(await filesOf(requestId)).toEqual([`${requestId}-1.csv.part`]);
    store.recover();
    await run(requestId);
    expect(await filesOf(requestId)).toEqual([]);
    expect(await expectCallbackAndMail(requestId)).toMatchObject({ status: 'failed', error: cancelledByOperator });
  });

  test('an export that has ended cannot be cancelled', async () => {
    const requestId = await exports.accepted(listExport(1));
    await run(requestId);
    const answer = await cancel(requestId);
    expect(answer.status).toBe(409);
    expect(answer.body.description).toContain('completed');
  });

  test('an operator can list exports, newest first, page by page, by status', async () => {
    const other = await exports.service.createAccount();
    const list = (path: string) => other.operator('GET', `/exports${path}`);
    const headers = { 'api-key': other.apiKey };
    await other.operator('POST', '/lists', { name: 'One' });
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.unshift(await exports.accepted(listExport(1), headers));
    const first = (await list('?limit=2')).body;
    const second = (await list(`?limit=2&cursor=${first.next_cursor}`)).body;
    const idsOf = (page: { data: { request_id: string }[] }) => page.data.map(({ request_id }) => request_id);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
    expect(second.next_cursor).toBeNull();
    expect(idsOf((await list('?status=accepted')).body)).toEqual(ids);
    expect((await list('?status=completed')).body.data).toEqual([]);
    expect((await list('?status=nothing')).status).toBe(400);
    expect((await list('?cursor=nothing')).status).toBe(400);
  });

  test('the exports of an account cannot be seen or cancelled through another account', async () => {
    const other = await exports.service.createAccount();
    const requestId = await exports.accepted(listExport(1));
    expect((await other.operator('GET', `/exports/${requestId}`)).status).toBe(404);
    expect((await other.operator('POST', `/exports/${requestId}/cancel`)).status).toBe(404);
    expect((await other.operator('GET', '/exports')).body.data).toEqual([]);
    expect((await exports.account.operator('GET', `/exports/${randomUUID()}`)).status).toBe(404);
    expect((await exports.find(requestId)).status).toBe('accepted');
  });
});

test('an unfinished export counts as a use of its attributes', async () => {
  const { db } = exports.service.context;
  const other = await exports.service.createAccount();
  await other.operator('POST', '/lists', { name: 'One' });
  const body = listExport(1, { attributes_needed: ['CITY', 'STATE', 'EMAIL', 'FIRST_NAME'] });
  const requestId = await exports.accepted(body, { 'api-key': other.apiKey });
  const uses = () => exportsUsingAttributes(db, other.accountId);
  expect(await uses()).toEqual([
    { feature: 'export', id: requestId, derived: false, name: 'list 1', attributeIds: [5, 6, 1] },
  ]);
  expect((await exportsUsingAttributes(db, 1)).map(({ id }) => id)).not.toContain(requestId);
  await other.operator('POST', `/exports/${requestId}/cancel`);
  expect(await uses()).toEqual([]);
});

test('an export uses the scopes that the API key had at the time of the request', async () => {
  const { db } = exports.service.context;
  await db
    .updateTable('attributes')
    .where('name', '=', 'CITY')
    .where('account_id', '=', 1)
    .set({ data_masking: 'full' })
    .execute();
  const scopes = ['export', 'unmasked'];
  const key = (await exports.account.operator('POST', '/api-keys', { name: 'all', scopes })).body;
  const body = listExport(1, { attributes_needed: ['CITY'] });
  const masked = await exports.accepted(body);
  const unmasked = await exports.accepted(body, { 'api-key': key.api_key });
  await exports.account.operator('DELETE', `/api-keys/${key.api_key_id}`);
  await run(masked);
  await run(unmasked);
  expect(await exports.rows(masked)).toEqual([['CITY'], ['****']]);
  expect(await exports.rows(unmasked)).toEqual([['CITY'], ['Pune']]);
  expect(await exports.find(unmasked)).toMatchObject({ unmasked: true, api_key_id: key.api_key_id });
});

describe('old exports', () => {
  const { signal } = new AbortController();
  const days = 86_400_000;
  let begin: number;
  beforeEach(() => {
    begin = now;
  });
  afterEach(() => {
    now = begin;
  });
  const statusOf = async (requestId: string) => (await exports.account.operator('GET', `/exports/${requestId}`)).status;

  test('an export is deleted some time after its file or its end, and unfinished exports never', async () => {
    const completed = await exports.accepted(listExport(1, {}, withCallback));
    await run(completed);
    const cancelled = await exports.accepted(listExport(1, {}, withCallback));
    await exports.account.operator('POST', `/exports/${cancelled}/cancel`);
    const waiting = await exports.accepted(listExport(1, {}, withCallback));
    const statuses = async () => Promise.all([completed, cancelled, waiting].map(statusOf));
    const { context } = exports.service;

    now = begin + 29 * days;
    await deleteOldExports(context, signal);
    expect(await statuses()).toEqual([200, 200, 200]);
    now = begin + 31 * days;
    await deleteOldExports(context, signal);
    expect(await statuses()).toEqual([200, 404, 200]);
    now = begin + 38 * days;
    await deleteOldExports(context, signal);
    // Its file still exists, because the store may have been unreachable all the time.
    expect(await statuses()).toEqual([200, 404, 200]);
    await deleteExpiredFiles(context, signal);
    await deleteOldExports(context, signal);
    expect(await statuses()).toEqual([404, 404, 200]);
  });

  test('an export is not deleted before its leftovers in an unreachable store are removed', async () => {
    await using store = failingStore();
    store.write = async () => Promise.reject(new Error('the store is away'));
    const requestId = await exports.accepted(listExport(1));
    await run(requestId, { attempt: 8 }).catch(() => undefined);
    expect((await exports.find(requestId)).status).toBe('failed');
    expect(await filesOf(requestId)).toHaveLength(1);

    now = begin + 31 * days;
    await deleteOldExports(exports.service.context, signal);
    expect(await statusOf(requestId)).toBe(200);
    store.recover();
    await deleteOldExports(exports.service.context, signal);
    expect(await statusOf(requestId)).toBe(404);
    expect(await filesOf(requestId)).toEqual([]);
  });
});
