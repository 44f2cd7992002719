import { mkdtempDisposable } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createClient, createOperatorClient, operations, RosterError } from '@roster/client';
import { describe, expect, test } from 'vitest';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { listening } from '../support/listening.ts';
import { writeDeadLetter } from '../event-subscriptions/support.ts';
import { startTestService } from '../support/service.ts';

const calledOperations = new Set<string>();

/** Calls the real fetch, and records the requests that succeeded. */
const recordingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  if (response.ok) calledOperations.add(`${init?.method ?? 'GET'} ${pathname}`);
  return response;
};

const { path: dataDir } = await forFile(mkdtempDisposable(path.join(os.tmpdir(), 'roster-client-')));
const service = await forFile(startTestService({ config: { dataDir } }));
const url = await listening(service);
const roster = createClient({ url, apiKey: service.first.apiKey, fetch: recordingFetch });
const operator = createOperatorClient({ url, token: testAdminToken, fetch: recordingFetch });

/** A client that keeps cookies, like a page of the service in a browser. */
function browserClient(): ReturnType<typeof createOperatorClient> {
  const cookies = new Map<string, string>();
  return createOperatorClient({
    url,
    async fetch(input, init) {
      const headers = new Headers(init?.headers);
      headers.set('origin', url);
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
      const response = await recordingFetch(input, { ...init, headers });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        cookies.set(name!, value!);
      }
      return response;
    },
  });
}

const first = () => operator.account(service.first.accountId);
const people = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    identity: `p${String(at).padStart(5, '0')}@example.com`,
    attributes: { CITY: at % 2 === 0 ? 'Pune' : 'Goa' },
  }));

describe('outcomes with the client', () => {
  test('a caller who waits gets the outcome of each request, and of a later one by its id', async () => {
    const { api_key: apiKey } = await first().apiKeys.create({
      name: 'Outcomes',
      scopes: ['contacts:write', 'attributes:write', 'requests:read'],
    });
    const reading = createClient({ url, apiKey, fetch: recordingFetch });
    const contacts = [...people(1000), { identity: 'mei@example.com', email: 'other@example.com' }];
    const { requests } = await reading.contacts.create(contacts, { wait: 20 });
    expect(requests.map(({ outcome }) => outcome)).toMatchObject([
      { status: 'done', counts: { total: 1000, failed: 0 }, failures: [] },
      { status: 'done', counts: { total: 1, failed: 1 }, failures: [{ index: 0, code: 'identity_mismatch' }] },
    ]);
    const { request_id: id } = requests[1]!;
    expect(await reading.requests.get(id)).toMatchObject({ request_id: id, outcome: 'all_failed' });
    expect(await reading.requests.wait(id)).toEqual(await reading.requests.get(id, { wait: 5 }));
    expect(await reading.requests.failures(id).all()).toMatchObject([{ code: 'identity_mismatch' }]);
    const made = await reading.attributes.create([{ name: 'OUTCOME', data_type: 'text' }], { wait: 20 });
    expect(made.outcome).toMatchObject({ counts: { created: 1 } });
    const gone = await reading.attributes.delete(['OUTCOME'], { wait: 20 });
    expect(gone.outcome).toMatchObject({ counts: { deleted: 1 } });
    const activity = { identity: 'p00001@example.com', channel: 'email', activity: 'open' } as const;
    const recorded = await first().activities.record([{ ...activity, occurred_at: new Date().toISOString() }], {
      wait: 20,
    });
    expect(recorded.requests).toMatchObject([{ outcome: { counts: { created: 1 } } }]);
    const deletions = people(1000).map(({ identity }) => ({ identity }));
    await reading.contacts.delete(deletions, { wait: 20 });
  });
});

