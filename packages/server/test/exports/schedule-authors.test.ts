import { beforeAll, describe, expect, test } from 'vitest';
import { runExport } from '#features/exports/run/run-export.ts';
import { startDueSchedules } from '#features/exports/schedules/run-schedule.ts';
import { keep, switchDerived } from '../derived-attributes/support.ts';
import { goodPassword, openBrowser } from '../users/support.ts';
import { startExportService } from './export-service.ts';
import { forFile } from '../support/for-file.ts';

const day = 24 * 3_600_000;

let now = Date.parse('2026-03-01T00:00:00Z');

const exports = await forFile(startExportService({ jobs: false, now: () => new Date(now) }));
const { account } = exports;
await account.createAttributes([{ name: 'CARD', data_type: 'text', data_masking: 'full' }]);
await account.createContacts([{ identity: 'a@example.com', attributes: { CARD: 'secret' } }]);

const operator = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  exports.account.operator(method, path, body);

const body = { name: 'Cards', filter: {}, attributes: ['CARD'], timing: { every: 'day', at: '06:30' } };

let people = 0;

/** Creates a schedule of a new person, who is an editor and sees unmasked values. */
async function scheduleOfPerson(unmasked = true) {
  people++;
  const email = `person${people}@example.com`;
  const rights = { role: 'editor', unmasked: true };
  const invited = await operator('POST', '/invitations', { email, ...rights });
  const token = invited.body.link.split('#token=')[1];
  const browser = openBrowser(exports.service);
  const accepted = await browser.send('POST', '/invitations/accept', { token, name: email, password: goodPassword });
  const userId: number = accepted.body.person.user_id;
  const made = await browser.send('POST', '/accounts/1/export-schedules', { ...body, unmasked });
  expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201, body: { author: `user:${userId}` } });
  return { id: made.body.schedule_id as string, userId, email, browser, member: `/members/${userId}` };
}

/** Creates a schedule of a new API key. */
async function scheduleOfKey({ schedule = {}, ...more }: { schedule?: object; [name: string]: unknown } = {}) {
  const scopes = ['export', 'unmasked'];
  const { api_key: key, api_key_id: keyId } = (await operator('POST', '/api-keys', { name: 'k', scopes, ...more }))
    .body;
  const made = await exports.service.call('POST', '/admin/v1/accounts/1/export-schedules', {
    body: { ...body, unmasked: true, ...schedule },
    headers: { 'api-key': key },
  });
  expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201, body: { author: `api-key:${keyId}` } });
  return { id: made.body.schedule_id as string, keyId: keyId as number };
}

/** Lets a day pass. Returns the values in the file of the next run, or why there is none. */
async function nextRun(id: string): Promise<string> {
  now += day;
  const { context } = exports.service;
  const signal = new AbortController().signal;
  await startDueSchedules(context, signal);
  const [run] = (await operator('GET', `/export-schedules/${id}/runs`)).body.data;
  const made = await context.db.selectFrom('exports').where('schedule_id', '=', id).select('due_at').execute();
  const isExported = made.some(({ due_at: dueAt }) => dueAt?.toISOString() === run.due_at);
  expect(isExported).toBe(run.request_id !== null);
  if (!isExported) {
    expect(run).toMatchObject({ status: 'failed', rows_written: null, due_at: expect.stringContaining('T06:30:00') });
    return run.reason;
  }
  const job = { signal, jobId: '1', attempt: 1, maxAttempts: 1 };
  await runExport(context, { account_id: 1, request_id: run.request_id }, job);
  return (await exports.rows(run.request_id)).flat().join(' ');
}

const noExport =
  'The person who made or last changed this schedule may no longer export. Somebody who may export must save the schedule again, or make a new one.';
const noUnmasked =
  'The person who made or last changed this schedule may no longer export unmasked values. Somebody who may must save the schedule again, or make a new one.';
const noKey = noExport.replace('The person who', 'The API key that');

