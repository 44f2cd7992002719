import { createOperatorClient, type RunningWork } from '@roster/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { streamLimits } from '#features/running-work/stream-limits.ts';
import { startExportService, type ExportService } from '../exports/export-service.ts';
import { testAdminToken } from '../support/context.ts';
import { listening } from '../support/listening.ts';
import { goodPassword, openBrowser } from '../users/support.ts';

let exports: ExportService;
let url: string;

beforeEach(async () => {
  exports = await startExportService({ jobs: false });
  url = await listening(exports.service);
});
afterEach(() => exports[Symbol.asyncDispose]());

const bearer = { authorization: `Bearer ${testAdminToken}` };

async function open(headers: Record<string, string> = bearer, accountId = 1): Promise<Response> {
  return fetch(`${url}/admin/v1/accounts/${accountId}/events`, { headers });
}

/** Reads server-sent events, one call for each event with data. */
function eventsOf(response: Response): { next(): Promise<RunningWork[] | undefined>; close(): Promise<void> } {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end !== -1) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          const data = /^data: (.*)$/m.exec(block)?.[1];
          if (data !== undefined) return (JSON.parse(data) as { data: RunningWork[] }).data;
          continue;
        }
        const { done, value } = await reader.read();
        if (done) return undefined;
        text += value;
      }
    },
    close: () => reader.cancel(),
  };
}

const create = async (): Promise<string> =>
  (await exports.account.operator('POST', '/exports', { audience_type: 'list', audience_id: 1 })).body.request_id;

describe('the running work', () => {
  test('the list has waiting, running and just ended work, and nothing of other accounts', async () => {
    const waiting = await create();
    const ended = await create();
    await exports.account.operator('POST', `/exports/${ended}/cancel`);
    const { body } = await exports.account.operator('GET', '/running');
    expect(body.data).toMatchObject([
      { kind: 'export', id: ended, status: 'cancelled', title: 'First list', error: expect.any(String) },
      { kind: 'export', id: waiting, status: 'waiting', percent: null, started_at: null, finished_at: null },
    ]);
    const other = await exports.service.createAccount();
    expect((await other.operator('GET', '/running')).body.data).toEqual([]);
  });

  test('an import, an erasure and an attribute index are shown with their progress', async () => {
    const { account, service } = exports;
    await account.createContacts([{ identity: 'a@example.com' }]);
    const [row] = await account.rows({ output: { fields: ['contact_id'] } });
    const contact = Number(row!['contact_id']);
    await account.operator('DELETE', `/contacts/${contact}?mode=erase`);
    await service.settled();
    const { data } = (await account.operator('GET', '/attributes')).body;
    const text = data.find((one: { data_type: string }) => one.data_type === 'text');
    const indexed = await account.operator('PATCH', `/attributes/${text.id}`, { indexed: true });
    expect(indexed).toMatchObject({ status: 200, body: { index_status: 'building' } });
    const made = (await account.operator('POST', '/imports', { file_name: 'people.csv' })).body;
    await service.call('PUT', `/admin/v1/accounts/1/imports/${made.import_id}/file`, {
      body: Buffer.from('EMAIL\nb@example.com\n'),
      headers: { ...bearer, 'content-type': 'text/csv' },
    });
    const found: RunningWork[] = (await account.operator('GET', '/running')).body.data;
    expect(found.map(({ kind, title, status }) => `${kind} ${title} ${status}`).sort()).toEqual([
      `attribute_index ${text.name} waiting`,
      `erasure contact ${contact} running`,
      'import people.csv waiting',
    ]);
  });

  test('a caller sees only the work that the permissions of the caller allow', async () => {
    await create();
    const scopes = ['imports:read', 'contacts:read'];
    const key = (await exports.account.operator('POST', '/api-keys', { name: 'k', scopes })).body.api_key;
    const answer = await exports.service.call('GET', '/admin/v1/accounts/1/running', { headers: { 'api-key': key } });
    // The permission account:read is only for people and the operator token.
    expect(answer.status).toBe(403);
  });
});

describe('the events of the running work', () => {
  test('the first event has the full state, and each change sends another', async () => {
    const first = await create();
    const response = await open();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    const events = eventsOf(response);
    expect(await events.next()).toMatchObject([{ id: first, status: 'waiting' }]);
    await exports.account.operator('POST', `/exports/${first}/cancel`);
    expect(await events.next()).toMatchObject([{ id: first, status: 'cancelled' }]);
    await events.close();
  });

  test('events are not compressed, even for clients that accept it', async () => {
    const response = await open({ ...bearer, 'accept-encoding': 'gzip' });
    expect(response.headers.get('content-encoding')).toBeNull();
    await response.body!.cancel();
  });

  test('an account that does not exist, and a wrong credential, get an error and no stream', async () => {
    expect((await open(bearer, 999)).status).toBe(404);
    expect((await open({ authorization: 'Bearer nobody' })).status).toBe(401);
  });

  test('a caller can have only some streams, and closing one makes room', async () => {
    const streams: Response[] = [];
    for (let count = 0; count < streamLimits.perCaller; count++) streams.push(await open());
    const refused = await open();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect((await refused.json()) as object).toMatchObject({ status: 'error' });
    await streams[0]!.body!.cancel();
    let next = await open();
    while (next.status === 429) next = await open();
    expect(next.status).toBe(200);
    for (const response of [next, ...streams.slice(1)]) await response.body!.cancel();
  });

  test('a HEAD request opens no stream', async () => {
    const head = () => fetch(`${url}/admin/v1/accounts/1/events`, { method: 'HEAD', headers: bearer });
    for (let count = 0; count < streamLimits.perCaller; count++) {
      const { status, headers } = await head();
      expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    }
    const response = await open();
    expect(response.status).toBe(200);
    await response.body!.cancel();
  });

  test('a member who was removed gets no more events, and the stream ends', async () => {
    const invited = await exports.account.operator('POST', '/invitations', { email: 'a@example.com', role: 'admin' });
    const token = invited.body.link.split('#token=')[1];
    const browser = openBrowser(exports.service);
    const body = { token, name: 'A', password: goodPassword };
    const { user_id: userId } = (await browser.send('POST', '/invitations/accept', body)).body.person;
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const events = eventsOf(await open({ cookie, 'sec-fetch-site': 'same-origin' }));
    const operatorEvents = eventsOf(await open());
    expect([await events.next(), await operatorEvents.next()]).toEqual([[], []]);
    expect((await exports.account.operator('DELETE', `/members/${userId}`)).status).toBe(204);
    const id = await create();
    expect(await operatorEvents.next()).toMatchObject([{ id }]);
    expect(await events.next()).toBeUndefined();
    await operatorEvents.close();
  });

  test('a stop of the service ends the streams', async () => {
    const events = eventsOf(await open());
    expect(await events.next()).toEqual([]);
    await Promise.all([exports.service.app.close(), expect(events.next()).resolves.toBeUndefined()]);
  });

  test('the client follows the work, and connects again after the stream ends', async () => {
    const first = await create();
    const operator = createOperatorClient({ url, token: testAdminToken });
    const ending = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      for await (const work of operator.account(1).running.follow({ signal: ending.signal })) {
        seen.push(work.map(({ status }) => status).join());
        if (seen.length === 1) await operator.account(1).exports.cancel(first);
        if (seen.at(-1) === 'cancelled') return;
      }
    })();
    await following;
    expect(seen).toEqual(['waiting', 'cancelled']);
    expect(await operator.account(1).running.list()).toMatchObject([{ id: first }]);
    await expect(operator.account(999).running.follow().next()).rejects.toMatchObject({ status: 404 });
    ending.abort();
  });
});
