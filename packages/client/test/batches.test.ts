import { describe, expect, test } from 'vitest';
import { createClient, RosterError, type AcceptedBatch } from '../src/index.ts';
import { startScriptedServer, type Received, type Step } from './scripted-server.ts';

const contactsOf = ({ body }: Received): { identity: string }[] =>
  (JSON.parse(body) as { data: { contacts: { identity: string }[] } }).data.contacts;
const accept = (received: Received): Step => ({
  status: 200,
  body: { request_id: contactsOf(received)[0]!.identity, code: 200, status: 'success', description: '' },
});
function* people(count: number): Generator<{ identity: string }> {
  for (let at = 0; at < count; at++) yield { identity: `p${at}` };
}

describe('the batches of the client', () => {
  test('any kind of source is sent in order, in batches of 1,000 items', async () => {
    async function* later() {
      yield* people(2500);
    }
    for (const source of [[...people(2500)], people(2500), later()]) {
      await using server = await startScriptedServer(accept);
      const accepted = await createClient({ url: server.url, apiKey: 'key' }).contacts.create(source);
      expect(accepted).toEqual({
        count: 2500,
        requests: [
          { request_id: 'p0', first: 0, count: 1000 },
          { request_id: 'p1000', first: 1000, count: 1000 },
          { request_id: 'p2000', first: 2000, count: 500 },
        ],
      });
      expect(server.received.flatMap(contactsOf)).toEqual([...people(2500)]);
    }
  });

  test('with `wait`, the service may wait with each answer, and the requests have their outcomes', async () => {
    const outcome = { status: 'done', finished_at: '2026-01-31T09:00:00.000Z' };
    const applied = (received: Received): Step => ({
      status: 200,
      body: { request_id: contactsOf(received)[0]!.identity, code: 200, status: 'success', description: '', outcome },
    });
    await using server = await startScriptedServer(applied, accept);
    const roster = createClient({ url: server.url, apiKey: 'key' });
    const { requests } = await roster.contacts.create(people(1001), { wait: 7 });
    expect(requests).toEqual([
      { request_id: 'p0', first: 0, count: 1000, outcome },
      { request_id: 'p1000', first: 1000, count: 1 },
    ]);
    expect(server.received.map(({ headers }) => headers['prefer'])).toEqual(['wait=7', 'wait=7']);
    await roster.contacts.create(people(1));
    expect(server.received[2]!.headers['prefer']).toBeUndefined();
  });

  test('an empty source sends no request', async () => {
    await using server = await startScriptedServer(accept);
    const roster = createClient({ url: server.url, apiKey: 'key' });
    expect(await roster.contacts.create([])).toEqual({ count: 0, requests: [] });
    expect(server.received).toEqual([]);
  });

  test('large items make smaller batches', async () => {
    await using server = await startScriptedServer(accept);
    const notes = 'x'.repeat(60_000);
    const contacts = Array.from({ length: 100 }, (_, at) => ({ identity: `p${at}`, attributes: { NOTES: notes } }));
    const { requests } = await createClient({ url: server.url, apiKey: 'key' }).contacts.create(contacts);
    expect(requests.map(({ count }) => count)).toEqual([83, 17]);
  });

  test('the client reads only as much of the source as it sends', async () => {
    await using server = await startScriptedServer({ status: 400, body: { description: 'no' } });
    let read = 0;
    let closed = false;
    async function* endless() {
      try {
        for (;;) yield { identity: `p${read++}` };
      } finally {
        closed = true;
      }
    }
    await expect(createClient({ url: server.url, apiKey: 'key' }).contacts.create(endless())).rejects.toThrow('no');
    expect([read, closed]).toEqual([1001, true]);
  });

  test('an error says which batch failed, and which were accepted before', async () => {
    await using server = await startScriptedServer(accept, accept, {
      status: 400,
      body: {
        request_id: 'r3',
        code: 400,
        status: 'error',
        description: 'data.contacts[3].email must be an e-mail address',
        errors: [{ code: 'invalid_format', field: 'data.contacts[3].email', message: 'must be an e-mail address' }],
      },
    });
    const told: AcceptedBatch[] = [];
    const error: unknown = await createClient({ url: server.url, apiKey: 'key' })
      .contacts.create(people(5000), { onAccepted: (batch) => told.push(batch) })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RosterError);
    expect(error).toMatchObject({
      code: 'invalid_request',
      requestId: 'r3',
      operation: 'createContacts',
      faults: [{ code: 'invalid_format', field: 'data.contacts[3].email' }],
      batch: { first: 2000, count: 1000, accepted: told },
    });
    expect(String(error)).toContain('data.contacts[3].email must be an e-mail address');
    expect(told.map(({ first }) => first)).toEqual([0, 1000]);
    expect(server.received).toHaveLength(3);
  });

  test("several batches can be sent at the same time, and the caller's idempotency key gets a number for each", async () => {
    await using server = await startScriptedServer(accept);
    const roster = createClient({ url: server.url, apiKey: 'key' });
    const options = { concurrency: 3, idempotencyKey: 'night-17' };
    const { requests, count } = await roster.contacts.create(people(4500), options);
    expect([count, requests.map(({ first }) => first)]).toEqual([4500, [0, 1000, 2000, 3000, 4000]]);
    const keys = server.received.map(
      (received) => `${contactsOf(received)[0]!.identity} ${String(received.headers['idempotency-key'])}`,
    );
    expect(keys.sort()).toEqual([
      'p0 night-17-0',
      'p1000 night-17-1',
      'p2000 night-17-2',
      'p3000 night-17-3',
      'p4000 night-17-4',
    ]);
    await expect(roster.contacts.create([], { concurrency: 0 })).rejects.toThrow('positive integer');
  });
});
