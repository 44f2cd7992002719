import { sql } from 'kysely';
import pino from 'pino';
import { expect, test } from 'vitest';
import { features } from '#app/features.ts';
import { startUpkeep } from '#app/worker/upkeep.ts';
import type { Feature } from '#platform/feature.ts';
import { clocksAgree } from '#platform/loops/clocks-agree.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Every task that deletes data because of its age. Another task must not do that. */
const deleting = new Set([
  'accounts: forgetOldDays',
  'activities: applyRetention',
  'activities: keepSummaries',
  'bulk-changes: deleteOldBulkChanges',
  'callbacks: deleteOldDeliveries',
  'event-subscriptions: deleteOldDeliveriesOfEvents',
  'events: deleteOldEvents',
  'exports: deleteExpiredFiles',
  'exports: deleteOldExports',
  'exports: deleteOldRuns',
  'imports: importUpkeep',
  'live-segments: deleteOldChanges',
  'mails: deleteOldMails',
  'sign-ups: run',
  'users: forgetEndedSessions',
  'users: forgetOldLimits',
  'users: forgetOldResets',
  'users: forgetOldSteps',
]);

const lines: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
const service = await forFile(startTestService({ log }));

/** The features with tasks that only note that they ran. */
function noting(ran: Set<string>): Feature[] {
  return features.map((feature) => ({
    ...feature,
    upkeep: (feature.upkeep ?? []).map((task) => ({
      ...task,
      run: async () => void ran.add(`${feature.name}: ${task.run.name}`),
    })),
  }));
}

const allTasks = features.flatMap(({ name, upkeep = [] }) => upkeep.map(({ run }) => `${name}: ${run.name}`));

/** Runs all tasks with a clock that is wrong by `milliseconds`, and returns those that ran. */
async function tasksThatRun(milliseconds: number, count: number): Promise<string[]> {
  const ran = new Set<string>();
  const now = () => new Date(Date.now() + milliseconds);
  await using _upkeep = startUpkeep({ ...service.context, now, features: noting(ran) });
  await expect.poll(() => ran.size).toBe(count);
  return [...ran].toSorted();
}

test.each([2500 * day, -2500 * day, 2 * hour, -2 * hour])(
  'no task deletes by age while the clock of the process is %i ms ahead of that of the database',
  async (milliseconds) => {
    const others = allTasks.filter((task) => !deleting.has(task));
    expect(await tasksThatRun(milliseconds, others.length)).toEqual(others.toSorted());
  },
);

test.each([0, 50 * 60_000, -50 * 60_000])(
  'every task runs while the clock of the process is %i ms ahead of that of the database',
  async (milliseconds) => {
    expect(await tasksThatRun(milliseconds, allTasks.length)).toEqual(allTasks.toSorted());
  },
);

test('a wrong clock is logged once with what to do, not for each task', async () => {
  lines.length = 0;
  // The warnings are counted for each pool of connections.
  await using other = await startTestService({ log: service.context.log, worker: false });
  const context = { ...other.context, now: () => new Date(Date.now() + 2500 * day) };
  expect([await clocksAgree(context), await clocksAgree(context)]).toEqual([false, false]);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ hours: 60_000, msg: expect.stringContaining('set both clocks with NTP') as string }),
  ]);
});

test('the other tasks delete nothing with a clock that is years ahead', async () => {
  const { context, first } = service;
  await first.operator('PATCH', '', { settings: { events: true } });
  await first.createContacts([{ identity: 'asha@example.com' }, { identity: 'mina@example.com' }]);
  const third = { data: { contact_type: 'identified', contacts: [{ identity: 'joe@example.com' }] } };
  expect((await first.v5('/contact/create', third, { 'idempotency-key': 'one' })).status).toBe(200);
  const sent = {
    identity: 'asha@example.com',
    channel: 'email',
    activity: 'sent',
    occurred_at: new Date().toISOString(),
  };
  expect((await first.operator('POST', '/activities', { data: [sent] })).status).toBe(200);
  await service.settled();
  const now = () => new Date(Date.now() + 2500 * day);
  const before = await rowCounts();
  const { signal } = new AbortController();
  for (const { name, upkeep = [] } of features) {
    for (const { run, deletesByAge } of upkeep) {
      expect(deletesByAge === true, `${name}: ${run.name}`).toBe(deleting.has(`${name}: ${run.name}`));
      if (deletesByAge !== true) await run({ ...context, now }, signal);
    }
  }
  for (const table of ['contacts', 'activities', 'idempotency_keys', 'event_groups', 'request_results'])
    expect(before.get(table), table).toBeGreaterThan(0);
  {
    // The tasks that are not of a feature, such as the partitions of requests. The end waits for them.
    await using _upkeep = startUpkeep({ ...context, now, features: [] });
  }
  const after = await rowCounts();
  for (const [table, rows] of before) expect(after.get(table), table).toBeGreaterThanOrEqual(rows);

  async function rowCounts(): Promise<ReadonlyMap<string, number>> {
    const { rows: tables } = await sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(context.db);
    const counts = new Map<string, number>();
    for (const { name } of tables) {
      const { rows } = await sql<{ rows: number }>`
        select count(*)::int as rows from ${sql.id(name)} /* all accounts */`.execute(context.db);
      counts.set(name, rows[0]!.rows);
    }
    return counts;
  }
});
