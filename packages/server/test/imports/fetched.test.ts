import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Import } from '@roster/contract';
import { sql } from 'kysely';
import pino from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '@roster/embedded-postgres';
import { parseAllowList } from '#platform/config/allow-list.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import { fetchFile, FetchOver, usualLimits } from '#features/imports/fetch/fetch-file.ts';
import { fetchImportWith } from '#features/imports/fetch/fetch-import.ts';
import { settle } from '#features/imports/run/end-import.ts';
import { beginFetch } from '#features/imports/store/import-store.ts';
import { importUpkeep } from '#features/imports/upkeep/import-upkeep.ts';
import { closedPort, startRaw, startReceiver, trustReceivers, type Answer } from '../callbacks/receiver.ts';
import { loopback } from '../callbacks/support.ts';
import { RosterProcess } from '../crash/roster-process.ts';
import { until } from '../crash/wait.ts';
import { testLayout } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import type { TestAccount } from '../support/service.ts';
import { startImportService } from './import-service.ts';

const never = new AbortController().signal;
const csv = 'EMAIL,First name,SHOE_SIZE\nasha@example.com,Asha,38\nbroken,Omar,41\n';
const allowed = { callbackAllow: parseAllowList('files.test,other.test,receiver.test'), importFileMb: 1 };
const lines: string[] = [];

let account: TestAccount;
/** What the server of the files answers. */
let answer: Answer;

trustReceivers();
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
const imports = await forFile(startImportService({ resolveHost: loopback, config: allowed, log }));
const server = await forFile(startReceiver((response, request) => answer(response, request)));
beforeEach(async () => {
  account = await imports.service.createAccount({ name: 'Fetching' });
  answer = (response) => void response.end(csv);
});

async function rejected(error: Error): Promise<never> {
  throw error;
}

function urlOf(path = '/customers.csv', host = 'files.test'): string {
  return `http://${host}:${server.port}${path}`;
}

/** Creates an import that fetches a file. */
async function create(source_url = urlOf(), body: object = {}): Promise<Import> {
  return imports.create({ source_url, unknown_columns: 'skip', ...body }, account);
}

/** Waits until an import has ended, and skips the pauses between its attempts. */
async function ended({ import_id }: Import): Promise<Import> {
  return until('the import has ended', 25_000, async () => {
    await skipPause(import_id);
    const found = await imports.find(import_id, account);
    if (found.finished_at === null) return undefined;
    return imports.ended(import_id, account);
  });
}

/** Ends the pause before the next attempt to fetch a file. */
async function skipPause(importId: string): Promise<void> {
  await sql`
    select roster_jobs.reschedule_jobs(array_agg(id), now()) from roster_jobs._private_jobs
    where payload->>'import_id' = ${importId} and locked_at is null and run_at > now()`.execute(
    imports.service.context.db,
  );
}

async function mailsOf(of = account): Promise<{ subject: string; text: string; mail_id: string; recipient: string }[]> {
  const { rows } = await sql<{ subject: string; text: string; mail_id: string; recipient: string }>`
    select subject, plain_text as text, mail_id, recipient from mails where account_id = ${of.accountId}`.execute(
    imports.service.context.db,
  );
  return rows;
}

/** Waits for the mail of an import that has ended. */
async function mailOf(row: Import): Promise<{ subject: string; text: string }> {
  await until('the mail', 10_000, async () => (await imports.find(row.import_id, account)).mail_id !== null);
  const mails = await mailsOf();
  expect(mails).toHaveLength(1);
  return mails[0]!;
}

