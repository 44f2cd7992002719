import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { guardedFileStore } from '#platform/files/guarded-file-store.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { listening } from '../support/listening.ts';
import type { Answer } from '../support/service.ts';
import { listExport, publicUrl, startExportService } from './export-service.ts';
import { startS3Server, storeOn } from './s3-server.ts';

/** Milliseconds after which the server counts as hanging. A busy machine needs a second for a part. */
const patience = 3000;

const errors: string[] = [];
const server = await forFile(startS3Server());
const store = guardedFileStore(storeOn(server, patience), patience);
const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) });
const exports = await forFile(startExportService({ exportFiles: store, jobs: false, log }));
await exports.account.createContacts([{ identity: 'a@example.com', audience_details: [{ audience_id: 1 }] }]);
afterEach(async () => {
  answerAll();
  errors.length = 0;
});

/** Makes requests hang that contain one of these names. */
function hang(...names: string[]): void {
  server.hangs = (request) => names.some((name) => request.includes(name));
}

function answerAll(): void {
  server.hangs = () => false;
  server.stallsAfter = () => undefined;
}

const isUsed = (name: string): boolean => server.requests.some((request) => request.includes(name));

async function createImport(): Promise<string> {
  return (await exports.account.operator('POST', '/imports', { columns: { REMARKS: null } })).body.import_id;
}

const sendFile = (importId: string, content: string | Buffer): Promise<Answer> =>
  exports.service.call('PUT', `/admin/v1/accounts/1/imports/${importId}/file`, {
    body: Buffer.from(content),
    headers: { authorization: `Bearer ${testAdminToken}`, 'content-type': 'text/csv' },
  });