describe('a schedule of unmasked values stops exporting when its author', () => {
  type Schedule = Awaited<ReturnType<typeof scheduleOfPerson>>;
  const losses: Record<string, { reason: string; lose: (schedule: Schedule) => Promise<{ status: number }> }> = {
    'loses the grant to see unmasked values': {
      reason: noUnmasked,
      lose: ({ member }) => operator('PATCH', member, { unmasked: false }),
    },
    'gets a role that may not export': {
      reason: noExport,
      lose: ({ member }) => operator('PATCH', member, { role: 'viewer' }),
    },
    'is removed from the account': { reason: noExport, lose: ({ member }) => operator('DELETE', member) },
    'is removed from the account, but is an owner of another one': {
      reason: noExport,
      async lose({ member, email, browser }) {
        const { accountId } = await exports.service.createAccount();
        const owner = { email, role: 'owner', unmasked: true };
        const invited = await exports.service.operator('POST', `/accounts/${accountId}/invitations`, owner);
        const token = invited.body.link.split('#token=')[1];
        const signedIn = { email, password: goodPassword };
        expect((await browser.send('POST', '/session', signedIn)).status).toBe(200);
        expect((await browser.send('POST', '/invitations/accept', { token })).status).toBe(200);
        return operator('DELETE', member);
      },
    },
    'is blocked': {
      reason: noExport,
      lose: ({ userId }) => exports.service.operator('PATCH', `/users/${userId}`, { is_disabled: true }),
    },
    'is deleted': {
      reason: noExport,
      lose: ({ userId }) => exports.service.operator('DELETE', `/users/${userId}`),
    },
  };

  test.each(Object.entries(losses))('%s', async (_name, { reason, lose }) => {
    const schedule = await scheduleOfPerson();
    const { id } = schedule;
    expect(await nextRun(id)).toBe('CARD secret');
    expect([200, 204]).toContain((await lose(schedule)).status);
    expect(await nextRun(id)).toBe(reason);
    expect((await operator('GET', `/export-schedules/${id}`)).body).toMatchObject({ status: 'active', failures: 1 });
    const byHand = await operator('POST', `/export-schedules/${id}/run`);
    expect(byHand).toMatchObject({ status: 409, body: { description: expect.stringContaining(reason) } });

    // Who changes the schedule becomes its author.
    const saved = await operator('PATCH', `/export-schedules/${id}`, { name: 'Taken over' });
    expect(saved.body.author).toBe('operator');
    expect(await nextRun(id)).toBe('CARD secret');
  });

  test('is an API key that is revoked', async () => {
    const { id, keyId } = await scheduleOfKey();
    expect(await nextRun(id)).toBe('CARD secret');
    expect((await operator('DELETE', `/api-keys/${keyId}`)).status).toBe(204);
    expect(await nextRun(id)).toBe(noKey);
  });

  test('is an API key that expires', async () => {
    const { id } = await scheduleOfKey({ expires_at: new Date(now + 1.5 * day).toISOString() });
    expect(await nextRun(id)).toBe('CARD secret');
    expect(await nextRun(id)).toBe(noKey);
  });

  test('takes it over from somebody who may still export', async () => {
    const { id } = await scheduleOfKey();
    const { browser, member } = await scheduleOfPerson();
    const renamed = await browser.send('PATCH', `/accounts/1/export-schedules/${id}`, { name: 'Mine' });
    expect(renamed.status).toBe(200);
    await operator('PATCH', member, { unmasked: false });
    expect(await nextRun(id)).toBe(noUnmasked);
  });
});

test('a schedule exports again when its author gets the right back', async () => {
  const { id, member } = await scheduleOfPerson();
  await operator('PATCH', member, { unmasked: false });
  expect(await nextRun(id)).toBe(noUnmasked);
  await operator('PATCH', member, { unmasked: true });
  expect(await nextRun(id)).toBe('CARD secret');
  expect((await operator('GET', `/export-schedules/${id}`)).body.failures).toBe(0);
});