describe('an import that fetches its file', () => {
  test('finds columns by their names, leaves others out, and sends one mail with the counts and failures', async () => {
    const created = await create(urlOf('/files/customers%20May.csv?signature=s3cr3t#part'), {
      notify_email: 'asha@example.com',
    });
    expect(created).toMatchObject({
      status: 'fetching',
      file_name: 'customers May.csv',
      source_url: urlOf('/files/customers%20May.csv'),
      notify_email: 'asha@example.com',
      mail_id: null,
    });
    const done = await ended(created);
    expect(done).toMatchObject({
      status: 'completed',
      file_size: csv.length,
      counts: { total: 2, created: 1, failed: 1 },
      source_url: urlOf('/files/customers%20May.csv'),
    });
    expect(done.columns.map(({ header, field }) => [header, field])).toEqual([
      ['EMAIL', 'EMAIL'],
      ['First name', 'FIRST_NAME'],
      ['SHOE_SIZE', null],
    ]);
    expect(server.requests.at(-1)).toMatchObject({
      method: 'GET',
      path: '/files/customers%20May.csv?signature=s3cr3t',
      headers: { 'accept-encoding': 'identity' },
    });
    const mail = await mailOf(done);
    expect(mail.subject).toBe('The import of “customers May.csv” is done, but some rows failed');
    expect(mail.text).toContain('Created: 1\n');
    expect(mail.text).toContain('Columns left out: SHOE_SIZE\n');
    expect(mail.text).toMatch(/Line 3: EMAIL: .+/);
    expect(mail.text).not.toContain('Omar');
    const audit = JSON.stringify((await account.operator('GET', '/audit-log')).body);
    expect(audit).toContain(`files.test:${server.port}`);
    const stored = await imports.service.context.db
      .selectFrom('imports')
      .where('import_id', '=', done.import_id)
      .selectAll()
      .executeTakeFirstOrThrow();
    for (const text of [JSON.stringify(done), mail.text, audit, JSON.stringify(stored), lines.join('')]) {
      expect(text).not.toContain('s3cr3t');
    }
  });

  test('uses a TLS connection', async () => {
    await using secure = await startReceiver((response) => void response.end(csv), { secure: true });
    const done = await ended(await create(`https://receiver.test:${secure.port}/a.csv`));
    expect(done).toMatchObject({ status: 'completed', counts: { created: 1 } });
    const refused = await create(`https://other.test:${secure.port}/a.csv`);
    expect(await ended(refused)).toMatchObject({
      status: 'failed',
      failure: { code: 'source_unreachable', message: expect.stringContaining('The last of 7 attempts failed.') },
    });
  });

  test.each([
    ['a compressed file', {}],
    ['a response with a content coding', { 'content-encoding': 'gzip' }],
  ])('reads %s', async (_what, headers) => {
    answer = (response) => void response.writeHead(200, headers).end(gzipSync(csv));
    expect(await ended(await create())).toMatchObject({
      status: 'completed',
      compression: 'gzip',
      counts: { created: 1, failed: 1 },
    });
  });

  test('fails when the server uses another content coding', async () => {
    answer = (response) => void response.writeHead(200, { 'content-encoding': 'br' }).end(csv);
    expect(await ended(await create())).toMatchObject({ status: 'failed', failure: { code: 'source_status' } });
  });

  test('fails like an upload when the file is not usable', async () => {
    answer = (response) => void response.end('NAME\nAsha\n');
    const done = await ended(await create());
    expect(done).toMatchObject({ status: 'failed', failure: { code: 'identity_column_missing' } });
    answer = (response) => void response.end();
    expect(await ended(await create())).toMatchObject({ status: 'failed', failure: { code: 'file_empty' } });
    expect((await imports.files()).filter((name) => name.startsWith(done.import_id))).toEqual([]);
  });

  test('does not accept an upload', async () => {
    answer = () => undefined;
    const { import_id } = await create();
    const sent = await imports.send(import_id, csv, {}, account);
    expect(sent).toMatchObject({ status: 409, body: { description: expect.stringContaining('fetching') } });
    await account.operator('POST', `/imports/${import_id}/cancel`);
  });
});

