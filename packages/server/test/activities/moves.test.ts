import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { moveActivities } from '#features/activities/moves/moves.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { contact, createContacts, keepsAll, record, recorded, stored } from './support.ts';

let account: TestAccount;
const service = await forFile(startTestService({ worker: false }));
beforeEach(async () => {
  account = await service.createAccount({ name: 'Moves', settings: keepsAll });
});

const identity = (name: string) => `${name}@example.com`;
const months = ['2026-01-15T00:00:00Z', '2026-02-15T00:00:00Z', '2026-03-15T00:00:00Z'];

/** Runs a worker until the queue is empty. */
async function applyAll(): Promise<void> {
  await using _worker = service.startWorker();
  await service.settled();
}

async function expectSuccess<T>(request: Promise<{ status: number; body: T }>): Promise<T> {
  const { status, body } = await request;
  expect(status).toBe(200);
  return body;
}

/** Records an activity in each of three months. */
const activities = (name: string, id = 'one') =>
  expectSuccess(
    account.operator('POST', '/activities', {
      data: months.map((occurred_at) => record({ identity: identity(name), occurred_at, id })),
    }),
  );
const create = (name: string) =>
  expectSuccess(
    account.v5('/contact/create', { data: { contact_type: 'identified', contacts: [{ identity: identity(name) }] } }),
  );
const remove = (name: string) =>
  expectSuccess(account.v5('/contact/delete', { data: { contacts: [{ identity: identity(name) }] } }));

async function rename(from: string, to: string): Promise<void> {
  const found = await contact(account, identity(from), 'contact_id');
  await expectSuccess(account.v5('/contact/update', { data: { contacts: [{ ...found, identity: identity(to) }] } }));
}

