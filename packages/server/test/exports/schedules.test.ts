import { once } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeInTime } from '#features/exports/place/export-files.ts';
import { runExport } from '#features/exports/run/run-export.ts';
import { startDueSchedules } from '#features/exports/schedules/run-schedule.ts';
import { listDueSchedules } from '#features/exports/store/schedule-store.ts';
import { deleteExpiredFiles, deleteOldRuns, endAbandonedExports } from '#features/exports/upkeep/export-upkeep.ts';
import { parseAllowList } from '#platform/config/allow-list.ts';
import type { FileStore } from '#platform/files/file-store.ts';
import { startExportService } from './export-service.ts';
import { bucket, startS3Server } from './s3-server.ts';
import { forFile } from '../support/for-file.ts';
import { lockWaits } from '../support/lock-waits.ts';

const hour = 3_600_000;
const start = Date.parse('2026-03-28T00:00:00Z');

let now = start;

const s3 = await forFile(startS3Server());
const exports = await forFile(
  startExportService({
    jobs: false,
    now: () => new Date(now),
    config: { callbackAllow: parseAllowList(new URL(s3.endpoint).host) },
  }),
);
await exports.account.operator('PATCH', '', { time_zone: 'Europe/Berlin' });
await exports.account.createContacts([{ identity: 'a@example.com', audience_details: [{ audience_id: 1 }] }]);
beforeEach(async () => {
  const { data } = (await exports.account.operator('GET', '/export-schedules')).body;
  for (const { schedule_id: id } of data) await exports.account.operator('DELETE', `/export-schedules/${id}`);
});

const all = { name: 'All', filter: {}, attributes: ['EMAIL'], timing: { every: 'day', at: '06:30' } };

const daily = {
  name: 'Every morning',
  audience_type: 'list',
  audience_id: 1,
  attributes: ['EMAIL'],
  timing: { every: 'day', at: '06:30' },
};