describe('redirects', () => {
  test('are followed to other allowed hosts, with relative addresses', async () => {
    answer = (response, { path }) => {
      if (path === '/a') response.writeHead(302, { location: '/b?x=1' }).end();
      else if (path === '/b?x=1') response.writeHead(307, { location: urlOf('/c', 'other.test') }).end();
      else response.end(csv);
    };
    expect(await ended(await create(urlOf('/a')))).toMatchObject({ status: 'completed' });
    expect(server.requests.at(-1)!.headers.host).toBe(`other.test:${server.port}`);
  });

  test.each([
    ['a private name', 'http://inside.example.com/secret', 'source_refused'],
    ['a name of this machine that is not allowed', 'https://private.test/secret', 'source_refused'],
    ['a private address', 'http://127.0.0.1/secret', 'source_refused'],
    ['an address of cloud metadata', 'http://169.254.169.254/latest/meta-data', 'source_refused'],
    ['an encoded address', 'http://0x7f.1/', 'source_refused'],
    ['an address in IPv6', 'http://[::ffff:127.0.0.1]/', 'source_refused'],
    ['another scheme', 'file:///etc/passwd', 'source_status'],
    ['nothing', '', 'source_status'],
  ])('to %s fail the import at once', async (_what, location, code) => {
    const before = server.requests.length;
    answer = (response, { path }) => {
      if (path === '/start?k=hidden') response.writeHead(302, location === '' ? {} : { location }).end();
      else response.end(csv);
    };
    const done = await ended(await create(urlOf('/start?k=hidden')));
    expect(done).toMatchObject({ status: 'failed', failure: { code }, counts: { total: 0 } });
    expect(done.failure!.message).toContain(`${urlOf('/start')}: `);
    expect(done.failure!.message).not.toContain('hidden');
    expect(server.requests.length).toBe(before + 1);
  });

  test('without an end fail the import', async () => {
    const before = server.requests.length;
    answer = (response) => void response.writeHead(302, { location: '/again' }).end();
    const done = await ended(await create());
    expect(done.failure).toMatchObject({
      code: 'source_status',
      message: expect.stringContaining('more than 5 times'),
    });
    expect(server.requests.length).toBe(before + 6);
  });
});

describe('a server of a file', () => {
  test.each([204, 206, 304, 401, 404])('that returns %i fails the import at once', async (status) => {
    const before = server.requests.length;
    answer = (response) => void response.writeHead(status).end();
    const done = await ended(await create(urlOf('/gone.csv?token=abc'), { notify_email: 'asha@example.com' }));
    expect(done.failure).toEqual({
      code: 'source_status',
      message: `${urlOf('/gone.csv')}: the server returned the status ${status} instead of 200.`,
    });
    expect(server.requests.length).toBe(before + 1);
    const mail = await mailOf(done);
    expect(mail.subject).toBe('The import of “gone.csv” failed');
    expect(mail.text).toContain(`Reason: ${done.failure!.message} (source_status)`);
  });

  test('that fails for a while delays the import', async () => {
    let count = 0;
    answer = (response) => {
      count++;
      if (count === 1) response.writeHead(503, { 'retry-after': '100' }).end();
      else if (count === 2) response.destroy();
      else if (count === 3) {
        // The connection breaks in the middle of the file.
        response.writeHead(200, { 'content-length': String(csv.length) }).write(csv.slice(0, 30));
        setTimeout(() => response.destroy(), 50);
      } else response.end(csv);
    };
    const created = await create();
    const { db } = imports.service.context;
    const pause = await until('the second attempt is planned', 10_000, async () => {
      const { rows } = await sql<{ seconds: number }>`
        select extract(epoch from run_at - now())::float8 as seconds from roster_jobs._private_jobs
        where payload->>'import_id' = ${created.import_id} and payload->>'attempt' = '2'`.execute(db);
      return rows[0]?.seconds;
    });
    expect(pause).toBeGreaterThan(90);
    expect((await imports.find(created.import_id, account)).status).toBe('fetching');
    const work = (await account.operator('GET', '/running')).body;
    expect(work.data).toMatchObject([{ kind: 'import', id: created.import_id, status: 'waiting' }]);
    expect(await ended(created)).toMatchObject({ status: 'completed', counts: { total: 2, created: 1 } });
    expect(count).toBe(4);
  });

  test('that is never there fails the import after seven attempts', async () => {
    const port = await closedPort();
    const done = await ended(await create(`http://files.test:${port}/a.csv`));
    expect(done.failure).toEqual({
      code: 'source_unreachable',
      message: `http://files.test:${port}/a.csv: the connection failed, or it broke before the file was complete (ECONNREFUSED). The last of 7 attempts failed.`,
    });
  });

  test('that sends a file over the limit fails the import, whether it states the size or not', async () => {
    const large = Buffer.concat([Buffer.from('EMAIL\n'), Buffer.alloc(1024 * 1024, 'a')]);
    const failure = { code: 'file_too_large', message: expect.stringContaining('larger than 1 MiB') };
    answer = (response) => void response.writeHead(200, { 'content-length': String(large.length) }).end(large);
    expect(await ended(await create())).toMatchObject({ status: 'failed', failure });
    answer = (response) => {
      response.write(large);
      // The response never ends.
      response.write(large);
    };
    const done = await ended(await create());
    expect(done).toMatchObject({ status: 'failed', failure });
    expect((await imports.files()).filter((name) => name.startsWith(done.import_id))).toEqual([]);
    await expect.poll(() => server.openConnections).toBe(0);
  });

  test.each([
    ['sends no response', () => undefined, { response: 100 }],
    [
      'stops in the middle of the file',
      ((response) => void response.write(csv)) satisfies Answer,
      // The client checks this time about once a second.
      { idle: 500 },
    ],
    [
      'sends a byte now and then',
      ((response) => {
        const timer = setInterval(() => response.write('a'), 20);
        response.on('close', () => clearInterval(timer));
      }) satisfies Answer,
      { slowAfter: 100, slowest: 10_000, check: 20 },
    ],
    [
      'takes too long for the whole file',
      ((response) => {
        const timer = setInterval(() => response.write('a'), 20);
        response.on('close', () => clearInterval(timer));
      }) satisfies Answer,
      { whole: 200, check: 20 },
    ],
  ] as const)('that %s ends the attempt', async (_what, slow, limits) => {
    await using held = await startImportService({ jobs: false, resolveHost: loopback, config: allowed });
    answer = slow;
    const { import_id } = await held.create({ source_url: urlOf(), unknown_columns: 'skip' });
    const row = (await beginFetch(held.service.context.db, { accountId: 1, id: import_id }))!;
    const options = { signal: never, limits: { ...usualLimits, ...limits } };
    await expect(fetchFile(held.service.context, row, options)).rejects.toMatchObject({
      name: 'SourceFault',
      code: 'source_unreachable',
      isFinal: false,
    });
    expect(await held.files()).toEqual([]);
    expect(await held.find(import_id)).toMatchObject({ status: 'fetching' });
    await expect.poll(() => server.openConnections).toBe(0);
  });

  test('that does not speak HTTP does not fail the worker', async () => {
    await using raw = await startRaw((socket) => void socket.end('220 mail.example.com ESMTP\r\n'));
    const done = await ended(await create(`http://files.test:${raw.port}/`));
    expect(done.failure).toMatchObject({
      code: 'source_unreachable',
      message: expect.stringContaining('not valid HTTP'),
    });
  });
});

