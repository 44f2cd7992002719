import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import type { FileStore } from '#platform/files/file-store.ts';
import { localFileStore } from '#platform/files/local-file-store.ts';
import { runExport } from '#features/exports/run/run-export.ts';
import { temporaryDirectory } from '../../../embedded-postgres/test/support.ts';
import { listExport, startExportService } from './export-service.ts';
import { onEachServer } from '../support/cluster.ts';
import { forFile } from '../support/for-file.ts';

// More than the buffers between PostgreSQL and the file hold.
const contacts = 40_000;
const list = 1;

/** While this is true, a file gets only its first chunk. */
let stalled = false;
/** The chunks that are written when the files continue. */
let heldWrites: (() => void)[] = [];

function resume(): void {
  stalled = false;
  for (const write of heldWrites.splice(0)) write();
}

const directory = await forFile(temporaryDirectory());
const exports = await forFile(
  startExportService({ jobs: false, exportFiles: stallingStore(localFileStore(directory.path)) }),
);
await exports.service.context.pool.query(
  `insert into contacts (account_id, contact_id, contact_key, contact_type, email, attributes, list_ids, created_at, updated_at)
     select 1, n, 'person' || n || '@example.com', 'identified', 'person' || n || '@example.com', '{"1.5": "0"}', '{1}', now(), now()
     from generate_series(1, $1::int) n`,
  [contacts],
);
await exports.service.context.pool.query('update audiences set member_count = $1', [contacts]);
beforeEach(() => {
  stalled = false;
  heldWrites = [];
});

function stallingStore(store: FileStore): FileStore {
  return {
    ...store,
    write: (key, options) =>
      store.write(key, { ...options, fill: async (sink) => options.fill(stalled ? stallingSink(sink) : sink) }),
  };
}

/** Takes one chunk at once, and the others when `resume` is called. */
function stallingSink(sink: Writable): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (stalled) heldWrites.push(() => sink.write(chunk, done));
      else sink.write(chunk, done);
    },
    final: (done) => void sink.end(done),
    destroy: (error, done) => {
      sink.destroy();
      done(error);
    },
  });
}

/** The number of exports that are reading from the database. */
async function runningCopies(): Promise<number> {
  const rows = await onEachServer(
    exports.service.context.config.databaseUrl!,
    `select pid from pg_stat_activity
     where datname = current_database() and state <> 'idle' and query ilike '%copy (%' and pid <> pg_backend_pid()`,
  );
  return rows.length;
}

async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function files(): Promise<string[]> {
  return readdir(path.join(directory.path, '1')).catch(() => []);
}

test('an operator sees the progress of an export, and can cancel it from another process', async () => {
  stalled = true;
  await using _jobs = exports.service.startJobs({ export: runExport });
  const requestId = await exports.accepted(listExport(list));
  await until(async () => (await exports.find(requestId)).rows_written > 0);
  const running = await exports.find(requestId);
  expect(running).toMatchObject({ status: 'running', rows_total: contacts, file_url: null, finished_at: null });
  expect(running.rows_written).toBeLessThan(contacts);
  expect(await files()).toEqual([`${requestId}-1.csv.part`]);
  expect(await runningCopies()).toBe(1);

  const began = performance.now();
  expect((await exports.account.operator('POST', `/exports/${requestId}/cancel`)).status).toBe(200);
  await until(async () => (await files()).length === 0 && (await runningCopies()) === 0);
  expect(performance.now() - began).toBeLessThan(5000);
  expect((await exports.find(requestId)).status).toBe('cancelled');

  // The slot of the cancelled export is free.
  stalled = false;
  const next = await exports.accepted(listExport(list));
  expect(await exports.rows(next)).toHaveLength(contacts + 1);
});

