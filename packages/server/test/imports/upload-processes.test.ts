import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Import } from '@roster/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '@roster/embedded-postgres';
import { RosterProcess } from '../crash/roster-process.ts';
import { until } from '../crash/wait.ts';
import { bucket, startS3Server, storeOn } from '../exports/s3-server.ts';
import { testAdminToken, testLayout } from '../support/context.ts';
import { type ImportService, startImportService } from './import-service.ts';

const mebibyte = 1024 * 1024;

/** A file with few rows, one part of which needs several requests to S3. */
const rows = 100;
const file = Buffer.from(
  `EMAIL,REMARKS\r\n${Array.from({ length: rows }, (_, n) => `upload-${n}@example.com,${'x'.repeat(105_000)}\r\n`).join('')}`,
);
const middle = 9 * mebibyte;
const first = { start: 0, end: middle };
const last = { start: middle, end: file.length };
type Part = typeof first;

/** An API process that responds to requests. */
interface StartedApi {
  readonly process: RosterProcess;
  readonly url: string;
}

/** API processes that share the database and the files of a service that runs the imports. */
interface Processes extends AsyncDisposable {
  readonly imports: ImportService;
  /** Starts an API process. Resolves when it responds. */
  startApi(): Promise<StartedApi>;
  /** Names of files that uploads have begun, and neither finished nor deleted. */
  unfinished(): Promise<string[]>;
  /** Names of all complete files. */
  stored(): Promise<string[]>;
}

async function startProcesses(place: 'a directory' | 'S3'): Promise<Processes> {
  const stack = new AsyncDisposableStack();
  const server = place === 'S3' ? stack.use(await startS3Server()) : undefined;
  const overrides = server === undefined ? {} : { exportFiles: stack.use(storeOn(server)) };
  const imports = stack.use(await startImportService(overrides));
  const { config } = imports.service.context;
  const storeEnv: Record<string, string> =
    server === undefined
      ? {}
      : {
          ROSTER_EXPORT_STORE: `s3://${bucket}/some/where/`,
          AWS_ENDPOINT_URL: server.endpoint,
          AWS_ACCESS_KEY_ID: 'S3RVER',
          AWS_SECRET_ACCESS_KEY: 'S3RVER',
        };
  return {
    imports,
    async startApi() {
      const port = await freePort();
      const process = new RosterProcess({
        ROSTER_ROLE: 'api',
        ROSTER_ADMIN_TOKEN: testAdminToken,
        DATABASE_URL: config.databaseUrl!,
        ...testLayout,
        ROSTER_DATA_DIR: config.dataDir,
        PORT: String(port),
        ...storeEnv,
      });
      stack.defer(async () => {
        process.killGroup();
        await process.ended();
      });
      const url = `http://127.0.0.1:${port}`;
      await until('the API responds', 60_000, async () => {
        if (process.hasEnded) throw new Error(`the API process did not start:\n${process.complaints.join('\n')}`);
        return fetch(`${url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        );
      });
      return { process, url };
    },
    unfinished: async () =>
      server === undefined ? (await imports.files()).filter((name) => name.endsWith('.part')) : server.unfinished(),
    stored: async () =>
      server === undefined ? (await imports.files()).filter((name) => !name.endsWith('.part')) : server.objects(),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Begins to send a part of the file to an API process. Sends no byte of the body yet. */
function beginPart(url: string, importId: string, { start, end }: Part): ClientRequest {
  const digest = createHash('sha256').update(file.subarray(start, end)).digest('base64');
  const begun = request(`${url}/admin/v1/accounts/1/imports/${importId}/file`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${testAdminToken}`,
      'content-length': end - start,
      'content-range': `bytes ${start}-${end - 1}/${file.length}`,
      'content-digest': `sha-256=:${digest}:`,
    },
  });
  begun.on('error', () => undefined);
  return begun;
}

async function answerOf(sent: ClientRequest): Promise<{ status: number; body: Import & { description: string } }> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, body: (await json(response)) as Import & { description: string } };
}

async function sendPart(url: string, importId: string, part: Part) {
  const sent = beginPart(url, importId, part);
  sent.end(file.subarray(part.start, part.end));
  return answerOf(sent);
}