test('a cancel ends the fetch, deletes what was stored, and sends one mail', async () => {
  answer = (response) => void response.write(csv);
  const created = await create(urlOf(), { notify_email: 'asha@example.com' });
  await until('some bytes have arrived', 10_000, async () => {
    return (await imports.find(created.import_id, account)).received_bytes === csv.length;
  });
  const cancelled = await account.operator('POST', `/imports/${created.import_id}/cancel`);
  expect(cancelled.body).toMatchObject({ status: 'cancelled' });
  await expect.poll(() => server.openConnections, { timeout: 10_000 }).toBe(0);
  const done = await ended(created);
  await expect
    .poll(async () => (await imports.files()).filter((name) => name.startsWith(created.import_id)))
    .toEqual([]);
  expect((await mailOf(done)).subject).toBe('The import of “customers.csv” was cancelled');
  expect((await account.operator('POST', `/imports/${created.import_id}/cancel`)).status).toBe(200);
  expect(await mailsOf()).toHaveLength(1);
});

test('only the newest attempt can end an import', async () => {
  await using held = await startImportService({ jobs: false, resolveHost: loopback, config: allowed });
  const { context } = held.service;
  const { import_id } = await held.create({ source_url: urlOf(), unknown_columns: 'skip' });
  const key = { accountId: 1, id: import_id };
  const stale = (await beginFetch(context.db, key))!;
  let respond = (): void => undefined;
  answer = (response) => {
    response.write('EMAIL\nstale@example.com\n');
    respond = () => void response.end();
  };
  const lateAttempt = fetchFile(context, stale, { signal: never, limits: { ...usualLimits, check: 60_000 } });
  const arrived = server.requests.length + 1;
  await server.reached(arrived);
  answer = (response) => void response.end(csv);
  const newest = (await beginFetch(context.db, key))!;
  respond();
  await lateAttempt;
  expect(await held.find(import_id)).toMatchObject({ status: 'fetching' });
  await fetchFile(context, newest, { signal: never });
  expect(await held.find(import_id)).toMatchObject({ status: 'accepted', file_size: csv.length });
  await expect(fetchFile(context, stale, { signal: never, limits: { ...usualLimits, check: 60_000 } })).resolves.toBe(
    undefined,
  );
  expect(await held.files()).toEqual([`${import_id}-2`]);
  expect(await beginFetch(context.db, key)).toBe(undefined);
  // The watch of an attempt notices the end even when nothing arrives.
  const other = await held.create({ source_url: urlOf(), unknown_columns: 'skip' });
  const row = (await beginFetch(context.db, { accountId: 1, id: other.import_id }))!;
  answer = () => undefined;
  const hanging = fetchFile(context, row, { signal: never, limits: { ...usualLimits, check: 20 } });
  await beginFetch(context.db, { accountId: 1, id: other.import_id });
  await expect(hanging).rejects.toBeInstanceOf(FetchOver);
});

