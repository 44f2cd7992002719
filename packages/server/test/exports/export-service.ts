import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Export } from '@roster/contract';
import { parse } from 'csv-parse/sync';
import type { Config } from '#platform/config/config.ts';
import type { ContextOverrides } from '#app/create-context.ts';
import { runExport } from '#features/exports/run/run-export.ts';
import type { Answer, TestAccount, TestService } from '../support/service.ts';
import { startTestService } from '../support/service.ts';

/** A service that runs exports, with its own directory for their files. */
export interface ExportService extends AsyncDisposable {
  readonly service: TestService;
  readonly account: TestAccount;
  /** The directory of the files. */
  readonly directory: string;
  /** Sends an export request. */
  request(body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Sends an export request that must be accepted, and returns its id. */
  accepted(body: unknown, headers?: Record<string, string>): Promise<string>;
  /** An export as operators see it. */
  find(requestId: string): Promise<Export>;
  /** Waits until an export has ended. */
  ended(requestId: string): Promise<Export>;
  /** Waits until an export is completed, and returns its file as another parser reads it. */
  rows(requestId: string): Promise<string[][]>;
  /** Fetches a file by its URL. */
  download(url: string, headers?: Record<string, string>, method?: 'GET' | 'HEAD'): Promise<FileAnswer>;
}

/** An answer, with its body as bytes. */
interface FileAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** The public URL of the test services. */
export const publicUrl = 'https://contacts.example.com/roster';

/**
 * Starts a service. With `jobs: false`, exports stay accepted until `service.startJobs` is called.
 */
export async function startExportService(
  options: ContextOverrides & { config?: Partial<Config>; jobs?: boolean; worker?: boolean } = {},
): Promise<ExportService> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-exports-'));
  // The limit is higher than the number of exports that wait in any test.
  const config = { dataDir: directory, publicUrl, exportsPerAccount: 1000, ...options.config };
  const service = await startTestService({ ...options, config });
  const account = service.first;
  const jobs = options.jobs === false ? undefined : service.startJobs({ export: runExport });

  const request: ExportService['request'] = (body, headers = {}) =>
    service.call('POST', '/v4/audience/export', { body, headers: { 'api-key': account.apiKey, ...headers } });
  const find: ExportService['find'] = async (requestId) =>
    (await account.operator('GET', `/exports/${requestId}`)).body;
  const ended: ExportService['ended'] = async (requestId) => {
    for (;;) {
      const found = await find(requestId);
      if (found.finished_at !== null) return found;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const download: ExportService['download'] = async (url, headers = {}, method = 'GET') => {
    const answer = await service.app.inject({ method, url: url.replace(publicUrl, ''), headers });
    return { status: answer.statusCode, headers: answer.headers, body: answer.rawPayload };
  };
  return {
    service,
    account,
    directory: path.join(directory, 'exports'),
    request,
    async accepted(body, headers) {
      const answer = await request(body, headers);
      if (answer.status !== 200) throw new Error(`the export was refused: ${JSON.stringify(answer.body)}`);
      return answer.body.data.request_id;
    },
    find,
    ended,
    async rows(requestId) {
      const found = await ended(requestId);
      if (found.file_url === null) throw new Error(`there is no file: ${JSON.stringify(found)}`);
      const { body } = await download(found.file_url);
      return parse(body, { record_delimiter: '\r\n' });
    },
    download,
    async [Symbol.asyncDispose]() {
      await jobs?.[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** An export request for a list. `details` go into `audience_details`, and `rest` next to it. */
export function listExport(audienceId: number, details: object = {}, rest: object = {}): object {
  return {
    audience_details: { audience_type: 'list', audience_id: audienceId, ...details },
    callback_details: {},
    ...rest,
  };
}