/** The number of stored activities for each name. */
async function countByName(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { contact_key: key } of await stored(service, account)) {
    const name = key.replace(/@.*/, '');
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const pendingMoves = async () =>
  Object.fromEntries(
    (
      await service.context.db
        .selectFrom('activity_moves')
        .where('account_id', '=', account.accountId)
        .selectAll()
        .execute()
    ).map((row) => [row.contact_key.replace(/@.*/, ''), row.target_key?.replace(/@.*/, '') ?? null]),
  );
const sweep = () => moveActivities(service.context, new AbortController().signal);

test('activities follow a contact to its new identity', async () => {
  await create('a');
  await activities('a');
  await activities('other');
  await applyAll();
  await rename('a', 'b');
  await applyAll();
  expect(await pendingMoves()).toEqual({ a: 'b' });
  await sweep();
  expect([await countByName(), await pendingMoves()]).toEqual([{ b: 3, other: 3 }, {}]);
});

test('activities are deleted with their contact', async () => {
  await create('a');
  await activities('a');
  await activities('other');
  await applyAll();
  await remove('a');
  await applyAll();
  expect(await pendingMoves()).toEqual({ a: null });
  await sweep();
  expect([await countByName(), await pendingMoves()]).toEqual([{ other: 3 }, {}]);
});

test('no move is recorded for an account without activities, nor for anonymous contacts', async () => {
  await create('a');
  await expectSuccess(
    account.v5('/contact/create', { data: { contact_type: 'anonymous', contacts: [{ mobile: '919812345678' }] } }),
  );
  await applyAll();
  await rename('a', 'b');
  await applyAll();
  expect(await pendingMoves()).toEqual({});
  await activities('c');
  await expectSuccess(account.v5('/contact/delete', { data: { contacts: [{ mobile: '919812345678' }] } }));
  await applyAll();
  expect(await pendingMoves()).toEqual({});
});

test('a second change of identity is added to a move that is not done yet', async () => {
  await create('a');
  await create('z');
  await activities('a');
  await activities('z');
  await applyAll();
  await rename('a', 'b');
  await applyAll();
  await rename('b', 'c');
  await rename('z', 'y');
  await applyAll();
  expect(await pendingMoves()).toEqual({ a: 'c', b: 'c', z: 'y' });
  await remove('c');
  await applyAll();
  expect(await pendingMoves()).toEqual({ a: null, b: null, c: null, z: 'y' });
  await sweep();
  expect([await countByName(), await pendingMoves()]).toEqual([{ y: 3 }, {}]);
});

test('changing an identity and changing it back leaves nothing to move', async () => {
  await create('a');
  await activities('a');
  await applyAll();
  await rename('a', 'b');
  await applyAll();
  await rename('b', 'a');
  await applyAll();
  expect(await pendingMoves()).toEqual({ b: 'a' });
  await sweep();
  expect([await countByName(), await pendingMoves()]).toEqual([{ a: 3 }, {}]);
});

test('a contact that takes a former identity does not get the activities of the contact that gave it up', async () => {
  await create('a');
  await activities('a');
  await applyAll();
  await rename('a', 'b');
  await applyAll();
  // The sweep has not run. Recording an activity for the identity completes the move first.
  await create('a');
  await activities('a', 'two');
  await applyAll();
  expect([await countByName(), await pendingMoves()]).toEqual([{ a: 3, b: 3 }, {}]);
});

test('a contact that is deleted and created again starts without activities', async () => {
  await create('a');
  await activities('a');
  await applyAll();
  await remove('a');
  await create('a');
  await activities('a');
  await applyAll();
  await sweep();
  const rows = await stored(service, account);
  expect(rows.map((row) => row.contact_key)).toEqual(Array.from({ length: 3 }, () => identity('a')));
});

test('within one batch, activities dated before a change of identity move with it, and later ones do not', async () => {
  await create('a');
  await activities('stranger');
  await applyAll();
  await activities('a', 'before');
  await rename('a', 'b');
  await activities('a', 'late');
  const after = new Date(Date.now() + 3_600_000).toISOString();
  await expectSuccess(
    account.operator('POST', '/activities', { data: [record({ identity: identity('a'), occurred_at: after })] }),
  );
  await activities('b', 'new');
  await activities('x', 'kept');
  await create('x');
  await remove('x');
  await applyAll();
  await sweep();
  expect([await countByName(), await pendingMoves()]).toEqual([{ a: 1, b: 9, stranger: 3 }, {}]);
});

test('a repeated record is recognised while the first one waits to be moved to the new identity', async () => {
  await create('a');
  await activities('a', 'same');
  await applyAll();
  await rename('a', 'b');
  await applyAll();
  const answer = await activities('b', 'same');
  await applyAll();
  const request = (await account.operator('GET', `/requests/${(answer as { request_id: string }).request_id}`)).body;
  expect(request.counts).toMatchObject({ created: 0, unchanged: 3 });
  expect(await countByName()).toEqual({ b: 3 });
});

test('activities stored for an identity without a contact join those of the contact that gets the identity', async () => {
  await create('a');
  await activities('a');
  await activities('b', 'kept');
  await applyAll();
  await rename('a', 'b');
  await applyAll();
  await sweep();
  expect(await countByName()).toEqual({ b: 6 });
});

test('many activities are moved in several steps, and a stop between the steps loses nothing', async () => {
  await create('a');
  await applyAll();
  const many = (from: number) =>
    Array.from({ length: 2500 }, (_, n) =>
      record({ identity: identity('a'), occurred_at: new Date(Date.parse(months[0]!) + from + n).toISOString() }),
    );
  {
    await using _worker = service.startWorker();
    for (const from of [0, 2500]) await recorded(service, account, many(from));
  }
  await rename('a', 'b');
  await applyAll();
  // The stop comes in the middle of the first step. That step is completed.
  const stopping = new AbortController();
  const db = new Proxy(service.context.db, {
    get(target, name) {
      if (name === 'transaction') stopping.abort();
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  await moveActivities({ ...service.context, db }, stopping.signal);
  expect([await countByName(), await pendingMoves()]).toEqual([{ a: 3000, b: 2000 }, { a: 'b' }]);
  await sweep();
  expect([await countByName(), await pendingMoves()]).toEqual([{ b: 5000 }, {}]);
});

test('moves of one account do not touch the activities of other accounts', async () => {
  await create('a');
  await activities('a');
  await applyAll();
  const other = await service.createAccount();
  {
    await using _worker = service.startWorker();
    await createContacts(other, identity('a'));
    await recorded(service, other, [record({ identity: identity('a') })]);
  }
  await remove('a');
  await applyAll();
  await sweep();
  expect(await stored(service, account)).toEqual([]);
  expect(await stored(service, other)).toHaveLength(1);
  const { rows } = await sql`select from activity_moves`.execute(service.context.db);
  expect(rows).toEqual([]);
});
