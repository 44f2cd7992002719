import { Client, type Reply } from '../client.ts';
import { adminToken, operator, type Target } from '../target.ts';
import { until } from '../wait.ts';

/** Milliseconds after which every request must have an answer. Every restart is faster. */
const patience = 120_000;

/**
 * The account for all work except that of the contact writers, whose counts must stay predictable.
 */
export class SideAccount {
  readonly target: Target;
  readonly accountId: number;
  readonly apiKey: string;
  /** Lists for batch adds, imports and exports. */
  readonly lists: { readonly batches: number; readonly imports: number; readonly exports: number };
  /** Problems since the last report. */
  readonly problems: string[] = [];
  /** Aborted when no new work should start. */
  readonly ending = new AbortController();

  private constructor(target: Target, accountId: number, apiKey: string, lists: SideAccount['lists']) {
    this.target = target;
    this.accountId = accountId;
    this.apiKey = apiKey;
    this.lists = lists;
  }

  /** Creates the account and its lists. */
  static async prepare(target: Target): Promise<SideAccount> {
    const account = await operator(target, 'POST', '/accounts', { name: 'Side work', settings: undefined });
    const accountId = account['account_id'] as number;
    await operator(target, 'PATCH', `/accounts/${accountId}`, {
      settings: { auto_create_attributes: true, rate_limit: 0 },
    });
    const scopes = [
      'contacts:read',
      'contacts:write',
      'attributes:read',
      'attributes:write',
      'export',
      'activity:read',
    ];
    const key = await operator(target, 'POST', `/accounts/${accountId}/api-keys`, { name: 'All', scopes });
    const list = async (name: string): Promise<number> =>
      (await operator(target, 'POST', `/accounts/${accountId}/lists`, { name }))['audience_id'] as number;
    const lists = { batches: await list('Batches'), imports: await list('Imports'), exports: await list('Exports') };
    return new SideAccount(target, accountId, key['api_key'] as string, lists);
  }

  /**
   * Repeats a request until the answer is something else than "try again", and returns that answer.
   * The request must be safe to repeat.
   */
  async sendUntilAnswered(
    method: string,
    path: string,
    body?: object | string,
  ): Promise<Extract<Reply, { kind: 'answered' }>> {
    using client = new Client();
    const headers = { 'api-key': this.apiKey, authorization: `Bearer ${adminToken}` };
    return await until(
      `${method} ${path} is answered`,
      patience,
      () => this.#attempt(client, method, path, headers, body),
      200,
    );
  }

  /** Like {@link sendUntilAnswered}, with an `Idempotency-Key`. */
  async sendWithKeyUntilAnswered(
    path: string,
    key: string,
    body: object,
  ): Promise<Extract<Reply, { kind: 'answered' }>> {
    using client = new Client();
    const headers = { 'api-key': this.apiKey, 'idempotency-key': key };
    return await until(
      `POST ${path} is answered`,
      patience,
      () => this.#attempt(client, 'POST', path, headers, body),
      200,
    );
  }

  /** Sends a request once. */
  async attempt(method: string, path: string, body?: object): Promise<Reply> {
    using client = new Client();
    const headers = { 'api-key': this.apiKey, authorization: `Bearer ${adminToken}` };
    // The await keeps the connection open until the answer arrives.
    return await client.send(method, `${this.target.urls[0]}${path}`, headers, body);
  }

  /**
   * Waits until all requests of the account that were accepted before are applied. Other requests
   * may still be sent.
   */
  async waitUntilApplied(): Promise<void> {
    const contacts = [{ identity: 'marker@example.com' }];
    const { body } = await this.sendUntilAnswered('POST', '/v5/contact/create', {
      data: { contact_type: 'identified', contacts },
    });
    const request = `/admin/v1/accounts/${this.accountId}/requests/${String(body['request_id'])}`;
    await until('a request is applied after all before it', patience, async () => {
      const { body: stored } = await this.sendUntilAnswered('GET', request);
      return stored['status'] !== 'accepted';
    });
  }

  /**
   * Waits until no accepted request of the account waits. Use it only when nothing is sent any
   * more.
   */
  async waitUntilDrained(): Promise<void> {
    const waiting = `/admin/v1/accounts/${this.accountId}/requests?status=accepted&limit=1`;
    await until('the pipeline is empty', patience, async () => {
      const { body } = await this.sendUntilAnswered('GET', waiting);
      return (body['data'] as unknown[]).length === 0;
    });
  }

  /** Records a problem if a reply is not a success. Returns whether it is one. */
  succeeded(what: string, reply: Reply): boolean {
    const isSuccess = reply.kind === 'answered' && reply.status < 300;
    if (!isSuccess) this.problems.push(`${what}: ${JSON.stringify(reply).slice(0, 500)}`);
    return isSuccess;
  }

  async #attempt(
    client: Client,
    method: string,
    path: string,
    headers: Record<string, string>,
    body: object | string | undefined,
  ): Promise<Extract<Reply, { kind: 'answered' }> | undefined> {
    const reply = await client.send(method, `${this.target.urls[0]}${path}`, headers, body);
    if (reply.kind !== 'answered') return undefined;
    // v3 reports an unreachable database with a 400.
    const isAway = reply.status === 400 && JSON.stringify(reply.body).includes('server not found');
    return reply.status === 503 || reply.status === 429 || reply.status === 507 || isAway ? undefined : reply;
  }
}