describe('contacts with the client', () => {
  test('any number of contacts can be created, searched page by page, counted, updated and deleted', async () => {
    const account = first();
    const list = await account.lists.create({ name: 'All' });
    const contacts = people(2345).map((one) => ({ ...one, audience_details: [{ audience_id: [list.audience_id] }] }));
    const { count, requests } = await roster.contacts.create(contacts);
    expect([count, requests.map((one) => one.count)]).toEqual([2345, [1000, 1000, 345]]);
    for (const { request_id: id, count: items } of requests) {
      const { counts, status } = await account.requests.wait(id, { interval: 10 });
      expect([status, counts.created, counts.failed]).toEqual(['done', items, 0]);
    }

    const search = {
      filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['Pune'] }] }],
      output: { fields: ['EMAIL', 'CITY'], sorting: [{ field: 'email' }], pagination: { limit: 100 } },
    } as const;
    const rows = await roster.contacts.search(search).all();
    expect(rows.map(({ EMAIL }) => EMAIL)).toEqual(
      contacts.filter((_, at) => at % 2 === 0).map(({ identity }) => identity),
    );
    expect(await roster.contacts.search(search).take(3)).toEqual(rows.slice(0, 3));
    expect(await roster.contacts.count({ filtering_criteria: search.filtering_criteria })).toBe(1173);
    const audience = { audience_type: 'list', audience_id: list.audience_id } as const;
    expect(await roster.contacts.searchAudience(audience).all()).toHaveLength(2345);

    const updated = await roster.contacts.update([{ email: 'p00000@example.com', attributes: { CITY: 'Delhi' } }]);
    await account.requests.wait(updated.requests[0]!.request_id, { interval: 10 });
    expect(await roster.contacts.search(search).take(1)).toEqual([{ EMAIL: 'p00002@example.com', CITY: 'Pune' }]);
    const deleted = await roster.contacts.delete(contacts.map(({ identity }) => ({ identity })));
    for (const { request_id: id } of deleted.requests) await account.requests.wait(id, { interval: 10 });
    expect(await roster.contacts.count()).toBe(0);
    await account.lists.delete(list.audience_id);
  });

  test('a call repeated with the same idempotency key is applied once', async () => {
    const options = { idempotencyKey: 'again', contactType: 'anonymous' } as const;
    const once = await roster.contacts.create([{ email: 'twice@example.com' }], options);
    const twice = await roster.contacts.create([{ email: 'twice@example.com' }], options);
    expect(twice).toEqual(once);
    await first().requests.wait(once.requests[0]!.request_id, { interval: 10 });
    const email = { field: 'email', operation: 'equals', value: ['twice@example.com'] };
    expect(await roster.contacts.count({ filtering_criteria: [{ condition_details: [email] }] })).toBe(1);
  });
});

describe('batch add with the client', () => {
  test('a batch returns the id of its job, which is also the id of a request', async () => {
    const id = await roster.batches.add({
      listid: 1,
      notifyemail: 'asha@example.com',
      callbackurl: 'https://hooks.example.com/batches',
      primarykey: 'email',
      data: [{ EMAIL: 'batch@example.com', CITY: 'Pune' }],
    });
    expect((await first().requests.wait(id, { interval: 10 })).counts).toMatchObject({ total: 1, created: 1 });
    const wrong = {
      listid: 99,
      notifyemail: 'a@example.com',
      callbackurl: 'https://a.example.com',
      primarykey: 'email',
      data: [{ EMAIL: 'b@example.com' }],
    };
    await expect(roster.batches.add(wrong)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'batchAddContacts: 400 listid does not exist',
    });
  });
});

