import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { link, mkdtempDisposable, readFile, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createOperatorClient, type Import } from '@roster/client';
import { describe, expect, test, vi } from 'vitest';
import { parseAllowList } from '#platform/config/allow-list.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { startImportService } from '../imports/import-service.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { listening } from '../support/listening.ts';
import { startTestService } from '../support/service.ts';
import { run, type CommandResult } from './in-process.ts';

const { path: directory } = await forFile(mkdtempDisposable(path.join(os.tmpdir(), 'roster-cli-import-')));
const service = await forFile(
  startTestService({
    config: { dataDir: path.join(directory, 'data'), callbackAllow: parseAllowList('127.0.0.1') },
  }),
);
await forFile(service.startJobs());
const url = await listening(service);
const place = ['--url', url, '--token', testAdminToken, '--account', '1'];
const account = createOperatorClient({ url, token: testAdminToken }).account(1);

const roster = (args: string[], input?: string): Promise<CommandResult> => run(['import', ...args, ...place], input);
async function file(name: string, content: string | Buffer): Promise<string> {
  const where = path.join(directory, name);
  await writeFile(where, content);
  return where;
}

describe('roster import', () => {
  test('a file is imported into lists, and the command prints the counts of its rows', async () => {
    const where = await file('customers.csv', 'Email,City\nasha@example.com,Pune\nravi@example.com,Goa\n');
    const { code, stdout, stderr } = await roster([where, '--list', '1']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^status +completed$/m);
    expect(stdout).toMatch(/^created +2$/m);
    expect((await account.lists.get(1)).member_count).toBe(2);
  });

  test('the command accepts standard input, compressed files, column mappings and modes', async () => {
    const rows = 'Mail;Town;Remarks\nasha@example.com;Delhi;x\nnobody@example.com;Agra;y\n';
    const packed = await file('update.csv.gz', gzipSync(rows));
    const columns = ['--column', 'Mail=EMAIL', '--column', 'Town=CITY', '--column', 'Remarks='];
    const updated = await roster([packed, '--mode', 'update', ...columns, '--json']);
    expect(JSON.parse(updated.stdout)).toMatchObject({ mode: 'update', counts: { total: 2, updated: 1, failed: 1 } });
    expect([updated.code, updated.stderr]).toEqual([5, expect.stringContaining('One row failed.') as string]);
    const piped = await roster(['--format', 'ndjson', '--json'], '{"EMAIL":"piped@example.com","CITY":"Pune"}\n');
    expect(JSON.parse(piped.stdout)).toMatchObject({ file_name: null, counts: { created: 1, failed: 0 } });
    expect(piped.code).toBe(0);
  });

  test('the service fetches a file from a URL', async () => {
    await using server = await startReceiver((response) => void response.end('EMAIL\nfetched@example.com\nnobody\n'));
    const url = `http://127.0.0.1:${server.port}/people.csv?signature=abc`;
    const fetched = await roster(['--source-url', url, '--notify-email', 'asha@example.com', '--json']);
    expect(JSON.parse(fetched.stdout)).toMatchObject({
      status: 'completed',
      file_name: 'people.csv',
      source_url: `http://127.0.0.1:${server.port}/people.csv`,
      notify_email: 'asha@example.com',
      mail_id: expect.any(String) as string,
      counts: { created: 1, failed: 1 },
    });
    expect(fetched.code).toBe(5);
    const left = await roster(['--source-url', url, '--no-wait', '--json']);
    expect([left.code, JSON.parse(left.stdout).status]).toEqual([0, expect.any(String)]);
    expect(await roster(['people.csv', '--source-url', url])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Name a file or --source-url, not both.') as string,
    });
    expect(await roster(['--source-url', 'https://10.0.0.1/people.csv'])).toMatchObject({ code: 3 });
    expect((await roster(['--resume', JSON.parse(left.stdout).import_id, '--source-url', url])).code).toBe(2);
  });

  test('the failed rows are written to a file, during the import or later', async () => {
    const where = await file('half.csv', 'EMAIL,CITY\nfine@example.com,Pune\nno address,Goa\n');
    const failures = path.join(directory, 'failed.csv');
    const { code, stdout } = await roster([where, '--failures', failures, '--json']);
    const done = JSON.parse(stdout) as Import & { failures_file: string };
    expect([code, done.counts.created, done.counts.failed, done.failures_file]).toEqual([5, 1, 1, failures]);
    const text = await readFile(failures, 'utf8');
    expect(text).toMatch(/^IMPORT_LINE,IMPORT_COLUMN,IMPORT_CODE,IMPORT_REASON,EMAIL,CITY\r\n3,EMAIL,/);
    const later = path.join(directory, 'later.csv');
    expect((await roster(['--resume', done.import_id, '--failures', later])).code).toBe(5);
    expect(await readFile(later, 'utf8')).toBe(text);
  });

  test('the counts are printed even if the failed rows cannot be written', async () => {
    const where = await file('full.csv', 'EMAIL,CITY\nlast@example.com,Pune\nno address,Goa\n');
    const store = service.context.exportFiles;
    const write = store.write.bind(store);
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    store.write = async (key, options) => (key.endsWith('-2') ? Promise.reject(full) : write(key, options));
    const failures = path.join(directory, 'none.csv');
    const { code, stdout, stderr } = await roster([where, '--failures', failures, '--json']);
    store.write = write;
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', counts: { created: 1, failed: 1 } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('The failed rows could not be written to ') as string]);
    expect(stderr).not.toContain('--resume');
    await expect(readFile(failures)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('for a cancelled import the command waits for the failed rows, and counts those under way as failed', async () => {
    await using held = await startImportService({ worker: false, jobs: false });
    const url = await listening(held.service);
    const { import_id: importId } = await held.create();
    {
      await using _jobs = held.service.startJobs();
      await held.send(importId, 'EMAIL,CITY\nstopped@example.com,Pune\nwaiting@example.com,Goa\n');
      await expect.poll(async () => (await held.find(importId)).progress.rows_read).toBe(2);
    }
    await held.account.operator('POST', `/imports/${importId}/cancel`);

    const failures = path.join(directory, 'stopped.csv');
    const waits = Promise.withResolvers<void>();
    const realFetch = fetch;
    const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
      const answer = await realFetch(...args);
      if (answer.status === 409 && answer.url.endsWith('/failures')) waits.resolve();
      return answer;
    });
    const where = ['--url', url, '--token', testAdminToken, '--account', '1'];
    const ran = run(['import', '--resume', importId, '--failures', failures, '--json', ...where]);
    // A command that does not wait makes the assertions below fail, instead of the time limit.
    await Promise.race([waits.promise, ran]);
    await using _jobs = held.service.startJobs();
    const { code, stdout, stderr } = await ran;
    fetching.mockRestore();
    expect([code, stderr]).toEqual([1, expect.stringContaining('The import was cancelled.') as string]);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'cancelled',
      counts: { total: 2, created: 0, failed: 2 },
      failures_file: failures,
    });
    expect(await readFile(failures, 'utf8')).toMatch(/withdrawn,[^\n]*stopped@example.com[^]*waiting@example.com/);
  });

  test('a dry run writes nothing, and unknown columns are reported before anything is written', async () => {
    const where = await file('new.csv', 'EMAIL,SHOE_SIZE\ndry@example.com,42\n');
    const dry = await roster([where, '--dry-run', '--unknown-columns', 'create']);
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('nothing was written') as string]);
    expect(
      await service.first.rows({
        filtering_criteria: [
          { condition_details: [{ field: 'email', operation: 'equals', value: ['dry@example.com'] }] },
        ],
      }),
    ).toEqual([]);
    const refused = await roster([where]);
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringMatching(/unknown columns +SHOE_SIZE/) as string]);
    expect(refused.stderr).toContain('The import failed.');
  });

  test('--resume waits for an import that was started with --no-wait', async () => {
    const where = await file('later.csv', 'EMAIL\nlater@example.com\n');
    const begun = JSON.parse((await roster([where, '--no-wait', '--json'])).stdout) as Import;
    const { code, stdout } = await roster(['--resume', begun.import_id]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/created +1/) as string]);
  });

  test('invalid arguments are reported before any request is sent', async () => {
    expect(await roster([path.join(directory, 'missing.csv')])).toMatchObject({ code: 1, stdout: '' });
    expect(await roster([directory])).toMatchObject({ code: 1 });
    expect(await roster(['--mode', 'replace'])).toMatchObject({ code: 2 });
    expect(await roster(['--column', 'EMAIL'])).toMatchObject({ code: 2 });
    const before = await account.imports.list().all();
    const wrongList = await roster([await file('any.csv', 'EMAIL\na@example.com\n'), '--list', '77']);
    expect([wrongList.code, wrongList.stderr]).toEqual([3, expect.stringContaining('--list') as string]);
    const contacts = await file('any.csv', 'EMAIL\nnobody\n');
    for (const place of [path.join(directory, 'nowhere', 'failed.csv'), directory]) {
      const { code, stdout, stderr } = await roster([contacts, '--failures', place]);
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(`${place} cannot be written`)]);
    }
    expect(await account.imports.list().all()).toEqual(before);
  });

  test('the failures never overwrite the file that is imported, also not through a link', async () => {
    const content = 'EMAIL\nkept@example.com\nnobody\n';
    const where = await file('mine.csv', content);
    const [soft, hard] = [path.join(directory, 'soft.csv'), path.join(directory, 'hard.csv')];
    await symlink(where, soft);
    await link(where, hard);
    const before = await account.imports.list().all();
    for (const failures of [where, soft, hard]) {
      const { code, stdout, stderr } = await roster([where, '--failures', failures]);
      expect([code, stdout, stderr]).toEqual([
        2,
        '',
        `--failures ${failures} is the file to import. It would be overwritten. Name another file.\n`,
      ]);
    }
    const stdin = createReadStream(where);
    await once(stdin, 'open');
    expect(await run(['import', '--failures', where, ...place], stdin)).toMatchObject({ code: 2, stdout: '' });
    expect(await account.imports.list().all()).toEqual(before);
    expect(await readFile(where, 'utf8')).toBe(content);
  });
});