async function created(body: object = {}): Promise<string> {
  const answer = await exports.account.operator('POST', '/export-schedules', { ...daily, ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.schedule_id;
}

const get = async (id: string) => (await exports.account.operator('GET', `/export-schedules/${id}`)).body;
const runsOf = async (id: string) => (await exports.account.operator('GET', `/export-schedules/${id}/runs`)).body.data;
const patch = (id: string, body: object, headers = {}) =>
  exports.service.call('PATCH', `/admin/v1/accounts/1/export-schedules/${id}`, {
    body,
    headers: { authorization: `Bearer ${exports.service.context.config.adminToken}`, ...headers },
  });

/** Starts what is due at a time. */
async function fireAt(time: string): Promise<void> {
  now = Date.parse(time);
  await startDueSchedules(exports.service.context, new AbortController().signal);
}

/** Runs the job of an export here, as the only and last attempt. */
async function runJob(requestId: string): Promise<void> {
  const signal = new AbortController().signal;
  const job = { signal, jobId: '1', attempt: 1, maxAttempts: 1 };
  await runExport(exports.service.context, { account_id: 1, request_id: requestId }, job);
}

describe('schedules of exports', () => {
  test('a schedule runs once at each due time, in the time zone of the account', async () => {
    now = start;
    const id = await created();
    expect(await get(id)).toMatchObject({ status: 'active', next_run_at: '2026-03-28T05:30:00.000Z', last_run: null });
    await fireAt('2026-03-28T05:29:59Z');
    expect(await runsOf(id)).toEqual([]);
    await fireAt('2026-03-28T05:30:01Z');
    const [run] = await runsOf(id);
    expect(run).toMatchObject({ due_at: '2026-03-28T05:30:00.000Z', status: 'started', by_hand: false, missed: 0 });
    await runJob(run.request_id);
    expect(await get(id)).toMatchObject({
      // The clocks changed in the night, so this is the same local time.
      next_run_at: '2026-03-29T04:30:00.000Z',
      last_run: { status: 'completed', rows_written: 1, finished_at: '2026-03-28T05:30:01.000Z' },
    });
    expect(await exports.rows(run.request_id)).toEqual([['EMAIL'], ['a@example.com']]);
    expect(await exports.find(run.request_id)).toMatchObject({
      author: 'system',
      schedule_id: id,
      due_at: '2026-03-28T05:30:00.000Z',
    });
  });

  test('many processes that look at the same time start one run', async () => {
    now = start;
    const id = await created();
    now = Date.parse('2026-03-28T05:30:00Z');
    const { context } = exports.service;
    await Promise.all(Array.from({ length: 6 }, () => startDueSchedules(context, new AbortController().signal)));
    expect(await runsOf(id)).toHaveLength(1);
    const found = await context.db.selectFrom('exports').where('schedule_id', '=', id).select('request_id').execute();
    expect(found).toHaveLength(1);
  });

  test('a run is skipped while the run before is going, and the history shows it', async () => {
    now = start;
    const id = await created();
    await fireAt('2026-03-28T05:30:00Z');
    await fireAt('2026-03-29T04:30:00Z');
    expect((await runsOf(id)).map(({ status }: { status: string }) => status)).toEqual(['skipped', 'started']);
    expect((await runsOf(id))[0].reason).toBe('The run before was still going.');
  });

  test('one run replaces all runs that were missed while no worker was running', async () => {
    now = start;
    const id = await created();
    await fireAt('2026-03-31T12:00:00Z');
    expect(await runsOf(id)).toMatchObject([{ due_at: '2026-03-28T05:30:00.000Z', status: 'started', missed: 3 }]);
    expect((await get(id)).next_run_at).toBe('2026-04-01T04:30:00.000Z');
    await fireAt('2026-03-31T12:00:01Z');
    expect(await runsOf(id)).toHaveLength(1);
  });

  test('a run by hand does not change the regular times, and only one run goes at a time', async () => {
    now = start;
    const id = await created();
    const run = await exports.account.operator('POST', `/export-schedules/${id}/run`);
    expect(run).toMatchObject({ status: 200, body: { by_hand: true, status: 'started' } });
    expect((await exports.account.operator('POST', `/export-schedules/${id}/run`)).status).toBe(409);
    await runJob(run.body.request_id);
    expect(await get(id)).toMatchObject({ next_run_at: '2026-03-28T05:30:00.000Z', last_run: { status: 'completed' } });
  });

  test('a paused schedule does not run, and continues at the next time', async () => {
    now = start;
    const id = await created({ paused: true });
    expect(await get(id)).toMatchObject({ status: 'paused', next_run_at: null });
    await fireAt('2026-03-28T08:00:00Z');
    expect(await runsOf(id)).toEqual([]);
    await patch(id, { paused: false });
    expect(await get(id)).toMatchObject({ status: 'active', next_run_at: '2026-03-29T04:30:00.000Z' });
  });

  test('another time zone of the account moves the next run', async () => {
    now = start;
    const id = await created();
    await exports.account.operator('PATCH', '', { time_zone: 'Asia/Kolkata' });
    await fireAt('2026-03-28T00:00:01Z');
    expect(await get(id)).toMatchObject({ next_run_at: '2026-03-28T01:00:00.000Z', time_zone: 'Asia/Kolkata' });
    await exports.account.operator('PATCH', '', { time_zone: 'Europe/Berlin' });
  });

  test('a schedule is disabled after five failures in a row, with a mail, and a change enables it', async () => {
    now = start;
    const list = await exports.account.createList('Soon gone');
    const id = await created({ audience_id: list, notify_email: 'asha@example.com' });
    expect((await exports.account.operator('DELETE', `/lists/${list}`)).status).toBe(409);
    // As if the list was deleted before schedules protected their lists.
    await exports.service.context.db.deleteFrom('audiences').where('audience_id', '=', list).execute();
    for (let day = 28; day < 33; day++) {
      await fireAt(new Date(Date.UTC(2026, 2, day, 6)).toISOString());
      await runJob((await runsOf(id))[0].request_id);
    }
    expect(await get(id)).toMatchObject({
      status: 'disabled',
      failures: 5,
      next_run_at: null,
      last_run: { status: 'failed', reason: `The list ${list} was deleted before the export ran.` },
    });
    const { data } = (await exports.account.operator('GET', '/mails')).body;
    expect(data.map(({ subject }: { subject: string }) => subject)).toContain(
      'The export schedule “Every morning” was disabled',
    );
    await patch(id, { audience_type: 'list', audience_id: 1 });
    expect(await get(id)).toMatchObject({ status: 'active', failures: 0, next_run_at: expect.any(String) });
  });

  test('only the newest files are kept, and their links end after 7 days', async () => {
    now = start;
    const id = await created({ keep_files: 2 });
    for (const day of ['28', '29', '30']) {
      await fireAt(`2026-03-${day}T06:00:00Z`);
      await runJob((await runsOf(id))[0].request_id);
    }
    await deleteExpiredFiles(exports.service.context, new AbortController().signal);
    const ids: string[] = (await runsOf(id)).map((run: { request_id: string }) => run.request_id);
    const statuses: string[] = [];
    for (const requestId of ids) statuses.push((await exports.find(requestId)).status);
    expect(statuses).toEqual(['completed', 'completed', 'expired']);
    const { file_url: url } = await exports.find(ids[0]!);
    expect((await exports.download(url!)).status).toBe(200);
    now += 8 * 24 * hour;
    expect((await exports.download(url!)).status).toBe(410);
    expect((await exports.download((await exports.find(ids[0]!)).file_url!)).status).toBe(200);
  });

  test('after a schedule is deleted, its files expire after 7 days and its history is gone', async () => {
    now = start;
    const id = await created();
    await fireAt('2026-03-28T05:30:00Z');
    const [{ request_id: requestId }] = await runsOf(id);
    await runJob(requestId);
    expect((await exports.account.operator('DELETE', `/export-schedules/${id}`)).status).toBe(204);
    expect((await exports.account.operator('GET', `/export-schedules/${id}`)).status).toBe(404);
    expect((await exports.find(requestId)).expires_at).toBe('2026-04-04T05:30:00.000Z');
  });

  test('an export continues when its schedule is deleted while it waits', async () => {
    now = start;
    const id = await created();
    await fireAt('2026-03-28T05:30:00Z');
    const [{ request_id: requestId }] = await runsOf(id);
    await exports.account.operator('DELETE', `/export-schedules/${id}`);
    await runJob(requestId);
    expect((await exports.find(requestId)).status).toBe('completed');
  });

  test('a run completes although its schedule is deleted at the same moment', async () => {
    now = start;
    const id = await created();
    await fireAt('2026-03-28T05:30:00Z');
    const [run] = await runsOf(id);
    const { pool } = exports.service.context;
    const deletion = await pool.connect();
    try {
      await deletion.query('begin');
      await deletion.query('delete from export_schedules where schedule_id = $1', [id]);
      const running = runJob(run.request_id);
      await expect.poll(async () => (await pool.query(lockWaits)).rowCount).toBe(1);
      await deletion.query('delete from export_schedule_runs where schedule_id = $1', [id]);
      await deletion.query('commit');
      await running;
    } finally {
      deletion.release(true);
    }
    expect(await exports.find(run.request_id)).toMatchObject({ status: 'completed', error: null });
  });

  test('the schedules of an account that is being deleted are not due', async () => {
    now = start;
    const account = await exports.service.createAccount({ name: 'Closing' });
    expect((await account.operator('POST', '/export-schedules', all)).status).toBe(201);
    now += 48 * hour;
    const { db } = exports.service.context;
    const isDue = async () =>
      (await listDueSchedules(db, new Date(now), 100)).some(({ accountId }) => accountId === account.accountId);
    expect(await isDue()).toBe(true);
    expect((await account.operator('DELETE', '?name=Closing')).status).toBe(200);
    expect(await isDue()).toBe(false);
  });

  test('a cancelled run is not a failure', async () => {
    now = start;
    const id = await created();
    await fireAt('2026-03-28T05:30:00Z');
    const [{ request_id: requestId }] = await runsOf(id);
    await exports.account.operator('POST', `/exports/${requestId}/cancel`);
    expect(await get(id)).toMatchObject({ failures: 0, last_run: { status: 'cancelled' } });
  });

  test('a run that would exceed the limit of exports fails, and the reason is stored', async () => {
    now = start;
    const id = await created();
    const { context } = exports.service;
    Object.assign(context.config, { exportsPerAccount: 0 });
    await fireAt('2026-03-28T05:30:00Z');
    Object.assign(context.config, { exportsPerAccount: 1000 });
    expect(await runsOf(id)).toMatchObject([
      { status: 'failed', request_id: null, reason: expect.stringContaining('unfinished exports') },
    ]);
  });

  test('the history is deleted after 400 days', async () => {
    now = start;
    const id = await created({ timing: { every: 'day', at: '06:30' } });
    await fireAt('2026-03-28T05:30:00Z');
    await runJob((await runsOf(id))[0].request_id);
    now += 401 * 24 * hour;
    await deleteOldRuns(exports.service.context, new AbortController().signal);
    expect(await runsOf(id)).toEqual([]);
  });
});

describe('changes of schedules', () => {
  test('a change to an old version is refused', async () => {
    now = start;
    const id = await created();
    const first = await exports.account.operator('GET', `/export-schedules/${id}`);
    expect(first.headers['etag']).toBe('"1"');
    expect((await patch(id, { name: 'Mine' }, { 'if-match': '"1"' })).status).toBe(200);
    const refused = await patch(id, { name: 'Theirs' }, { 'if-match': '"1"' });
    expect(refused).toMatchObject({
      status: 412,
      headers: { etag: '"2"' },
      body: { current: { name: 'Mine', version: 2 } },
    });
    expect((await get(id)).name).toBe('Mine');
  });

  test('a filter replaces an audience, and null removes the optional parts', async () => {
    now = start;
    const callback = { url: 'https://hooks.example.com/x', headers: [{ name: 'X-Token', value: 'secret' }] };
    const id = await created({ callback, notify_email: 'asha@example.com', blocklist_type: 'email' });
    expect(JSON.stringify(await get(id))).not.toContain('secret');
    await patch(id, { filter: {}, callback: null, notify_email: null, blocklist_type: null });
    expect(await get(id)).toMatchObject({
      audience_type: null,
      filter: { filtering_criteria: [] },
      callback: null,
      notify_email: null,
      blocklist_type: null,
    });
  });

  test('a request with faults lists all of them', async () => {
    const answer = await exports.account.operator('POST', '/export-schedules', {
      ...daily,
      audience_id: 99,
      timing: { every: 'week', at: '06:00' },
      place: { endpoint: 'http://169.254.169.254', bucket: 'abc', key_id: 'k', secret: 's' },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ code, field }: { code: string; field: string }) => `${code} ${field}`)).toEqual([
      'not_found audience_id',
      'required timing.weekdays',
      'not_allowed place.endpoint',
    ]);
  });

  test('another account sees and changes nothing', async () => {
    now = start;
    const id = await created();
    const other = await exports.service.createAccount();
    expect((await other.operator('GET', `/export-schedules/${id}`)).status).toBe(404);
    expect((await other.operator('PATCH', `/export-schedules/${id}`, { paused: true })).status).toBe(404);
    expect((await other.operator('DELETE', `/export-schedules/${id}`)).status).toBe(404);
    expect((await other.operator('POST', `/export-schedules/${id}/run`)).status).toBe(404);
    expect((await other.operator('GET', `/export-schedules/${id}/runs`)).status).toBe(404);
    expect((await other.operator('GET', '/export-schedules')).body.data).toEqual([]);
  });

  test('an attribute in a schedule cannot be deleted', async () => {
    now = start;
    await exports.account.createAttributes([{ name: 'SIZE', data_type: 'text' }]);
    const id = await created({ attributes: ['SIZE'] });
    const answer = await exports.account.v5('/client/attribute/delete', { data: [{ name: 'SIZE' }] });
    expect(answer.body.errors[0]).toMatchObject({ code: 'in_use', message: expect.stringContaining(id) });
  });

  test('only a caller with the permission unmasked can change a schedule with unmasked values', async () => {
    now = start;
    const id = await created({ unmasked: true });
    const key = (await exports.account.operator('POST', '/api-keys', { name: 'e', scopes: ['export'] })).body.api_key;
    const call = (body: object) =>
      exports.service.call('PATCH', `/admin/v1/accounts/1/export-schedules/${id}`, {
        body,
        headers: { 'api-key': key },
      });
    expect((await call({ notify_email: 'else@example.com' })).status).toBe(403);
    expect((await call({ unmasked: false })).status).toBe(200);
  });
});