describe('errors of the client', () => {
  test('an error has the faults, their fields and the request id', async () => {
    const error: unknown = await roster.contacts
      .create([{ identity: 'fine@example.com' }, { identity: 'a@example.com', email: 'no address' }])
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RosterError);
    expect(error).toMatchObject({
      code: 'invalid_request',
      status: 400,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      faults: [{ field: 'data.contacts[1].email' }],
      batch: { first: 0, count: 2, accepted: [] },
    });
  });

  test('errors look the same for every generation of the API', async () => {
    const wrong = createClient({ url, apiKey: 'wrong' });
    const person = { primary_key: 'a', channel: 'email', from_date: '01012026', to_date: '02012026' } as const;
    const details = { audience_details: { audience_type: 'list', audience_id: 1 }, callback_details: {} } as const;
    for (const call of [
      () => wrong.contacts.count(),
      () => wrong.audiences.export(details),
      () => wrong.activity.of(person),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
    }
    await expect(
      roster.audiences.export({ ...details, audience_details: { audience_type: 'list', audience_id: 99 } }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      faults: [{ field: 'audience_details.audience_id' }],
    });
    await expect(operator.account(99).get()).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('every operation of the client', () => {
  test('attributes can be created, found, updated, indexed and deleted', async () => {
    const account = first();
    const { request_id: id } = await roster.attributes.create([{ name: 'TIER', data_type: 'text' }]);
    await account.requests.wait(id, { interval: 10 });
    const [found] = await roster.attributes.search({
      filtering_criteria: [{ condition_details: [{ field: 'name', operation: 'equals', value: ['TIER'] }] }],
    });
    expect(found).toMatchObject({ name: 'TIER', data_type: 'text' });
    expect(await roster.attributes.update([{ id: found!.id, new_name: 'LEVEL' }])).toMatchObject([{ name: 'LEVEL' }]);
    expect(await roster.attributes.usage(['CITY', found!.id])).toMatchObject([
      { name: 'CITY' },
      { name: 'LEVEL', in_use: false },
    ]);
    expect((await account.attributes.list().all()).map(({ name }) => name)).toContain('LEVEL');
    expect((await account.attributes.get(found!.id)).indexed).toBe(false);
    expect((await account.attributes.values(found!.id, { limit: 1 })).data).toEqual([]);
    expect((await account.attributes.index(found!.id, true)).indexed).toBe(true);
    const deleted = await roster.attributes.delete(['LEVEL']);
    expect((await account.requests.wait(deleted.request_id, { interval: 10 })).counts.failed).toBe(0);
  });

  test('accounts, keys, lists and segments can be managed', async () => {
    const made = await operator.accounts.create({ name: 'Second' });
    const account = operator.account(made.account_id);
    expect((await operator.accounts.list({ limit: 1 }).all()).map(({ name }) => name)).toContain('Second');
    expect(await operator.accounts.update(made.account_id, { time_zone: 'Asia/Kolkata' })).toEqual(await account.get());
    const key = await account.apiKeys.create({ name: 'Reader', scopes: ['contacts:read'] });
    expect(await account.apiKeys.list().all()).toHaveLength(2);
    await account.apiKeys.revoke(key.api_key_id);
    const list = await account.lists.create({ name: 'News' });
    await account.lists.update(list.audience_id, { name: 'Newsletter' });
    expect(await account.lists.get(list.audience_id)).toMatchObject({ name: 'Newsletter', member_count: 0 });
    expect(await account.lists.list().all()).toHaveLength(1);
    const filtering_criteria = [
      { condition_details: [{ field: 'list_id', operation: 'equals', value: [list.audience_id] }] },
    ];
    const segment = await account.segments.create({ name: 'Readers', filtering_criteria });
    await account.segments.update(segment.audience_id, { name: 'All readers', live: true });
    expect(await account.segments.changes(segment.audience_id).all()).toEqual([]);
    expect(await account.segments.get(segment.audience_id)).toMatchObject({ name: 'All readers', contact_count: 0 });
    expect(await account.segments.count(segment.audience_id)).toBe(0);
    expect((await account.segments.growth(segment.audience_id)).days).toEqual([]);
    expect(await account.segments.list({ contains: 'readers', order: 'name' }).all()).toHaveLength(1);
    expect((await account.lists.list({ order: 'member_count' }).all())[0]!.uses).toMatchObject([
      { feature: 'segment', id: segment.audience_id, name: 'All readers', prevents_deletion: true },
    ]);
    expect((await account.lists.growth(list.audience_id, { days: 7 })).data).toMatchObject([{ joined: 0, left: 0 }]);
    expect(await account.contacts.find('asha')).toEqual({ data: [], more: false });
    await account.segments.delete(segment.audience_id);
    await account.lists.delete(list.audience_id);
    const log = await account.auditLog.list({ limit: 2 }).all();
    expect(log.map(({ action }) => action)).toContain('segment.delete');
    expect(await account.signingSecret.rotate()).toMatchObject({ previous: { secret: expect.any(String) as string } });
    expect((await account.signingSecret.get()).previous).not.toBeNull();
  });

  test('a program manages lists and reads members with an API key that has only these scopes', async () => {
    const scopes = ['contacts:read', 'contacts:write', 'lists:write'] as const;
    const { api_key: apiKey } = await first().apiKeys.create({ name: 'Program', scopes });
    const account = createOperatorClient({ url, apiKey, fetch: recordingFetch }).account(service.first.accountId);
    const { audience_id: list } = await account.lists.create({ name: 'Of a program' });
    const member = { identity: 'member@example.com', audience_details: [{ audience_id: [list] }] };
    await account.asApiKey.contacts.create([member], { wait: 10 });
    const search = { audience_type: 'list', audience_id: list, output: { fields: ['EMAIL', 'LIST_ID'] } } as const;
    expect(await account.asApiKey.contacts.searchAudience(search).all()).toEqual([
      { EMAIL: 'member@example.com', LIST_ID: [list] },
    ]);
    await expect(account.segments.create({ name: 'All', filtering_criteria: [] })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  test('exports, deliveries and mails can be created, read and cancelled', async () => {
    const account = first();
    const { audience_id: list } = await account.lists.create({ name: 'To a file' });
    const created = await roster.contacts.create([
      { identity: 'file@example.com', audience_details: [{ audience_id: [list] }] },
    ]);
    await account.requests.wait(created.requests[0]!.request_id, { interval: 10 });
    const request = { audience_details: { audience_type: 'list', audience_id: list } } as const;
    const cancelled = await roster.audiences.export({ ...request, callback_details: {} });
    expect((await account.exports.cancel(cancelled)).status).toBe('cancelled');
    expect((await account.exports.wait(cancelled)).status).toBe('cancelled');
    await expect(account.exports.open(cancelled)).rejects.toMatchObject({ code: 'not_finished' });
    const id = await roster.audiences.export({
      ...request,
      notify_email: 'asha@example.com',
      callback_details: { endpoint: 'https://hooks.example.com/roster' },
    });
    await using _jobs = service.startJobs();
    const seen: string[] = [];
    const done = await account.exports.wait(id, { interval: 20, onProgress: ({ status }) => seen.push(status) });
    expect([done.rows_total, seen.at(-1)]).toEqual([1, 'completed']);
    expect((await account.exports.list({ status: 'completed' }).all()).map((one) => one.request_id)).toContain(id);
    const { stream, size } = await account.exports.open(id);
    const text = await new Response(stream).text();
    expect(text).toBe('EMAIL,MOBILE\r\nfile@example.com,\r\n');
    expect(size).toBe(text.length);
    const [delivery] = await account.deliveries.list({ source: 'export', source_id: id }).all();
    expect(await account.deliveries.get(delivery!.delivery_id)).toMatchObject({ source_id: id });
    const [mail] = await account.mails.list().all();
    expect((await account.mails.get(mail!.mail_id)).to).toBe('asha@example.com');
  });

  test('sign-ups and activities can be recorded, and contacts blocked and unblocked', async () => {
    const account = first();
    const { request_id: id } = await account.signUps.create({ email: 'new@example.com' });
    await account.requests.wait(id, { interval: 10 });
    const email = { field: 'email', operation: 'equals', value: ['new@example.com'] };
    const search = { filtering_criteria: [{ condition_details: [email] }], output: { fields: ['contact_id'] } };
    const [row] = await roster.contacts.search(search).all();
    const contactId = Number(row!['contact_id']);
    const { version, email: address } = await account.contacts.get(contactId);
    expect(address).toBe('new@example.com');
    const change = { attributes: { CITY: 'Pune' } };
    const changed = await account.contacts.update(contactId, change, { ifMatch: version });
    expect(changed.contact.version).not.toBe(version);
    await expect(account.contacts.update(contactId, change, { ifMatch: version })).rejects.toMatchObject({
      code: 'changed',
      current: { contact_id: contactId, version: changed.contact.version },
    });
    const kinds = await account.contacts.timeline(contactId, { limit: 1, kinds: 'created,request' }).all();
    expect(kinds.map(({ kind }) => kind).sort()).toEqual(['created', 'request', 'request']);
    expect((await account.contacts.block(contactId)).contact_type).toBe('blacklisted');
    expect((await account.contacts.unblock(contactId)).contact_type).toBe('unconfirmed');
    const now = service.context.now();
    const recorded = await account.activities.record([
      { identity: 'new@example.com', channel: 'email', activity: 'sent', occurred_at: now.toISOString(), id: '1' },
    ]);
    await account.requests.wait(recorded.requests[0]!.request_id, { interval: 10 });
    const [year, month, day] = now.toISOString().slice(0, 10).split('-');
    const today = `${day}${month}${year}`;
    const person = { primary_key: 'new@example.com', channel: 'email', from_date: today, to_date: today } as const;
    expect(await roster.activity.of(person)).toMatchObject([{ activity: 'sent' }]);
    expect((await account.activities.derived()).state).toBe('off');
    await account.update({ settings: { derived_attributes: true } });
    expect((await account.activities.rebuildDerived()).state).toBe('building');
  });

  test('imports can be sent, read and cancelled', async () => {
    const account = first();
    const rows = 'EMAIL,CITY\nimported@example.com,Pune\nno address,Goa\n';
    async function* pieces() {
      for (const line of rows.split(/(?<=\n)/)) yield new TextEncoder().encode(line);
    }
    await using _jobs = service.startJobs();
    for (const file of [rows, new Blob([rows]), pieces(), pieces]) {
      const { import_id: id } = await account.imports.create({ file_name: 'people.csv' });
      expect((await account.imports.send(id, file)).status).toBe('accepted');
      const done = await account.imports.wait(id, { interval: 20 });
      expect([done.status, done.counts.total, done.counts.failed]).toEqual(['completed', 2, 1]);
      expect(await new Response(await account.imports.failures(id)).text()).toMatch(/^IMPORT_LINE,.*\r\n3,EMAIL,/);
      expect(await account.imports.failedRows(id).all()).toMatchObject([{ line: 3, column: 'EMAIL' }]);
    }
    const { import_id: id } = await account.imports.create({});
    expect((await account.imports.cancel(id)).status).toBe('cancelled');
    await expect(account.imports.send(id, rows)).rejects.toMatchObject({ code: 'conflict' });
    expect(await account.imports.list({ status: 'completed' }).all()).toHaveLength(4);
  });

  test('the state of the installation and waiting sign-ups are read', async () => {
    expect((await operator.system()).database.size).toBeGreaterThan(0);
    const account = first();
    await account.signUps.create({ email: 'waiting@example.com' });
    expect((await account.signUps.list().all()).map(({ email }) => email)).toContain('waiting@example.com');
  });

  test('an account can be deleted by its name', async () => {
    const { account_id: id } = await operator.accounts.create({ name: 'Closing Ltd' });
    await expect(operator.accounts.delete(id, 'Closing')).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await operator.accounts.delete(id, 'Closing Ltd')).toMatchObject({ status: 'running' });
    await expect(operator.accounts.get(id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await operator.accountDeletions.get(id)).name).toBe('Closing Ltd');
    expect(await operator.accountDeletions.list({ limit: 1 }).all()).toHaveLength(1);
    const log = await operator.account(id).auditLog.list({ action: 'account.delete', actor: 'operator' }).all();
    expect(log).toHaveLength(1);
  });

  test('bulk changes can be created, followed and cancelled', async () => {
    const account = first();
    const action = { type: 'delete' } as const;
    const { bulk_change_id: id } = await account.bulkChanges.create({ contact_ids: [99], action, expected_count: 1 });
    expect((await account.bulkChanges.cancel(id)).status).toBe('cancelled');
    await using _jobs = service.startJobs();
    const next = await account.bulkChanges.create({ contact_ids: [98], action, expected_count: 1 });
    const done = await account.bulkChanges.wait(next.bulk_change_id, { interval: 10 });
    expect(done).toMatchObject({ status: 'completed', counts: { failed: 1 } });
    const failures = await account.bulkChanges.failures(next.bulk_change_id, { limit: 1 }).all();
    expect(failures.map(({ contact_id: contactId }) => contactId)).toEqual([98]);
    expect(await account.bulkChanges.list({ status: 'completed' }).all()).toHaveLength(1);
  });

  test('the data of a person can be exported and erased', async () => {
    const account = first();
    const created = await roster.contacts.create([{ identity: 'gone@example.com', attributes: { CITY: 'Ulm' } }]);
    await account.requests.wait(created.requests[0]!.request_id, { interval: 10 });
    const email = { field: 'email', operation: 'equals', value: ['gone@example.com'] };
    const search = { filtering_criteria: [{ condition_details: [email] }], output: { fields: ['contact_id'] } };
    const [row] = await roster.contacts.search(search).all();
    const contactId = Number(row!['contact_id']);
    const bundle = await account.contacts.export(contactId);
    expect(bundle).toMatchObject({ contact: { identity: 'gone@example.com' }, requests: [{}], complete: true });
    const { request_id: erasureId } = await account.contacts.erase(contactId);
    await using _jobs = service.startJobs();
    expect(await account.erasures.wait(erasureId, { interval: 10 })).toMatchObject({ erased: { items: 1 } });
    expect((await account.erasures.list().all()).map(({ request_id: id }) => id)).toEqual([erasureId]);
    expect(await account.forgotten.count()).toBe(1);
    expect(await account.forgotten.undo({ email: 'gone@example.com' })).toBe(1);
  });

  test('the statistics of an account are read', async () => {
    const account = first();
    const growth = await account.statistics.contacts();
    expect(growth).toMatchObject({ contacts: expect.any(Number), days: expect.any(Array) });
    const identity = 'statistics@example.com';
    const { requests } = await roster.contacts.create([{ identity }]);
    await account.requests.wait(requests[0]!.request_id, { interval: 10 });
    const sent = { identity, channel: 'email', activity: 'sent', message_id: 4713 } as const;
    const recorded = await account.activities.record([{ ...sent, occurred_at: new Date().toISOString() }]);
    await account.requests.wait(recorded.requests[0]!.request_id, { interval: 10 });
    expect((await account.statistics.activities({ message_id: 4713 })).totals).toMatchObject([{ sent: 1 }]);
    expect(await account.statistics.messages().all()).toContainEqual(expect.objectContaining({ message_id: 4713 }));
    const people = await account.statistics.people(4713, { activity: 'sent', limit: 1 }).all();
    expect(people).toMatchObject([{ identity, count: 1 }]);
    expect(await account.statistics.pipeline()).toMatchObject({ waiting_requests: 0 });
  });

  test('contacts are exported by a filter and by a schedule, and the running work is followed', async () => {
    const account = first();
    expect((await account.exports.preview({ filter: {}, attributes: ['EMAIL'] })).columns).toEqual(['EMAIL']);
    const made = await account.exports.create({ filter: {}, attributes: ['EMAIL'] });
    const { value: work } = await account.running.follow().next();
    expect(work).toContainEqual(expect.objectContaining({ kind: 'export', id: made.request_id }));
    expect(await account.running.list()).toContainEqual(expect.objectContaining({ id: made.request_id }));
    const timing = { every: 'week', weekdays: ['monday'], at: '06:30' } as const;
    const schedule = await account.exportSchedules.create({ name: 'Mondays', filter: {}, timing });
    const { schedule_id: id, version } = schedule;
    const changed = await account.exportSchedules.update(id, { paused: true }, { version });
    expect(changed).toMatchObject({ status: 'paused', version: version + 1 });
    await expect(account.exportSchedules.update(id, { paused: false }, { version })).rejects.toMatchObject({
      code: 'changed',
      current: { status: 'paused' },
    });
    expect(await account.exportSchedules.get(id)).toMatchObject({ name: 'Mondays' });
    expect(await account.exportSchedules.run(id)).toMatchObject({ by_hand: true });
    expect(await account.exportSchedules.runs(id).all()).toHaveLength(1);
    expect(await account.exportSchedules.list().all()).toHaveLength(1);
    await account.exportSchedules.delete(id);
  });

  test('the event feed is read and followed from any position', async () => {
    const { account_id: id } = await operator.accounts.create({ name: 'Feed' });
    const account = operator.account(id);
    await account.update({ settings: { events: true } });
    const { requests } = await account.asApiKey.contacts.create(people(3));
    await account.requests.wait(requests[0]!.request_id, { interval: 10 });
    const page = await account.events.read({ limit: 2 });
    expect([page.data.map(({ kind }) => kind), page.next_after, page.last_position]).toEqual([
      ['contact.created', 'contact.created'],
      2,
      3,
    ]);
    const ending = new AbortController();
    const positions: number[] = [];
    const following = (async () => {
      for await (const { position } of account.events.follow({
        after: 1,
        limit: 1,
        interval: 5,
        signal: ending.signal,
      })) {
        positions.push(position);
        if (position === 3) ending.abort(new Error('enough'));
      }
    })();
    await expect(following).rejects.toThrow('enough');
    expect(positions).toEqual([2, 3]);
  });

  test('an event subscription is created, tested, moved, changed and deleted', async () => {
    const { account_id: accountId } = await operator.accounts.create({ name: 'Subscribed' });
    const account = operator.account(accountId);
    await account.update({ settings: { events: true } });
    const { requests } = await account.asApiKey.contacts.create(people(3));
    await account.requests.wait(requests[0]!.request_id, { interval: 10 });
    const { eventSubscriptions: subscriptions } = account;
    const made = await subscriptions.create({ name: 'Warehouse', url: 'https://hooks.example.test/events' });
    const { subscription_id: id, version } = made;
    expect(made.secret).toMatch(/^whsec_/);
    expect(await subscriptions.update(id, { paused: true }, { version })).toMatchObject({ status: 'paused' });
    await expect(subscriptions.update(id, { paused: false }, { version })).rejects.toMatchObject({ status: 412 });
    expect(await subscriptions.replay(id, 1)).toMatchObject({ position: 1, lag: { events: 2 } });
    expect(await subscriptions.test(id)).toMatchObject({ delivered: false, error: { code: 'host_not_found' } });
    expect(await subscriptions.rotateSecret(id)).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
    const dead = await writeDeadLetter(service.context, accountId, id);
    expect(await subscriptions.get(id)).toMatchObject({ dead_letters: 1 });
    expect(await subscriptions.deliveries(id, { status: 'failed' }).all()).toMatchObject([{ delivery_id: dead }]);
    expect(await subscriptions.replayDelivery(id, dead)).toMatchObject({ status: 'pending', replayed: true });
    expect(await subscriptions.list().all()).toHaveLength(1);
    await subscriptions.delete(id);
    expect(await subscriptions.list().all()).toEqual([]);
  });

  test('views are saved, changed and deleted', async () => {
    const { views } = first();
    const view = await views.create({ name: 'Pune', page: 'contacts', state: { a: 1 }, shared: true });
    expect(await views.update(view.view_id, { name: 'Goa' }, { version: view.version })).toMatchObject({ name: 'Goa' });
    expect(await views.list({ page: 'contacts' }).all()).toMatchObject([{ name: 'Goa', state: { a: 1 } }]);
    await views.delete(view.view_id);
  });

  test('requests and their failures are read page by page', async () => {
    const account = first();
    const { requests } = await roster.contacts.update(people(1000).map(({ identity }) => ({ identity })));
    const id = requests[0]!.request_id;
    await account.requests.wait(id, { interval: 10 });
    const failures = await account.requests.failures(id).all();
    expect([failures.length, failures[999]]).toMatchObject([1000, { index: 999, code: 'contact_not_found' }]);
    expect((await account.requests.list({ limit: 3 }).all()).map((one) => one.request_id)).toContain(id);
  });

  test('people are invited, sign in, change their user, and are managed', async () => {
    const password = 'correct horse battery staple';
    const setUp = new URL(await operator.users.setUpLink()).hash.replace('#token=', '');
    const owner = browserClient();
    const asha = { name: 'Asha', email: 'asha@example.com', password };
    expect((await owner.signIn.setUp({ token: setUp, ...asha })).person?.name).toBe('Asha');
    const account = owner.account(1);
    const { link } = await account.invitations.create({ email: 'lena@example.com', role: 'viewer' });
    const withdrawn = await account.invitations.create({ email: 'noor@example.com', role: 'viewer' });
    expect(await account.invitations.list({ limit: 1 }).all()).toHaveLength(2);
    await account.invitations.delete(withdrawn.invitation_id);

    const lena = browserClient();
    const token = new URL(link!).hash.replace('#token=', '');
    expect((await lena.signIn.lookUpInvitation(token)).role).toBe('viewer');
    const { person } = await lena.signIn.acceptInvitation({ token, name: 'Lena', password });
    const userId = person!.user_id;
    await account.members.update(userId, { role: 'editor' });
    expect((await account.members.list().all()).map(({ role }) => role)).toEqual(['owner', 'editor']);
    expect((await lena.me.get()).accounts).toMatchObject([{ role: 'editor' }]);
    expect((await lena.me.update({ language: 'de' })).language).toBe('de');
    await lena.me.confirm({ password });
    await lena.me.changePassword('a new and longer password');

    const { secret } = await lena.me.authenticator.start();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    await lena.me.authenticator.remove();
    expect((await lena.me.passkeys.options()).options).toHaveProperty('challenge');
    expect(await lena.me.passkeys.list().all()).toEqual([]);
    const made = await lena.me.tokens.create({ name: 'Reports' });
    expect((await createOperatorClient({ url, token: made.token }).me.get()).name).toBe('Lena');
    expect(await lena.me.tokens.list().all()).toMatchObject([{ name: 'Reports' }]);
    await lena.me.tokens.delete(made.token_id);
    expect(await lena.me.sessions.list().all()).toMatchObject([{ is_current: true }]);
    await lena.me.sessions.endOthers();
    await lena.me.leave(1);
    await lena.signIn.out();
    expect((await lena.signIn.session()).person).toBeNull();

    await owner.users.update(userId, { is_disabled: true });
    await owner.users.update(userId, { is_disabled: false });
    await owner.users.endSessions(userId);
    await owner.users.removeSecondFactor(userId);
    const reset = new URL(await owner.users.passwordResetLink('lena@example.com')).hash.replace('#token=', '');
    await lena.signIn.completePasswordReset({ token: reset, password });
    await lena.signIn.requestPasswordReset('lena@example.com');
    expect(await lena.signIn.withPassword({ email: 'lena@example.com', password })).toEqual({ status: 'signed_in' });
    expect((await lena.signIn.passkeyOptions()).options).toHaveProperty('challenge');
    expect(await owner.users.list({ contains: 'LENA' }).all()).toMatchObject([{ user_id: userId, session_count: 1 }]);
    await owner.users.delete(userId);
    expect(await owner.users.list({ limit: 1 }).all()).toHaveLength(1);
  });

  // Most of them need the answer of a device. Their tests are in `test/users`. Older calls have a
  // file of their own.
  const testedElsewhere = [
    'addPasskey',
    'blacklistContacts',
    'confirmAuthenticator',
    'deletePasskey',
    'endOwnSession',
    'listAudiences',
    'removeMember',
    'sendSecondFactor',
    'signInWithPasskey',
  ];

  // A delivery is replayed in the tests of callbacks.
  test('the tests above call every operation on the data of an account, except replayDelivery', () => {
    const patterns = Object.entries(operations).map(
      ([id, { method, path: pattern }]) =>
        [id, new RegExp(`^${method} ${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const,
    );
    const missing = patterns
      .filter(([, pattern]) => ![...calledOperations].some((one) => pattern.test(one)))
      .map(([id]) => id);
    expect(missing.sort()).toEqual([...testedElsewhere, 'replayDelivery'].sort());
  });
});