test(
  'a file is fetched again and imported once when the worker is killed during the fetch',
  { timeout: 60_000 },
  async () => {
    await using held = await startImportService({
      jobs: false,
      worker: false,
      resolveHost: loopback,
      // The other process has its own DNS, so the URL has an address.
      config: { ...allowed, callbackAllow: parseAllowList('127.0.0.1') },
    });
    const { context } = held.service;
    const rows = Array.from({ length: 5000 }, (_, n) => `fetched-${n}@example.com\n`).join('');
    answer = (response) => void response.write(`EMAIL\n${rows.slice(0, 50_000)}`);
    const source_url = `http://127.0.0.1:${server.port}/people.csv`;
    const { import_id } = await held.create({ source_url, notify_email: 'asha@example.com' });
    for (let kill = 0; kill < 2; kill++) {
      const worker = new RosterProcess({
        ROSTER_ROLE: 'worker',
        DATABASE_URL: context.config.databaseUrl!,
        ...testLayout,
        ROSTER_DATA_DIR: context.config.dataDir,
        ROSTER_CALLBACK_ALLOW: '127.0.0.1',
        PORT: String(await freePort()),
      });
      await until('the file is being fetched', 30_000, async () => {
        if (worker.hasEnded) throw new Error(`the worker ended:\n${worker.complaints.join('\n')}`);
        const { writes } = await context.db.selectFrom('imports').select('writes').executeTakeFirstOrThrow();
        return writes > kill && (await held.find(import_id)).received_bytes > 40_000;
      });
      expect(worker.killGroup()).toBe(true);
      await worker.ended();
    }
    expect(await held.find(import_id)).toMatchObject({ status: 'fetching' });
    answer = (response) => void response.end(`EMAIL\n${rows}`);
    await using _worker = held.service.startWorker();
    await using _jobs = held.service.startJobs();
    expect(await held.ended(import_id)).toMatchObject({ status: 'completed', counts: { total: 5000, created: 5000 } });
    expect(await held.files()).toEqual([]);
    const mails = await context.db.selectFrom('mails').selectAll().execute();
    expect(mails).toMatchObject([{ recipient: 'asha@example.com', subject: 'The import of “people.csv” is done' }]);
  },
);

test('a mail is created once, however often the end of the import is repeated', async () => {
  const done = await ended(await create(urlOf(), { notify_email: 'asha@example.com' }));
  const mail = await mailOf(done);
  const key = { accountId: account.accountId, id: done.import_id };
  await Promise.all([1, 2, 3].map(() => settle(imports.service.context, key, never)));
  expect(await mailsOf()).toEqual([mail]);
  expect((await imports.find(done.import_id, account)).mail_id).toBe((await mailsOf())[0]!.mail_id);
});

test('an uploaded file can have a mail at the end, too, and a dry run says that nothing was written', async () => {
  const first = await imports.run(
    csv,
    { notify_email: 'asha@example.com', unknown_columns: 'skip', dry_run: true },
    account,
  );
  expect(first).toMatchObject({ source_url: null, file_name: null });
  const mail = await mailOf(first);
  expect(mail.subject).toBe('The dry run of the import of a file is done, but some rows failed');
  expect(mail.text).toContain('This was a dry run. Nothing was written.');
});

