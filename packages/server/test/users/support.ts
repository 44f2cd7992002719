import { buildApp } from '#app/api/app.ts';
import { createContext } from '#app/create-context.ts';
import { createCredentialStore } from '#features/accounts/keys/credentials.ts';
import { createPersonStore } from '#features/users/sessions/person-store.ts';
import { newSetUpToken } from '#features/users/set-up/set-up.ts';
import { createAcceptor } from '#pipeline/accept/acceptor.ts';
import { createFailedAuthentications } from '#platform/http/authentication/failed-authentications.ts';
import type { OpenApiDocument } from '#platform/http/openapi/document.ts';
import { conformanceTo, type Conformance } from '../support/conforms.ts';
import { testAdminToken } from '../support/context.ts';
import type { Answer, TestService } from '../support/service.ts';

/** The password of every person in tests. */
export const goodPassword = 'correct horse battery staple';

/** The owner that {@link signedInOwner} creates. */
export const owner = { name: 'Asha Rao', email: 'asha@example.com', password: goodPassword };

/** A service, or another API process on the same database. */
export type Process = Pick<TestService, 'app'>;

/** A browser: keeps cookies, and sends what browsers send. */
export interface Browser {
  readonly cookies: Map<string, string>;
  /** Sends a request to the operator API. `path` is without `/admin/v1`. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a request to any path. */
  get(url: string, headers?: Record<string, string>): Promise<Answer>;
  /** A browser with the same cookies that calls another process. */
  at(process: Process): Browser;
}

/** Opens a browser. Each browser has its own IP address, unless one is given. */
export function openBrowser(
  process: Process,
  options: { address?: string; cookies?: Map<string, string> } = {},
): Browser {
  const { address = nextAddress(), cookies = new Map<string, string>() } = options;

  async function request(method: string, url: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await process.app.inject({
      method: method as 'POST',
      url,
      remoteAddress: address,
      headers: {
        'sec-fetch-site': 'same-origin',
        'user-agent': 'Test browser',
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    for (const { name, value, maxAge } of response.cookies as { name: string; value: string; maxAge?: number }[]) {
      if (maxAge === 0) cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = response.payload;
    const answer = {
      status: response.statusCode,
      headers: response.headers,
      body: text.startsWith('{') ? JSON.parse(text) : text,
    };
    // The operations of API keys are described only at their own paths.
    const isDescribed = !/\/single-sign-on\/|\/accounts\/\d+\/(contact|client)\//.test(url);
    if (url.startsWith('/admin/v1/') && isDescribed) {
      conformanceOf(process)({ method, path: url, status: answer.status, body: answer.body });
    }
    return answer;
  }

  return {
    cookies,
    send: (method, path, body, headers = {}) => request(method, `/admin/v1${path}`, body, headers),
    get: (url, headers = {}) => request('GET', url, undefined, headers),
    at: (other) => openBrowser(other, { address, cookies }),
  };
}

let conformance: Conformance | undefined;

/**
 * Returns the check of answers against the OpenAPI document. It throws if an answer differs. All
 * services describe the same operations, and making the document takes long, so it is made once.
 */
function conformanceOf({ app }: Process): Conformance {
  conformance ??= conformanceTo(structuredClone(app.swagger()) as unknown as OpenApiDocument);
  return conformance;
}

let addresses = 0;

function nextAddress(): string {
  addresses++;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** Creates the owner by the link of the set-up, and returns the browser in which it is signed in. */
export async function signedInOwner(service: TestService): Promise<Browser> {
  const browser = openBrowser(service);
  const token = await newSetUpToken(service.context);
  const answer = await browser.send('POST', '/set-up', { token, ...owner });
  if (answer.status !== 200) throw new Error(`the set-up was refused: ${JSON.stringify(answer.body)}`);
  return browser;
}

/** Another API process on the database of a service. */
export async function startSecondProcess(service: TestService): Promise<Process & AsyncDisposable> {
  const { config, log, now, newId } = service.context;
  const context = createContext(config, 'api', { log, now, newId });
  const credentials = createCredentialStore(context);
  const app = await buildApp({
    context,
    credentials,
    people: createPersonStore(context),
    failedAuthentications: createFailedAuthentications(context),
    acceptor: createAcceptor(context),
    adminToken: testAdminToken,
  });
  await app.ready();
  return {
    app,
    async [Symbol.asyncDispose]() {
      await app.close();
      await credentials[Symbol.asyncDispose]();
      await context[Symbol.asyncDispose]();
    },
  };
}
