import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { deleteOldChanges } from '#features/live-segments/change-retention.ts';
import { followSegments, startFilling } from '#features/live-segments/follow-segments.ts';
import { stepLiveSegments } from '#features/live-segments/step.ts';
import { lockLane } from '#pipeline/queue/lane.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { follow, matchesOf, membersOf, replayedMembers } from './support.ts';
import { onEachServer } from '../support/cluster.ts';
import { lockWaits } from '../support/lock-waits.ts';

let account: TestAccount;
let now = new Date();
const service = await forFile(startTestService({ now: () => now }));
beforeEach(async () => {
  now = new Date();
  account = await service.createAccount();
  await account.operator('PATCH', '', { settings: { events: true } });
});

const create = (of: TestAccount, ...names: string[]) =>
  of.createContacts(names.map((name) => ({ identity: `${name}@example.com`, attributes: { CITY: 'Pune' } })));
async function liveSegment(of = account): Promise<number> {
  const filtering_criteria = [{ condition_details: [{ field: 'CITY', operation: 'equals', value: 'Pune' }] }];
  const { body } = await of.operator('POST', '/segments', { name: 'Live', live: true, filtering_criteria });
  return body.audience_id;
}
const members = (id: number, of = account) => membersOf(service.context, of.accountId, id);
const stateOf = async (id: number) => (await account.operator('GET', `/segments/${id}`)).body.live.state;