test('an import fails when the disk is full, and is retried when the file store fails otherwise', async () => {
  await using held = await startImportService({ jobs: false, resolveHost: loopback, config: allowed });
  const { context } = held.service;
  const failing = (error: Error) => ({
    ...context,
    exportFiles: { ...context.exportFiles, write: () => rejected(new StorageFault(error)) },
  });
  const { import_id } = await held.create({ source_url: urlOf(), unknown_columns: 'skip' });
  const payload = { account_id: 1, import_id, attempt: 1 };
  const job = { signal: never, jobId: '1', attempt: 1, maxAttempts: 2 };
  const fetchImport = fetchImportWith(undefined);
  await expect(fetchImport(failing(new Error('no connection')), payload, job)).rejects.toBeInstanceOf(StorageFault);
  expect(await held.find(import_id)).toMatchObject({ status: 'fetching' });
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  await fetchImport(failing(full), payload, job);
  expect(await held.find(import_id)).toMatchObject({
    status: 'failed',
    failure: { code: 'storage_full', message: expect.stringContaining('Nothing was imported') },
  });
  const other = await held.create({ source_url: urlOf(), unknown_columns: 'skip' });
  await fetchImport(
    failing(new Error('no connection')),
    { ...payload, import_id: other.import_id },
    { ...job, attempt: 2 },
  );
  expect(await held.find(other.import_id)).toMatchObject({
    status: 'failed',
    failure: { code: 'storage_unavailable' },
  });
});

test('a stop ends the fetch, and the import stays', async () => {
  await using held = await startImportService({ jobs: false, resolveHost: loopback, config: allowed });
  answer = (response) => void response.write(csv);
  const { import_id } = await held.create({ source_url: urlOf(), unknown_columns: 'skip' });
  const stopping = new AbortController();
  const job = { signal: stopping.signal, jobId: '1', attempt: 1, maxAttempts: 1 };
  const arrived = server.requests.length + 1;
  const running = fetchImportWith(undefined)(held.service.context, { account_id: 1, import_id, attempt: 1 }, job);
  await server.reached(arrived);
  stopping.abort(new Error('the process stops'));
  await expect(running).rejects.toThrow('the process stops');
  expect(await held.find(import_id)).toMatchObject({ status: 'fetching' });
  expect(await held.files()).toEqual([]);
});

test('an account fetches up to four files at a time in a process, and can wait for a hundred', async () => {
  await using held = await startImportService({ resolveHost: loopback, config: allowed, worker: false });
  let open = 0;
  answer = () => void open++;
  const before = server.mostAtOnce;
  for (let n = 0; n < 100; n++) await held.create({ source_url: urlOf(`/${n}.csv`) });
  const refused = await held.account.operator('POST', '/imports', { source_url: urlOf() });
  expect(refused).toMatchObject({ status: 409, body: { description: expect.stringContaining('100 imports') } });
  expect((await held.account.operator('POST', '/imports', {})).status).toBe(201);
  await expect.poll(() => open).toBe(4);
  const other = await held.service.createAccount({ name: 'Other' });
  answer = (response) => void response.end(csv);
  const { import_id } = await held.create({ source_url: urlOf(), unknown_columns: 'skip' }, other);
  await expect.poll(async () => (await held.find(import_id, other)).status, { timeout: 10_000 }).not.toBe('fetching');
  expect(server.mostAtOnce).toBeLessThanOrEqual(Math.max(before, 5));
  server.closeConnections();
});

test('an import that has lost its job fails, and one that waits for an attempt does not', async () => {
  let now = Date.now();
  await using held = await startImportService({
    jobs: false,
    resolveHost: loopback,
    config: allowed,
    now: () => new Date(now),
  });
  const { db } = held.service.context;
  const waiting = await held.create({ source_url: urlOf(), unknown_columns: 'skip' });
  const lost = await held.create({ source_url: urlOf('/b.csv?x=secret') });
  await sql`select roster_jobs.complete_jobs(array_agg(id)) from roster_jobs._private_jobs
    where payload->>'import_id' = ${lost.import_id}`.execute(db);
  now += 25 * 3_600_000;
  await importUpkeep(held.service.context, never);
  expect(await held.find(waiting.import_id)).toMatchObject({ status: 'fetching' });
  expect(await held.find(lost.import_id)).toMatchObject({ status: 'failed', failure: { code: 'internal' } });
  const { rows } = await sql<{
    source_url: string;
  }>`select source_url from imports where finished_at is not null`.execute(db);
  expect(rows).toEqual([{ source_url: urlOf('/b.csv') }]);
});

test('random bytes from a server never complete an import', async () => {
  for (let n = 0; n < 5; n++) {
    const bytes = randomBytes(2000);
    answer = (response) => void response.end(bytes);
    expect(await ended(await create())).toMatchObject({ status: 'failed', counts: { created: 0 } });
  }
});
