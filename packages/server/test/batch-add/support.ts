import type { BatchAddReport } from '@roster/contract';
import type { Answer, TestAccount, TestService } from '../support/service.ts';

/** Sends a batch unchanged. */
export async function send(
  service: TestService,
  body: unknown,
  headers: Record<string, string> = { 'api-key': service.first.apiKey },
): Promise<Answer> {
  return service.call('POST', '/v3/contact/batchadd', { body, headers });
}

/** A batch for list 1 of an account with the primary key EMAIL. `changes` replaces fields. */
export function batch(data: unknown, changes: object = {}): Record<string, unknown> {
  return {
    listid: 1,
    notifyemail: 'asha@example.com',
    callbackurl: 'https://hooks.example.com/batches',
    primarykey: 'email',
    data,
    ...changes,
  };
}

/** A valid batch of one contact. */
export const one = (changes: object = {}): Record<string, unknown> =>
  batch([{ EMAIL: 'asha@example.com', FIRST_NAME: 'Asha' }], changes);

/** Sends a batch that must be accepted, and returns the id of its job. */
export async function accepted(service: TestService, body: unknown, account: TestAccount = service.first) {
  const answer = await send(service, body, { 'api-key': account.apiKey });
  if (answer.status !== 200) throw new Error(`the batch was refused: ${JSON.stringify(answer.body)}`);
  return answer.body.message as string;
}

/** The request of a job, as operators see it. */
export async function requestOf(account: TestAccount, jobId: string): Promise<Answer['body']> {
  return (await account.operator('GET', `/requests/${jobId}`)).body;
}

/** The bodies of the callbacks about a job. */
export async function reportsOf({ context }: TestService, jobId: string): Promise<BatchAddReport[]> {
  const rows = await context.db.selectFrom('deliveries').where('source_id', '=', jobId).select('body').execute();
  return rows.map(({ body }) => JSON.parse(body) as BatchAddReport);
}

/** Sends a batch, waits until it is applied, and returns the body of its callback. */
export async function applied(
  service: TestService,
  body: unknown,
  account: TestAccount = service.first,
): Promise<BatchAddReport> {
  const jobId = await accepted(service, body, account);
  await service.settled();
  const reports = await reportsOf(service, jobId);
  if (reports.length !== 1) throw new Error(`${reports.length} callbacks instead of one`);
  return reports[0]!;
}

/** The daily limit of an account as operators see it. */
export async function dailyBatch(account: TestAccount): Promise<{ limit: number; used: number; resets_at: string }> {
  return (await account.operator('GET', '')).body.daily_batch;
}
