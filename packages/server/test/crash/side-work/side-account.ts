import { Client, type Reply } from '../client.ts';
import { adminToken, operator, type Target } from '../target.ts';
import { until } from '../wait.ts';

/** Milliseconds after which a request must have got an answer at last; longer than any restart. */
const patience = 120_000;

/** The account that everything but the contact writers works on, so that their counts stay certain. */
export class SideAccount {
  readonly target: Target;
  readonly accountId: number;
  readonly apiKey: string;
  /** Lists for batch adds, imports and exports. */
  readonly lists: { readonly batches: number; readonly imports: number; readonly exports: number };
  /** Faults that were seen since the last look. */
  readonly problems: string[] = [];
  /** Aborted when nothing new is to be begun. */
  readonly ending = new AbortController();

  private constructor(target: Target, accountId: number, apiKey: string, lists: SideAccount['lists']) {
    this.target = target;
    this.accountId = accountId;
    this.apiKey = apiKey;
    this.lists = lists;
  }

  /** Makes the account with its lists. */
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
   * Sends a request again and again until it is answered by something else than "try again"; answers that. The request must be one that may
   * be repeated.
   */
  async insist(method: string, path: string, body?: object | string): Promise<Extract<Reply, { kind: 'answered' }>> {
    using client = new Client();
    const headers = { 'api-key': this.apiKey, authorization: `Bearer ${adminToken}` };
    return await until(
      `${method} ${path} is answered`,
      patience,
      () => this.#attempt(client, method, path, headers, body),
      200,
    );
  }

  /** As {@link insist}, with an `Idempotency-Key`. */
  async insistOnce(path: string, key: string, body: object): Promise<Extract<Reply, { kind: 'answered' }>> {
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
    // Awaited: the connection is ours until the answer is here.
    return await client.send(method, `${this.target.urls[0]}${path}`, headers, body);
  }

  /** Waits until everything that was accepted for the account before has been applied, while others go on sending. */
  async caughtUp(): Promise<void> {
    const contacts = [{ identity: 'marker@example.com' }];
    const { body } = await this.insist('POST', '/v5/contact/create', {
      data: { contact_type: 'identified', contacts },
    });
    const request = `/admin/v1/accounts/${this.accountId}/requests/${String(body['request_id'])}`;
    await until('a request is applied after all before it', patience, async () => {
      const { body: stored } = await this.insist('GET', request);
      return stored['status'] !== 'accepted';
    });
  }

  /** Waits until nothing that was accepted for the account waits to be applied. Only for when nothing is sent any more. */
  async drained(): Promise<void> {
    const waiting = `/admin/v1/accounts/${this.accountId}/requests?status=accepted&limit=1`;
    await until('the pipeline is empty', patience, async () => {
      const { body } = await this.insist('GET', waiting);
      return (body['data'] as unknown[]).length === 0;
    });
  }

  /** Notes what is wrong with a reply that should be a success; true when it is one. */
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
    // v3 says with a 400 that the database is away.
    const isAway = reply.status === 400 && JSON.stringify(reply.body).includes('server not found');
    return reply.status === 503 || reply.status === 429 || reply.status === 507 || isAway ? undefined : reply;
  }
}
