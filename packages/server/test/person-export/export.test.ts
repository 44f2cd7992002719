import { once } from 'node:events';
import http from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { startApi } from '#app/api/api-process.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { testAdminToken } from '../support/context.ts';
import { keepsAll, record, recorded } from '../activities/support.ts';
import { created } from '../erasures/support.ts';

let account: TestAccount;
const service = await forFile(startTestService());
beforeEach(async () => {
  account = await service.createAccount({ name: 'Keyed', primary_key: 'CUSTOMER_ID', settings: keepsAll });
});

const lena = { identity: 'C-4711', email: 'Lena@example.com', mobile: '491701234567' };

async function update(...contacts: object[]) {
  return account.updateContacts(contacts);
}

describe('the export of a person', () => {
  test('contains all data about the person, and no data about others', async () => {
    await account.v5('/client/attribute/create', {
      data: [
        { name: 'SCORE', data_type: 'number', data_masking: 'full' },
        { name: 'VIP', data_type: 'boolean' },
      ],
    });
    const list = await account.createList('Newsletter');
    const segment = async (name: string, value: string) =>
      (
        await account.operator('POST', '/segments', {
          name,
          filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value }] }],
        })
      ).body.audience_id;
    const [pune] = [await segment('Pune', 'Pune'), await segment('Ulm', 'Ulm')];
    const attributes = { FIRST_NAME: 'Lena', CITY: 'Pune', SCORE: 12.5, VIP: true, NOT_THERE: 1 };
    const create = await account.createContacts([
      { identity: 'C-1', attributes: { CITY: 'Ulm', NOT_THERE: 1 } },
      { ...lena, attributes, audience_details: [{ audience_id: list }] },
    ]);
    const [{ contact_id: id }] = (await account.rows({
      filtering_criteria: [{ condition_details: [{ field: 'identity', operation: 'equals', value: 'C-4711' }] }],
      output: { fields: ['contact_id'] },
    })) as [{ contact_id: number }];
    await update({ contact_id: id, subscriptions: { sms: false } }, { identity: 'C-1', mobile: null });
    await update({ contact_id: id, subscriptions: { sms: true }, identity: 'C-4712' });
    await recorded(service, account, [
      record({
        identity: 'C-4711',
        activity: 'click',
        link: 'https://shop.example.com/late',
        occurred_at: '2026-03-04T05:06:07.008Z',
        id: 'evt-1',
        bounce_type: 'soft',
      }),
      record({
        identity: 'C-4712',
        activity: 'bounce',
        bounce_type: 'hard',
        channel: 'sms',
        occurred_at: '2026-02-04T05:06:07Z',
      }),
      record({ identity: 'C-1', activity: 'spam' }),
    ]);
    await account.operator('POST', `/contacts/${id}/block`);
    await account.operator('POST', '/sign-ups', { email: 'lena@example.com', identity: 'C-4712' });
    await service.settled();

    const { status, headers, body } = await account.operator('GET', `/contacts/${id}/export`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(body).toMatchObject({
      account: { account_id: account.accountId, name: 'Keyed', primary_key: 'CUSTOMER_ID' },
      contact: {
        contact_id: id,
        identity: 'C-4712',
        contact_type: 'blacklisted',
        type_before_blacklisting: 'identified',
        email: 'Lena@example.com',
        mobile: '491701234567',
        attributes: [
          { name: 'FIRST_NAME', data_type: 'text', value: 'Lena' },
          { name: 'CITY', data_type: 'text', value: 'Pune' },
          { name: 'SCORE', data_type: 'number', value: 12.5 },
          { name: 'VIP', data_type: 'boolean', value: true },
        ],
      },
      former_identities: [{ identity: 'C-4711' }],
      lists: [{ audience_id: list, name: 'Newsletter' }],
      segments: [{ audience_id: pune, name: 'Pune' }],
      segment_changes: [],
      opt_outs: [
        { channel: 'email', opted_out: false, opted_in_at: null, last_activity: null },
        { channel: 'sms', opted_out: false, opted_in_at: expect.any(String), last_activity: { activity: 'bounce' } },
        { channel: 'whatsapp', opted_out: false },
      ],
      operator_actions: [{ action: 'contact.block', actor: 'operator' }],
      sign_ups: [{ used_at: null, contact: { identity: 'C-4712' } }],
      mails: [{ template: 'sign_up_link', to: 'lena@example.com', text: expect.stringContaining('[link]') }],
      export_files: [],
      activities: [
        { channel: 'sms', activity: 'bounce', bounce_type: 'hard', occurred_at: '2026-02-04T05:06:07.000Z' },
        { channel: 'email', activity: 'click', bounce_type: null, link: 'https://shop.example.com/late' },
      ],
      complete: true,
    });
    expect(body.requests.map(({ operation }: { operation: string }) => operation)).toEqual([
      'contact.sign-up',
      'contact.block',
      'activity.record',
      'contact.update',
      'contact.update',
      'contact.create',
    ]);
    const link = 'https://shop.example.com/late';
    expect(body.requests[2].items).toEqual([
      {
        index: 0,
        item: {
          identity: 'C-4711',
          channel: 'email',
          activity: 'click',
          occurred_at: '2026-03-04T05:06:07.008Z',
          link,
        },
        failures: [],
      },
      {
        index: 1,
        item: {
          identity: 'C-4712',
          channel: 'sms',
          activity: 'bounce',
          occurred_at: '2026-02-04T05:06:07.000Z',
          bounce_type: 'hard',
        },
        failures: [],
      },
    ]);
    expect(body.requests.at(-1)).toEqual({
      request_id: create.request_id,
      operation: 'contact.create',
      accepted_at: create.accepted_at,
      finished_at: create.finished_at,
      status: 'done',
      items: [
        {
          index: 1,
          item: { ...lena, attributes, audience_details: [{ audience_id: [list] }] },
          failures: [
            { code: 'attribute_unknown', field: 'attributes.NOT_THERE', message: expect.any(String), warning: true },
          ],
        },
      ],
    });
    const text = JSON.stringify(body);
    expect(text).not.toMatch(/verify|token|C-1"/);
    expect(Object.keys(body).at(-1)).toBe('complete');
    const [entry] = (await account.operator('GET', '/audit-log')).body.data;
    expect(entry).toMatchObject({ action: 'contact.export', subject: `contact:${id}` });
  });

  test('is 404 for an unknown contact and for a contact of another account', async () => {
    const id = await created(account, lena);
    const other = await service.createAccount();
    expect((await other.operator('GET', `/contacts/${id}/export`)).status).toBe(404);
    expect((await account.operator('GET', '/contacts/999999999/export')).status).toBe(404);
    expect((await account.operator('GET', '/contacts/x/export')).status).toBe(404);
    expect((await service.operator('GET', `/accounts/999/contacts/${id}/export`)).status).toBe(404);
    expect((await service.call('GET', `/admin/v1/accounts/1/contacts/${id}/export`)).status).toBe(401);
    // The refused requests must not use up the slots for exports.
    for (let times = 0; times < 4; times++) {
      expect((await account.operator('GET', `/contacts/${id}/export`)).status).toBe(200);
    }
  });

  test('contains the mails and sign-ups of a former e-mail address', async () => {
    const email = await service.createAccount({ name: 'Addressed', settings: keepsAll });
    const id = await created(email, { identity: 'lena@example.com' });
    expect((await email.operator('POST', '/sign-ups', { email: 'Lena@example.com' })).status).toBe(201);
    await service.settled();
    await email.apply('/contact/update', { data: { contacts: [{ contact_id: id, identity: 'lena@example.org' }] } });
    const { body } = await email.operator('GET', `/contacts/${id}/export`);
    expect(body).toMatchObject({
      former_identities: [{ identity: 'lena@example.com' }],
      sign_ups: [{ contact: { email: 'Lena@example.com' } }],
      mails: [{ template: 'sign_up_link', to: 'Lena@example.com' }],
    });
  });

  test('contains a mail to an address, and a later failed request for it, that only an older request connects with the person', async () => {
    const id = await created(account, lena);
    await account.operator('POST', '/sign-ups', { email: lena.email, identity: lena.identity });
    await service.settled();
    await update({ contact_id: id, email: 'lena@example.org' });
    await update({ email: lena.email, attributes: { CITY: 'Ulm' } });
    const { body } = await account.operator('GET', `/contacts/${id}/export`);
    expect(body.mails).toMatchObject([{ to: lena.email }]);
    expect(body.requests[0]).toMatchObject({
      operation: 'contact.update',
      items: [{ item: { email: lena.email }, failures: [{ code: 'contact_not_found' }] }],
    });
  });

  test('ends at once for a HEAD request', async () => {
    const id = await created(account, lena);
    const path = `/admin/v1/accounts/${account.accountId}/contacts/${id}/export`;
    const headers = { authorization: `Bearer ${testAdminToken}` };
    for (let count = 0; count < 5; count++) {
      const answer = await service.call('HEAD', path, { headers });
      expect(answer).toMatchObject({ status: 200, body: '' });
      expect(answer.headers['content-type']).toContain('application/json');
    }
  });

  test('of an anonymous contact contains the requests with its e-mail address', async () => {
    const contacts = [{ email: 'anon@example.com' }];
    await account.apply('/contact/create', { data: { contact_type: 'anonymous', contacts } });
    const [row] = await account.rows({ output: { fields: ['contact_id'] } });
    const { body } = await account.operator('GET', `/contacts/${String(row!['contact_id'])}/export`);
    expect(body).toMatchObject({
      contact: { identity: null, contact_type: 'anonymous' },
      requests: [{ items: [{ index: 0, item: { email: 'anon@example.com' } }] }],
      activities: [],
    });
  });
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Returns the bytes of memory in use after a garbage collection. */
function liveMemory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('a long export of a person', () => {
  const activities = 200_000;
  let id: number;

  async function fill(): Promise<void> {
    id = await created(account, lena);
    await recorded(service, account, [record({ identity: lena.identity })]);
    await sql`
      insert into activities (account_id, channel, activity, occurred_at, contact_key, link)
      select account_id, 1, 4, occurred_at - n * interval '1 ms', contact_key, repeat('x', 200)
      from activities, generate_series(1, ${activities - 1}::int) n where account_id = ${account.accountId}`.execute(
      service.context.db,
    );
  }

  async function begin(url: string): Promise<http.IncomingMessage> {
    const request = http.get(`${url}/admin/v1/accounts/${account.accountId}/contacts/${id}/export`, {
      headers: { authorization: `Bearer ${testAdminToken}` },
    });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return response;
  }

  const connections = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database() and query like 'fetch%' and state <> 'idle'`.execute(
      service.context.db,
    );
    return rows.map(({ pid }) => pid);
  };

  test('is streamed at the speed of its reader, and a third concurrent export of the account gets 503', async () => {
    await fill();
    await using api = await startApi({ ...service.context.config, port: 0 });
    const [one, two] = [await begin(api.url), await begin(api.url)];
    const third = await begin(api.url);
    expect(third.statusCode).toBe(503);
    expect(third.headers['retry-after']).toBe('5');
    third.resume();
    // Slow clients of one account do not keep out another account.
    const others = await fetch(`${api.url}/admin/v1/accounts/1/contacts/999999/export`, {
      headers: { authorization: `Bearer ${testAdminToken}` },
    });
    expect(others.status).toBe(404);
    // The export must not contain activities that are recorded after its start.
    await recorded(service, account, [record({ identity: lena.identity, id: 'later' })]);
    two.destroy();
    let length = 0;
    const live: number[] = [];
    let end = '';
    for await (const chunk of one as AsyncIterable<Buffer>) {
      // Measure every 8 MiB.
      if ((length + chunk.length) >> 23 > length >> 23) live.push(liveMemory());
      length += chunk.length;
      end = (end + chunk.toString('latin1')).slice(-2000);
    }
    expect(one.complete).toBe(true);
    expect(length).toBeGreaterThan(activities * 200);
    expect(end).toMatch(/\],"complete":true\}$/);
    // The memory does not grow with the size of the export, of which half is 40 MB.
    const half = live.length >> 1;
    const least = (some: number[]) => Math.min(...some) / 2 ** 20;
    expect(least(live.slice(half)) - least(live.slice(0, half)), live.join(' ')).toBeLessThan(10);
    // The export whose client disconnected gives back its slot and its connection.
    while ((await connections()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const next = await begin(api.url);
    expect(next.statusCode).toBe(200);
    next.destroy();
  });

  test('that fails aborts its connection, so that the client sees that it is incomplete', async () => {
    await fill();
    await using api = await startApi({ ...service.context.config, port: 0 });
    const response = await begin(api.url);
    expect(response.statusCode).toBe(200);
    let pids: number[] = [];
    while ((pids = await connections()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await sql`select pg_terminate_backend(pid) from unnest(${pids}::int[]) pid`.execute(service.context.db);
    response.resume();
    await expect(once(response, 'end')).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
  });
});
