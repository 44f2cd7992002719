import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { importRuns as runs } from '#features/imports/store/import-store.ts';
import { addJobs } from '#platform/jobs/jobs.ts';
import { abandonedRuns } from '#platform/long-runs/abandoned.ts';
import { RunOver, type LongRun, type LongRunKey } from '#platform/long-runs/long-runs.ts';
import { runLongJob } from '#platform/long-runs/run-job.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

let now = Date.now();
let key: LongRunKey;

const service = await forFile(startTestService({ now: () => new Date(now) }));

beforeEach(async () => {
  const { body } = await service.first.operator('POST', '/imports', {});
  key = { accountId: service.first.accountId, id: body.import_id };
  await service.context.db.updateTable('imports').where('import_id', '=', key.id).set({ status: 'accepted' }).execute();
});

const ended = { status: 'cancelled', finished_at: new Date(0) } as const;

async function begun(): Promise<LongRun> {
  const row = await runs.begin(service.context.db, key, new Date(now), {});
  return { ...key, run: row!.run };
}

describe('a run of long work', () => {
  test('can write only while it is the newest run', async () => {
    const { db } = service.context;
    const first = await begun();
    await runs.note(db, first, { rows_read: 5 });
    const second = await begun();
    await expect(runs.note(db, first, { rows_read: 6 })).rejects.toBeInstanceOf(RunOver);
    await expect(runs.requireRunning(db, first)).rejects.toBeInstanceOf(RunOver);
    expect(await runs.end(db, first, ended)).toBeUndefined();
    expect(await runs.requireRunning(db, second)).toMatchObject({ rows_read: 5, run: 2, status: 'running' });
    expect(await runs.end(db, second, ended)).toMatchObject({ status: 'cancelled' });
  });

  test('ends once, and no run begins after the end', async () => {
    const { db } = service.context;
    const run = await begun();
    expect(await runs.endUnfinished(db, key, ended, 'awaiting_file')).toBeUndefined();
    expect(await runs.endUnfinished(db, key, ended)).toMatchObject({ status: 'cancelled' });
    expect(await runs.endUnfinished(db, key, ended)).toBeUndefined();
    expect(await runs.end(db, run, ended)).toBeUndefined();
    expect(await runs.begin(db, key, new Date(now), {})).toBeUndefined();
  });

  test('keeps the time at which the first run began', async () => {
    const at = new Date(now);
    await begun();
    now += 1000;
    await begun();
    expect(await runs.find(service.context.db, key)).toMatchObject({ run: 2, started_at: at });
  });
});

describe('the job of long work', () => {
  /** Runs the job with `work`, and returns the names of the callbacks that were called. */
  async function stepsOf(
    work: (run: LongRun) => Promise<unknown>,
    { attempt = 1, signal = new AbortController().signal } = {},
  ): Promise<string[]> {
    const steps: string[] = [];
    const note = (step: string) => async () => void steps.push(step);
    await runLongJob(
      service.context,
      runs,
      key,
      { signal, attempt, maxAttempts: 3 },
      {
        begin: {},
        work: async (_row, run) => void (await work(run)),
        settle: note('settle'),
        over: note('over'),
        finalFailure: (error) => (error instanceof RangeError ? error : undefined),
        fail: async (_run, failure) => void steps.push(failure === undefined ? 'fail' : `fail: ${failure.message}`),
      },
    ).catch((error: Error) => void steps.push(`throw: ${error.message}`));
    return steps;
  }
  function fails(reason: Error): () => Promise<never> {
    return async () => {
      throw reason;
    };
  }
  const cancel = (): Promise<unknown> => runs.endUnfinished(service.context.db, key, ended);

  test('runs again after a failure, until the last attempt fails', async () => {
    expect(await stepsOf(fails(new Error('away')))).toEqual(['throw: away']);
    expect(await stepsOf(fails(new Error('away')), { attempt: 3 })).toEqual(['fail', 'settle']);
  });

  test('fails at once when another attempt would not help', async () => {
    expect(await stepsOf(fails(new RangeError('too large')))).toEqual(['fail: too large', 'settle']);
  });

  test('throws after a stop, so that the next process runs it again', async () => {
    const signal = AbortSignal.abort(new Error('the process stops'));
    expect(await stepsOf(fails(new RangeError('aborted')), { signal, attempt: 3 })).toEqual([
      'throw: the process stops',
    ]);
  });

  test('does not fail work that was cancelled or that another process runs', async () => {
    const takeOver = async (): Promise<never> => {
      await begun();
      throw new RangeError('too large');
    };
    expect(await stepsOf(takeOver)).toEqual(['over']);
    const noteAfterCancel = async (run: LongRun): Promise<void> => {
      await cancel();
      await runs.note(service.context.db, run, { rows_read: 1 });
    };
    expect(await stepsOf(noteAfterCancel)).toEqual(['over']);
  });

  test('only settles work that has already ended', async () => {
    await cancel();
    expect(await stepsOf(fails(new Error('not run')))).toEqual(['settle']);
  });
});

test('long work counts as abandoned when it has no job and is older than a minute', async () => {
  const found = async (signal = new AbortController().signal): Promise<string[]> => {
    const ids: string[] = [];
    for await (const row of abandonedRuns(service.context, runs, signal)) ids.push(row.import_id);
    return ids;
  };
  const before = now;
  expect(await found()).not.toContain(key.id);
  now = before + 60_001;
  expect(await found()).toContain(key.id);
  expect(await found(AbortSignal.abort())).toEqual([]);
  now = before;
});

test('abandoned work is found behind a hundred older imports of another account that still wait', async () => {
  const other = await service.createAccount();
  const { body } = await other.operator('POST', '/imports', {});
  const { db } = service.context;
  await sql`
    insert into imports (account_id, import_id, status, given, mode, blank_cells, audience_ids, unknown_columns, dry_run, created_at)
    select account_id, ('00000000-0000-7000-8000-' || lpad(copy::text, 12, '0'))::uuid, 'accepted', given, mode, blank_cells,
      audience_ids, unknown_columns, dry_run, created_at - interval '1 hour'
    from imports, generate_series(1, 250) as copy where import_id = ${body.import_id}`.execute(db);
  const { rows: waiting } = await sql<{ id: string }>`
    select import_id as id from imports where account_id = ${other.accountId} and status = 'accepted'`.execute(db);
  await addJobs(
    db,
    'import',
    waiting.map(({ id }) => ({ payload: { account_id: other.accountId, import_id: id }, key: id })),
  );
  const found: string[] = [];
  const later = { db, now: () => new Date(now + 60_001) };
  for await (const row of abandonedRuns(later, runs, new AbortController().signal)) found.push(row.import_id);
  expect(found).toContain(key.id);
  expect(found).not.toContain(waiting[0]!.id);
});

test('recent work has only the columns that are asked for, because others can have megabytes', async () => {
  const { accountId } = service.first;
  const rows = await runs.listRecent(service.context.db, accountId, new Date(0), ['import_id', 'status']);
  expect(rows).toContainEqual({ import_id: key.id, status: 'accepted', finished_at: null });
});
