import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Import } from '@roster/contract';
import { parse } from 'csv-parse/sync';
import type { Config } from '#platform/config/config.ts';
import type { ContextOverrides } from '#app/create-context.ts';
import { startTestService, type Answer, type TestAccount, type TestService } from '../support/service.ts';
import { testAdminToken } from '../support/context.ts';

/** A service that runs imports, with a separate directory for their files. */
export interface ImportService extends AsyncDisposable {
  readonly service: TestService;
  readonly account: TestAccount;
  /** Returns the directory with the import files of an account. */
  filesOf(accountId: number): string;
  /** Returns the names of all stored files. */
  files(): Promise<string[]>;
  /** Creates an import. Throws when the service refuses it. */
  create(body?: object, account?: TestAccount): Promise<Import>;
  /** Sends a file, and returns the answer, whatever its status. */
  send(
    importId: string,
    file: string | Buffer,
    headers?: Record<string, string>,
    account?: TestAccount,
  ): Promise<Answer>;
  find(importId: string, account?: TestAccount): Promise<Import>;
  /** Waits until an import has ended and its file is deleted. */
  ended(importId: string, account?: TestAccount): Promise<Import>;
  /** Creates an import, sends its file, and waits until the import has ended. */
  run(file: string | Buffer, body?: object, account?: TestAccount): Promise<Import>;
  /** Returns the rows of the file of failures, as objects with its columns as keys. */
  failures(importId: string, account?: TestAccount): Promise<Record<string, string>[]>;
}

/**
 * Starts a service. With `jobs: false`, imports stay accepted until `service.startJobs` is called.
 */
export async function startImportService(
  options: ContextOverrides & { config?: Partial<Config>; jobs?: boolean; worker?: boolean } = {},
): Promise<ImportService> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-imports-'));
  const service = await startTestService({ ...options, config: { dataDir: directory, ...options.config } });
  const account = service.first;
  const jobs = options.jobs === false ? undefined : service.startJobs();

  const create: ImportService['create'] = async (body = {}, of = account) => {
    const answer = await of.operator('POST', '/imports', body);
    if (answer.status !== 201) throw new Error(`the import was refused: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const send: ImportService['send'] = (importId, file, headers = {}, of = account) =>
    service.call('PUT', `/admin/v1/accounts/${of.accountId}/imports/${importId}/file`, {
      body: Buffer.from(file),
      headers: { authorization: `Bearer ${testAdminToken}`, 'content-type': 'text/csv', ...headers },
    });
  const find: ImportService['find'] = async (importId, of = account) =>
    (await of.operator('GET', `/imports/${importId}`)).body;
  const ended: ImportService['ended'] = async (importId, of = account) => {
    for (;;) {
      const row = await service.context.db
        .selectFrom('imports')
        .where('account_id', '=', of.accountId)
        .where('import_id', '=', importId)
        .select(['finished_at', 'file_key'])
        .executeTakeFirstOrThrow();
      if (row.finished_at !== null && row.file_key === null) return find(importId, of);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return {
    service,
    account,
    filesOf: (accountId) => path.join(directory, 'exports', 'imports', String(accountId)),
    async files() {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    },
    create,
    send,
    find,
    ended,
    async run(file, body, of = account) {
      const { import_id } = await create(body, of);
      const answer = await send(import_id, file, {}, of);
      if (answer.status !== 200) throw new Error(`the file was refused: ${JSON.stringify(answer.body)}`);
      return ended(import_id, of);
    },
    async failures(importId, of = account) {
      const answer = await of.operator('GET', `/imports/${importId}/failures`);
      if (answer.status !== 200) throw new Error(`no failures: ${JSON.stringify(answer.body)}`);
      return parse(answer.body as string, { columns: true, relax_column_count: true });
    },
    async [Symbol.asyncDispose]() {
      await jobs?.[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