test('a schedule of masked values continues when its author may no longer see unmasked values', async () => {
  const { id, member } = await scheduleOfPerson(false);
  await operator('PATCH', member, { unmasked: false });
  expect(await nextRun(id)).toBe('CARD ****');
  await operator('DELETE', member);
  expect(await nextRun(id)).toBe(noExport);
});

describe('a schedule that uses activities', () => {
  const lastOpen = 'activity.email.last_open';
  const opened = { field: 'activity', operation: 'never', activity: ['click'] };
  const uses = {
    'derived attributes': { attributes: ['IDENTITY', lastOpen] },
    'a filter': { attributes: ['IDENTITY'], filter: { filtering_criteria: [{ condition_details: [opened] }] } },
  };
  const refusals = {
    'derived attributes':
      'The API key that made or last changed this schedule may no longer export derived attributes. Somebody who may must save the schedule again, or make a new one.',
    'a filter':
      'The API key that made or last changed this schedule may no longer use its filter. Somebody who may must save the schedule again, or make a new one.',
  };
  const fieldOf = { 'derived attributes': 'attributes', 'a filter': 'filter' };

  beforeAll(async () => {
    await switchDerived(exports.account, true);
    await keep(exports.service);
  });

  test.each(['derived attributes', 'a filter'] as const)('in %s needs activity:read in each run', async (what) => {
    const { db } = exports.service.context;
    const scopes = ['export', 'unmasked', 'activity:read'];
    const { id, keyId } = await scheduleOfKey({ scopes, schedule: uses[what] });
    expect(await nextRun(id)).toContain('a@example.com');
    await db
      .updateTable('api_keys')
      .where('api_key_id', '=', keyId)
      .set({ scopes: ['export', 'unmasked'] })
      .execute();
    expect(await nextRun(id)).toBe(refusals[what]);
    const byHand = await operator('POST', `/export-schedules/${id}/run`);
    expect(byHand).toMatchObject({ status: 409, body: { description: expect.stringContaining(refusals[what]) } });
    expect((await operator('PATCH', `/export-schedules/${id}`, { name: 'Taken over' })).status).toBe(200);
    expect(await nextRun(id)).toContain('a@example.com');
  });

  test.each(['derived attributes', 'a filter'] as const)(
    'in %s cannot be changed without activity:read',
    async (what) => {
      const made = await operator('POST', '/export-schedules', { ...body, ...uses[what] });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      const path = `/admin/v1/accounts/1/export-schedules/${made.body.schedule_id}`;
      const change = async (changes: object, ...more: string[]) => {
        const key = await operator('POST', '/api-keys', { name: 'k', scopes: ['export', 'unmasked', ...more] });
        return exports.service.call('PATCH', path, { body: changes, headers: { 'api-key': key.body.api_key } });
      };
      expect(await change({ name: 'Mine' })).toMatchObject({
        status: 403,
        body: { errors: [{ code: 'missing_scope', field: fieldOf[what] }] },
      });
      expect((await change({ name: 'Mine' }, 'activity:read')).status).toBe(200);
      expect((await change({ attributes: ['IDENTITY'], filter: {} })).status).toBe(200);
    },
  );
});

test('five runs without the right disable a schedule, with an entry in the audit log', async () => {
  const { id, member } = await scheduleOfPerson();
  await operator('DELETE', member);
  for (let run = 0; run < 5; run++) expect(await nextRun(id)).toBe(noExport);
  const found = (await operator('GET', `/export-schedules/${id}`)).body;
  expect(found).toMatchObject({ status: 'disabled', failures: 5, next_run_at: null });
  const [entry] = (await operator('GET', '/audit-log')).body.data;
  expect(entry).toMatchObject({ action: 'export_schedule.disable', subject: `export_schedule:${id}` });
});
