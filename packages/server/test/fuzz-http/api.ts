import { isReady } from '../crash/target.ts';
import { until } from '../crash/wait.ts';

/** An answer of the service; a wrong path into it shows as a failure of the run. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = any;

/** Good requests: they prepare what hostile ones are sent to, and look at what these have left. */
export class Api {
  readonly url: string;
  readonly adminToken: string;

  constructor(url: string, adminToken: string) {
    this.url = url;
    this.adminToken = adminToken;
  }

  /** Calls the operator API; throws when it is refused. */
  operator(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Body> {
    return this.#call(method, `/admin/v1${path}`, { authorization: `Bearer ${this.adminToken}` }, body);
  }

  /** Calls a contact or attribute operation; throws when it is refused. */
  v5(apiKey: string, path: string, body: object): Promise<Body> {
    return this.#call('POST', `/v5${path}`, { 'api-key': apiKey }, body);
  }

  /** A new key of an account, with every scope. */
  async newKey(accountId: number): Promise<{ readonly api_key: string; readonly api_key_id: number }> {
    const scopes = [
      'contacts:read',
      'contacts:write',
      'attributes:read',
      'attributes:write',
      'export',
      'activity:read',
      'unmasked',
    ];
    return this.operator('POST', `/accounts/${accountId}/api-keys`, { name: 'Fuzz', scopes });
  }

  async isValidKey(apiKey: string): Promise<boolean> {
    const answer = await this.#send('POST', '/v5/client/attribute/search', { 'api-key': apiKey }, {});
    return answer.status !== 401;
  }

  /** The first page of a collection. */
  async list(path: string): Promise<Record<string, unknown>[]> {
    return (await this.#call('GET', path, { authorization: `Bearer ${this.adminToken}` })).data;
  }

  /** Any address without a credential. */
  async get(path: string): Promise<Body> {
    return this.#call('GET', path, {});
  }

  async #call(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Body> {
    // The answer of a busy service is to come again.
    for (let attempt = 1; ; attempt++) {
      const { status, text } = await this.#send(method, path, headers, body);
      if (status < 300) return text === '' ? undefined : JSON.parse(text);
      if ((status !== 503 && status !== 429) || attempt === 30)
        throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  async #send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<{ status: number; text: string }> {
    // A service that died is started again.
    await until('the service takes connections', 60_000, () => isReady(this.url));
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }
}