test('a stop interrupts an export and leaves no file, and the next process starts it over', async () => {
  stalled = true;
  const before = await files();
  const jobs = exports.service.startJobs({ export: runExport });
  const requestId = await exports.accepted(listExport(list));
  await until(async () => (await exports.find(requestId)).rows_written > 0);
  const began = performance.now();
  await jobs[Symbol.asyncDispose]();
  expect(performance.now() - began).toBeLessThan(6000);
  expect(await files()).toEqual(before);
  expect((await exports.find(requestId)).status).toBe('running');

  stalled = false;
  await using _jobs = exports.service.startJobs({ export: runExport });
  expect(await exports.rows(requestId)).toHaveLength(contacts + 1);
  expect(await files()).toContain(`${requestId}-2.csv`);
});

test('an export whose database connection breaks leaves no file, and runs again', async () => {
  stalled = true;
  await using _jobs = exports.service.startJobs({ export: runExport });
  const requestId = await exports.accepted(listExport(list));
  await until(async () => (await exports.find(requestId)).rows_written > 0);
  const ended = await onEachServer(
    exports.service.context.config.databaseUrl!,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and state <> 'idle' and query ilike '%copy (%' and pid <> pg_backend_pid()`,
  );
  expect(ended).toHaveLength(1);
  resume();
  expect(await exports.rows(requestId)).toHaveLength(contacts + 1);
  expect((await files()).filter((file) => file.startsWith(requestId))).toEqual([`${requestId}-2.csv`]);
});

test('a list that is deleted during an export is exported as it was at the start', async () => {
  const { pool } = exports.service.context;
  const { audience_id: gone } = (await exports.account.operator('POST', '/lists', { name: 'Gone soon' })).body;
  await pool.query('update contacts set list_ids = list_ids || $1::int where account_id = 1', [gone]);
  stalled = true;
  await using _jobs = exports.service.startJobs({ export: runExport });
  const requestId = await exports.accepted(listExport(gone));
  await until(async () => (await exports.find(requestId)).rows_written > 0);
  expect((await exports.account.operator('DELETE', `/lists/${gone}`)).status).toBe(204);
  await pool.query('update contacts set list_ids = array_remove(list_ids, $1::int) where account_id = 1', [gone]);
  resume();
  expect(await exports.rows(requestId)).toHaveLength(contacts + 1);
});

test('two exports run at the same time, and a third one waits', async () => {
  stalled = true;
  await using _jobs = exports.service.startJobs({ export: runExport });
  const ids = [];
  for (let count = 0; count < 3; count++) ids.push(await exports.accepted(listExport(list)));
  await until(async () => (await runningCopies()) === 2);
  expect((await exports.find(ids[2]!)).status).toBe('accepted');
  for (const id of ids.slice(0, 2)) await exports.account.operator('POST', `/exports/${id}/cancel`);
  stalled = false;
  expect(await exports.rows(ids[2]!)).toHaveLength(contacts + 1);
});

test('a file shows the contacts at one moment, even if they change meanwhile', async () => {
  const { pool } = exports.service.context;
  await using _jobs = exports.service.startJobs({ export: runExport });
  const enough = new AbortController();
  const changes = (async () => {
    for (let version = 1; !enough.signal.aborted; version++) {
      // Each statement changes all contacts at once: every contact gets the version, and one
      // contact is added.
      await pool.query(
        `with changed as (update contacts set attributes = jsonb_build_object('1.5', $1::text) returning 1)
         insert into contacts (account_id, contact_id, contact_key, contact_type, attributes, list_ids, created_at, updated_at)
         values (1, 1000000 + $1::int, 'new' || $1, 'identified', jsonb_build_object('1.5', $1::text), '{1}', now(), now())`,
        [String(version)],
      );
    }
  })();
  try {
    for (let count = 0; count < 4; count++) {
      const rows = await exports.rows(
        await exports.accepted(listExport(list, { attributes_needed: ['contact_id', 'CITY'] })),
      );
      const [, ...data] = rows;
      const versions = new Set(data.map(([, version]) => version));
      expect(versions.size).toBe(1);
      expect(data).toHaveLength(contacts + Number([...versions][0]));
      const ids = data.map(([id]) => Number(id));
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
    }
  } finally {
    enough.abort();
    await changes;
  }
});