describe('schedules to S3', () => {
  const place = () => ({ endpoint: s3.endpoint, bucket, prefix: '/daily', key_id: 'S3RVER', secret: 'S3RVER' });

  test('the file goes to the place, with the due time in its name, and has no URL', async () => {
    now = start;
    const id = await created({ place: place(), compression: 'gzip' });
    expect((await get(id)).place).toEqual({
      endpoint: s3.endpoint,
      region: 'us-east-1',
      bucket,
      prefix: 'daily/',
      key_id: 'S3RVER',
    });
    await fireAt('2026-03-28T05:30:00Z');
    const [{ request_id: requestId }] = await runsOf(id);
    await runJob(requestId);
    expect(await exports.find(requestId)).toMatchObject({
      status: 'completed',
      place: `s3://${bucket}/daily/`,
      file_url: null,
    });
    expect(await s3.objects()).toContain(`daily/20260328T053000Z-${requestId}.csv.gz`);
    now += 8 * 24 * hour;
    await deleteExpiredFiles(exports.service.context, new AbortController().signal);
    expect((await exports.find(requestId)).status).toBe('expired');
    expect(await s3.objects()).toContain(`daily/20260328T053000Z-${requestId}.csv.gz`);
  });

  test('a bucket that does not exist fails the run at once, with the reason', async () => {
    now = start;
    const id = await created({ place: { ...place(), bucket: 'nowhere' } });
    await fireAt('2026-03-28T05:30:00Z');
    const [{ request_id: requestId }] = await runsOf(id);
    await runJob(requestId);
    expect((await runsOf(id))[0]).toMatchObject({ status: 'failed', reason: 'S3 refused the file: NoSuchBucket.' });
  });

  test('an address that is not allowed anymore is not connected to', async () => {
    now = start;
    const id = await created({ place: place() });
    await fireAt('2026-03-28T05:30:00Z');
    const [{ request_id: requestId }] = await runsOf(id);
    const { config } = exports.service.context;
    const before = config.callbackAllow;
    const requests = s3.requests.length;
    Object.assign(config, { callbackAllow: parseAllowList('') });
    await runJob(requestId);
    Object.assign(config, { callbackAllow: before });
    expect((await runsOf(id))[0]).toMatchObject({
      status: 'failed',
      reason: 'The address of S3 is not allowed. An operator can allow it with ROSTER_CALLBACK_ALLOW.',
    });
    expect(s3.requests).toHaveLength(requests);
  });

  test('a server that hangs delays neither other exports nor the files of other accounts', async () => {
    now = start;
    const { account, service } = exports;
    const other = await service.createAccount();
    const started = async (of: typeof account, prefix: string): Promise<string> => {
      const body = { ...all, place: { ...place(), prefix } };
      const { schedule_id: id } = (await of.operator('POST', '/export-schedules', body)).body;
      return (await of.operator('POST', `/export-schedules/${id}/run`)).body.request_id;
    };
    // As many as run at the same time, and one more.
    const hanging = [await started(account, 'hangs'), await started(account, 'hangs'), await started(account, 'hangs')];
    const ownFile = (await account.operator('POST', '/exports', { filter: {}, attributes: ['EMAIL'] })).body.request_id;
    const otherFile = await started(other, 'works');
    s3.hangs = (request) => request.includes('/hangs/');
    // Those that wait for their turn are not abandoned.
    now += hour;
    await endAbandonedExports(service.context, new AbortController().signal);
    {
      await using _jobs = service.startJobs();
      expect((await exports.ended(ownFile)).status).toBe('completed');
      const statusOf = async (id: string, of = account) => (await of.operator('GET', `/exports/${id}`)).body.status;
      await expect.poll(() => statusOf(otherFile, other), { timeout: 20_000 }).toBe('completed');
      const running = async () =>
        (await Promise.all(hanging.map((id) => statusOf(id)))).filter((one) => one === 'running');
      await expect.poll(running, { timeout: 20_000 }).toHaveLength(1);
    }
    s3.hangs = () => false;
    for (const id of hanging) await account.operator('POST', `/exports/${id}/cancel`);
  });

  test('a file that takes too long fails', async () => {
    const store: Pick<FileStore, 'write'> = {
      write: async (_key, { signal }) => {
        await once(signal!, 'abort');
        throw signal!.reason;
      },
    };
    const options = { contentType: 'text/csv', fill: async () => undefined, onBegin: async () => undefined };
    await expect(writeInTime(store, 'a.csv', options, 1)).rejects.toThrow('S3 took too long to store the file.');
  });

  test('the secret is kept only for the same place', async () => {
    now = start;
    const id = await created({ place: place() });
    const { secret: _, ...known } = place();
    expect((await patch(id, { place: { ...known, prefix: 'other' } })).status).toBe(200);
    expect((await patch(id, { place: { ...known, endpoint: 'https://s3.example.com' } })).status).toBe(400);
    expect((await patch(id, { place: { ...known, key_id: 'OTHER' } })).status).toBe(400);
    const text = JSON.stringify((await exports.account.operator('GET', '/audit-log')).body);
    expect(text).not.toContain('"secret"');
  });
});