test('a step that is killed leaves nothing behind, and the next one does its work', async () => {
  const { context } = service;
  const { accountId } = account;
  const id = await liveSegment();
  await follow(context, accountId);
  await create(account, 'ada', 'bob');
  const before = (await account.operator('GET', '/event-feed')).body.last_position;
  await context.db.transaction().execute(async (trx) => {
    // The step waits for the position of its events, after it has written everything else.
    await sql`select from event_feeds where account_id = ${accountId} for update`.execute(trx);
    const step = stepLiveSegments(context, accountId);
    const killed = expect(step).rejects.toThrow();
    await expect
      .poll(async () => {
        const rows = await onEachServer(
          context.config.databaseUrl!,
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like '%event_feeds%'`,
        );
        return rows.length;
      })
      .toBe(1);
    await killed;
  });
  expect(await members(id)).toEqual([]);
  expect((await account.operator('GET', `/segments/${id}/changes`)).body.data).toEqual([]);
  await follow(context, accountId);
  expect(await members(id)).toEqual(await matchesOf(context, accountId, id));
  expect((await account.operator('GET', `/segments/${id}`)).body.live.member_count).toBe(2);
  expect((await replayedMembers(account)).get(id)).toHaveLength(2);
  expect((await account.operator('GET', '/event-feed')).body.last_position).toBe(before + 2);
});

test('a segment is not filled before all batches that were planned without it are committed', async () => {
  const { context } = service;
  const { accountId } = account;
  await create(account, 'ada');
  const id = await liveSegment();
  expect(await stepLiveSegments(context, accountId)).toMatchObject({ waiting: true });
  let filling: Promise<void> | undefined;
  await context.db.transaction().execute(async (trx) => {
    await lockLane(trx, accountId);
    filling = startFilling(context, accountId);
    await expect.poll(async () => (await context.pool.query(lockWaits)).rowCount).toBe(1);
    const row = await context.db
      .selectFrom('live_segments')
      .where('account_id', '=', accountId)
      .select('state')
      .executeTakeFirstOrThrow();
    expect(row.state).toBe('waiting');
  });
  await filling;
  await follow(context, accountId);
  expect(await members(id)).toHaveLength(1);
});

test('two processes that follow the same account do not get in the way of each other', async () => {
  const { context } = service;
  const { accountId } = account;
  const id = await liveSegment();
  await follow(context, accountId);
  await create(account, 'ada', 'bob', 'eve');
  const results = await Promise.all([1, 2, 3].map(() => stepLiveSegments(context, accountId)));
  expect(results.reduce((sum, { changes }) => sum + changes, 0)).toBe(3);
  expect(await members(id)).toHaveLength(3);
});

test('a segment whose filter no longer fits is broken until it does, and others are followed', async () => {
  const { context } = service;
  const other = await service.createAccount();
  await create(account, 'ada');
  const [id, otherId] = [await liveSegment(), await liveSegment(other)];
  await followSegments(context, new AbortController().signal);
  await follow(context, account.accountId);
  const rename = (from: string, to: string) =>
    context.db
      .updateTable('audiences')
      .where('account_id', '=', account.accountId)
      .where('audience_id', '=', id)
      .set({ filter: sql`replace(filter::text, ${from}, ${to})::jsonb` as never })
      .execute();
  const { attribute_id: city } = await context.db
    .selectFrom('attributes')
    .where('account_id', '=', account.accountId)
    .where('name', '=', 'CITY')
    .select('attribute_id')
    .executeTakeFirstOrThrow();
  await rename(`"attribute_id": ${city}`, '"attribute_id": 99999');
  await follow(context, account.accountId);
  expect(await stateOf(id)).toBe('broken');
  await create(account, 'bob');
  await create(other, 'zoe');
  for (let turn = 0; turn < 3; turn++) await followSegments(context, new AbortController().signal);
  expect(await members(otherId, other)).toHaveLength(1);
  expect(await members(id)).toHaveLength(1);
  await rename('"attribute_id": 99999', `"attribute_id": ${city}`);
  await follow(context, account.accountId);
  expect(await stateOf(id)).toBe('following');
  expect(await members(id)).toHaveLength(2);
});

test('an account that fails is tried again, and logs a warning once a minute', async () => {
  const { context } = service;
  await liveSegment();
  using clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const warned: number[] = [];
  const log = Object.assign(Object.create(context.log) as typeof context.log, {
    warn: (facts: { readonly account_id: number }) => void warned.push(facts.account_id),
  });
  let attempts = 0;
  const now = (): Date => {
    attempts += 1;
    throw new Error('no clock');
  };
  const failing = { ...context, log, now };
  const followAfter = async (milliseconds: number): Promise<void> => {
    clock.mockReturnValue(performance.now() + milliseconds);
    await followSegments(failing, new AbortController().signal);
  };
  for (let times = 0; times < 3; times++) await followAfter(2000);
  expect(attempts).toBeGreaterThanOrEqual(3);
  const times = () => warned.filter((id) => id === account.accountId).length;
  expect(times()).toBe(1);
  await followAfter(60_000);
  expect(times()).toBe(2);
});

test('entries and departures are kept as long as events, and members stay', async () => {
  const { context } = service;
  await create(account, 'ada');
  const id = await liveSegment();
  await follow(context, account.accountId);
  now = new Date(now.getTime() + 6 * 86_400_000);
  await create(account, 'bob');
  await follow(context, account.accountId);
  now = new Date(now.getTime() + 2 * 86_400_000);
  await deleteOldChanges(context, new AbortController().signal);
  expect((await account.operator('GET', `/segments/${id}/changes`)).body.data).toMatchObject([{ cause: 'changed' }]);
  expect(await members(id)).toHaveLength(2);
});

test('deleting an account deletes its live segments', async () => {
  await using _jobs = service.startJobs();
  const id = await liveSegment();
  await create(account, 'ada');
  await follow(service.context, account.accountId);
  expect(await members(id)).toHaveLength(1);
  const { body } = await account.operator('GET', '');
  const deleted = await account.operator('DELETE', `?name=${encodeURIComponent(body.name)}`);
  expect(deleted.status, JSON.stringify(deleted.body)).toBeLessThan(300);
  await follow(service.context, account.accountId);
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select from live_members where account_id = ${account.accountId}
        union all select from live_accounts where account_id = ${account.accountId}`.execute(service.context.db);
      return rows.length;
    })
    .toBe(0);
});