const createImport = (imports: ImportService): Promise<Import> => imports.create({ columns: { REMARKS: null } });

describe.each(['a directory', 'S3'] as const)('two API processes that share %s for their files', (place) => {
  let processes: Processes;
  let imports: ImportService;
  let apis: readonly StartedApi[];
  beforeAll(async () => {
    processes = await startProcesses(place);
    ({ imports } = processes);
    apis = await Promise.all([processes.startApi(), processes.startApi()]);
  }, 120_000);
  afterAll(() => processes[Symbol.asyncDispose]());

  async function expectImported(importId: string): Promise<void> {
    expect(await imports.ended(importId)).toMatchObject({ status: 'completed', counts: { total: rows, failed: 0 } });
    // The unfinished files of a killed process are deleted after the import has ended.
    await expect.poll(async () => [await processes.stored(), await processes.unfinished()]).toEqual([[], []]);
  }

  test('join the parts that both received into one file, and refuse a repeated part', async () => {
    const [one, other] = apis as [StartedApi, StartedApi];
    const { import_id: importId } = await createImport(imports);
    const sent = await sendPart(one.url, importId, first);
    expect(sent).toMatchObject({ status: 200, body: { status: 'awaiting_file', received_bytes: middle } });
    for (const { url } of apis) {
      expect(await sendPart(url, importId, first)).toMatchObject({
        status: 409,
        body: {
          description: `The import has ${middle} bytes of the file. Send the part that begins at this position.`,
        },
      });
    }
    const ending = await sendPart(other.url, importId, last);
    expect(ending).toMatchObject({ status: 200, body: { status: 'accepted', received_bytes: file.length } });
    expect(await sendPart(one.url, importId, last)).toMatchObject({
      status: 409,
      body: { description: expect.stringContaining('The import already has its file') },
    });
    await expectImported(importId);
  });

  test('accept a part from one of two clients that send it concurrently, and return 409 to the other', async () => {
    const { import_id: importId } = await createImport(imports);
    const writes = async () => {
      const row = imports.service.context.db.selectFrom('imports').where('import_id', '=', importId);
      return (await row.select('writes').executeTakeFirstOrThrow()).writes;
    };
    for (const [part, number] of [
      [first, 1],
      [last, 2],
    ] as const) {
      const begun = apis.map(({ url }) => beginPart(url, importId, part));
      const half = part.start + 1000;
      for (const sent of begun) sent.write(file.subarray(part.start, half));
      // Both uploads are running before one of them ends.
      await until('both parts are being written', 20_000, async () => (await writes()) === 2 * number);
      for (const sent of begun) sent.end(file.subarray(half, part.end));
      const answers = await Promise.all(begun.map(answerOf));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    }
    await expectImported(importId);
  });

  test('can continue an upload after one of them was killed while it received a part', async () => {
    const [survivor, victim] = apis as [StartedApi, StartedApi];
    const { import_id: importId } = await createImport(imports);
    const sent = beginPart(victim.url, importId, first);
    // More bytes than one part of an S3 upload has.
    sent.write(file.subarray(0, 8.5 * mebibyte));
    // Kill the process only after it has recorded its unfinished file. No other process can find an
    // unrecorded file.
    const isRecorded = async () => {
      const row = imports.service.context.db.selectFrom('imports').where('import_id', '=', importId);
      return (await row.select('unfinished_writes').executeTakeFirstOrThrow()).unfinished_writes.length > 0;
    };
    await until('the part is being written', 20_000, async () => (await processes.unfinished()).length > 0);
    await until('the part is recorded', 20_000, isRecorded);
    const broken = new Promise((resolve) => sent.once('close', resolve));
    expect(victim.process.killGroup()).toBe(true);
    await Promise.all([victim.process.ended(), broken]);
    expect(await imports.find(importId)).toMatchObject({ status: 'awaiting_file', received_bytes: 0 });
    expect(await processes.unfinished()).toHaveLength(1);

    const { url } = survivor;
    expect(await sendPart(url, importId, first)).toMatchObject({ status: 200, body: { received_bytes: middle } });
    expect(await sendPart(url, importId, last)).toMatchObject({ status: 200, body: { status: 'accepted' } });
    await expectImported(importId);
  });
});