async function importEnded(importId: string): Promise<Answer['body']> {
  for (;;) {
    const { body } = await exports.account.operator('GET', `/imports/${importId}`);
    if (body.finished_at !== null) return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function csv(name: string, rows: number, remarks = ''): string {
  return `EMAIL,REMARKS\r\n${Array.from({ length: rows }, (_, n) => `${name}-${n}@example.com,${remarks}\r\n`).join('')}`;
}

test('hanging exports do not delay other exports, imports or contacts, and are completed when the server answers', async () => {
  // As many exports as a process runs at the same time.
  const hanging = [await exports.accepted(listExport(1)), await exports.accepted(listExport(1))];
  const other = await exports.accepted(listExport(1));
  hang(...hanging);
  await using _jobs = exports.service.startJobs();
  const importId = await createImport();
  expect((await sendFile(importId, csv('beside', 3))).status).toBe(200);
  await exports.account.createContacts([{ identity: 'new@example.com' }]);
  expect(await importEnded(importId)).toMatchObject({ status: 'completed', counts: { created: 3 } });
  expect(await exports.ended(other)).toMatchObject({ status: 'completed', rows_total: 1 });
  for (const id of hanging) {
    expect(isUsed(`${id}-1.csv`)).toBe(true);
    expect((await exports.find(id)).finished_at).toBeNull();
  }
  answerAll();
  for (const id of hanging) expect(await exports.ended(id)).toMatchObject({ status: 'completed', rows_total: 1 });
  const written = (await server.objects()).filter((name) => hanging.some((id) => name.includes(id)));
  expect(written).toHaveLength(2);
  expect(errors).toEqual([]);
});

test('an export that hangs after its last byte can be cancelled, and frees its slot at once', async () => {
  await using patient = storeOn(server);
  await using own = await startExportService({ exportFiles: patient, jobs: false });
  const hanging = [await own.accepted(listExport(1)), await own.accepted(listExport(1))];
  hang(...hanging.map((id) => `PUT /exports/some/where/1/${id}`));
  await using _jobs = own.service.startJobs();
  await expect.poll(() => hanging.every((id) => isUsed(`${id}-1.csv`))).toBe(true);
  for (const id of hanging) await own.account.operator('POST', `/exports/${id}/cancel`);
  expect(await own.ended(await own.accepted(listExport(1)))).toMatchObject({ status: 'completed' });
  await expect
    .poll(async () => (await server.objects()).filter((name) => hanging.some((id) => name.includes(id))))
    .toEqual([]);
});

test('a stop does not wait for a hanging export, and the next process completes it', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  await using patient = storeOn(server);
  await using own = await startExportService({ exportFiles: patient, jobs: false, log });
  const id = await own.accepted(listExport(1));
  hang(id);
  {
    await using _jobs = own.service.startJobs();
    await expect.poll(() => isUsed(`${id}-1.csv`)).toBe(true);
  }
  // An error would be logged here if jobs had not ended.
  expect(lines).toEqual([]);
  answerAll();
  await using _jobs = own.service.startJobs();
  expect(await own.ended(id)).toMatchObject({ status: 'completed' });
});

test('a hanging upload gets 503, is cleaned up when it is repeated, and does not delay others', async () => {
  await using _jobs = exports.service.startJobs();
  const [hanging, other] = [await createImport(), await createImport()];
  // The file has more than one part. The server answers the first request, but neither the parts
  // nor the abort.
  server.hangs = (request) => request.includes(hanging) && !request.endsWith('uploads');
  const file = csv('hangs', 60, 'x'.repeat(200_000));
  const answering = sendFile(hanging, file);
  expect((await sendFile(other, csv('other', 3))).status).toBe(200);
  expect(await importEnded(other)).toMatchObject({ status: 'completed', counts: { created: 3 } });
  const { status, body, headers } = await answering;
  expect([status, body.description]).toEqual([503, expect.stringContaining('The file store cannot be used')]);
  expect(headers).toHaveProperty('retry-after');
  expect(await server.unfinished()).toHaveLength(1);
  answerAll();
  expect((await sendFile(hanging, file)).status).toBe(200);
  expect(await importEnded(hanging)).toMatchObject({ status: 'completed', counts: { created: 60 } });
  await expect.poll(() => server.unfinished()).toEqual([]);
});

test('imports whose files stall do not delay others, and continue when the server answers', async () => {
  const hanging = [await createImport(), await createImport()];
  for (const [at, id] of hanging.entries()) await sendFile(id, csv(`stops-${at}`, 20_000));
  server.stallsAfter = (request) =>
    request.startsWith('GET') && hanging.some((id) => request.includes(id)) ? 300_000 : undefined;
  await using _jobs = exports.service.startJobs();
  await expect.poll(() => hanging.every((id) => isUsed(`GET /exports/some/where/imports/1/${id}`))).toBe(true);
  const other = await createImport();
  expect((await sendFile(other, csv('goes-on', 3))).status).toBe(200);
  expect(await importEnded(other)).toMatchObject({ status: 'completed', counts: { created: 3 } });
  answerAll();
  for (const id of hanging) {
    expect(await importEnded(id)).toMatchObject({ status: 'completed', counts: { created: 20_000, failed: 0 } });
  }
});

test('a download that does not start gets 503, and one that stalls is closed', async () => {
  const url = await listening(exports.service);
  await using _jobs = exports.service.startJobs();
  await exports.account.createContacts(
    Array.from({ length: 1000 }, (_, n) => ({
      identity: `${'long-address-'.repeat(4)}${n}@example.com`,
      audience_details: [{ audience_id: 1 }],
    })),
  );
  const [one, other] = [await exports.accepted(listExport(1)), await exports.accepted(listExport(1))];
  const [hanging, fine] = [(await exports.ended(one)).file_url!, (await exports.ended(other)).file_url!];
  hang(one);
  const answering = exports.download(hanging);
  expect((await exports.download(fine)).status).toBe(200);
  const { status, body, headers } = await answering;
  expect([status, body.toString()]).toEqual([503, expect.stringContaining('The file store cannot be used')]);
  expect(headers).toHaveProperty('retry-after');

  answerAll();
  server.stallsAfter = (request) => (request.startsWith('GET') ? 1000 : undefined);
  const [response] = (await once(get(hanging.replace(publicUrl, url)), 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  await expect(buffer(response)).rejects.toThrow('aborted');
  answerAll();
  const rest = await exports.download(hanging, { range: 'bytes=1000-' });
  expect(rest.status).toBe(206);
});
