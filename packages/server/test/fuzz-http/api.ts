import { isReady } from '../crash/target.ts';
import { until } from '../crash/wait.ts';

/** The parsed body of a response. Reading a field that does not exist makes the run fail. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = any;

/** Sends valid requests: they create the data to attack, and check it after the attack. */
export class Api {
  readonly url: string;
  readonly adminToken: string;

  constructor(url: string, adminToken: string) {
    this.url = url;
    this.adminToken = adminToken;
  }

  /** Calls the operator API. Throws when the service refuses the request. */
  operator(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Body> {
    return this.#call(method, `/admin/v1${path}`, { authorization: `Bearer ${this.adminToken}` }, body);
  }

  /** Calls a contact or attribute operation. Throws when the service refuses the request. */
  v5(apiKey: string, path: string, body: object): Promise<Body> {
    return this.#call('POST', `/v5${path}`, { 'api-key': apiKey }, body);
  }

  /** Creates a key of an account, with every scope. */
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

  /** Returns the first page of a collection. */
  async list(path: string): Promise<Record<string, unknown>[]> {
    return (await this.#call('GET', path, { authorization: `Bearer ${this.adminToken}` })).data;
  }

  /** Gets any path without a credential. */
  async get(path: string): Promise<Body> {
    return this.#call('GET', path, {});
  }

  async #call(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Body> {
    // A busy service responds with 429 or 503: try again.
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
    // The supervisor restarts a service that died: wait until it is back.
    await until('the service takes connections', 60_000, () => isReady(this.url));
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }
}
