import { createSign, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** A person at a provider. */
export interface ProviderPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

/** A provider on loopback. Disposing of it stops it. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
}

const clientId = 'roster';
const clientSecret = 'a-secret-of-the-tests';

/** The settings of a service that uses a provider. */
export function oidcConfig(issuer: string, publicUrl: string) {
  return { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, publicUrl };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** A real provider, at which everyone is `person()` and agrees to everything. */
export async function startRealProvider(
  redirectUri: string,
  person: () => ProviderPerson,
): Promise<TestProvider & { signIn(address: string): Promise<string> }> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => handle(request, response));
  const issuer = await listen(server);
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['key-of-the-tests'] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...person(), sub }) }),
  });
  const callback = provider.callback();
  handle = (request, response) => {
    if (request.url?.startsWith('/interaction/')) void finish(request, response);
    else void callback(request, response);
  };

  async function finish(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      const result = { login: { accountId: person().sub } };
      return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    }
    const grant = new provider.Grant({ accountId: session!.accountId, clientId: params['client_id'] as string });
    grant.addOIDCScope('openid email profile');
    const result = { consent: { grantId: await grant.save() } };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  }

  return {
    issuer,
    /** Follows the redirects like a browser. Returns the address to which the provider returns. */
    async signIn(address) {
      const cookies = new Map<string, string>();
      for (let url = address; ;) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
        await response.body?.cancel();
        for (const line of response.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
          cookies.set(name!, value!);
        }
        const location = response.headers.get('location');
        if (location === null) throw new Error(`the provider answered ${response.status} at ${url}`);
        url = new URL(location, url).href;
        if (url.startsWith(redirectUri)) return url;
      }
    },
    [Symbol.asyncDispose]: () => close(server),
  };
}

/** What a lying provider puts into its ID token. */
export interface Lie {
  readonly claims?: Readonly<Record<string, unknown>>;
  /** The algorithm in the head of the token; default RS256. `none` has no signature. */
  readonly algorithm?: 'RS256' | 'none' | 'HS256';
  /** Signs with a key that the provider has not published. */
  readonly otherKey?: boolean;
  /** Answers the request for the tokens with an error. */
  readonly fails?: boolean;
}

/** A provider that answers every code with the token that `lie()` describes. */
export async function startLyingProvider(lie: () => Lie): Promise<TestProvider & { nonce: string }> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const state = { nonce: '' };

  function idToken(): string {
    const { claims = {}, algorithm = 'RS256', otherKey = false } = lie();
    const seconds = Math.floor(Date.now() / 1000);
    const payload = {
      iss: issuer,
      aud: clientId,
      sub: 'liar',
      nonce: state.nonce,
      iat: seconds,
      exp: seconds + 60,
      email: 'asha@example.com',
      email_verified: true,
      ...claims,
    };
    const head = encode({ alg: algorithm, typ: 'JWT', ...(algorithm === 'none' ? {} : { kid: 'one' }) });
    const signed = `${head}.${encode(payload)}`;
    return `${signed}.${algorithm === 'none' ? '' : sign(signed, otherKey ? other.privateKey : keys.privateKey)}`;
  }

  const server = createServer((request, response) => {
    request.resume();
    const answers: Readonly<Record<string, () => object>> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
      '/keys': () => ({
        keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
      }),
      '/token': () => ({ access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token: idToken() }),
    };
    const answer = answers[request.url ?? ''];
    const isFailure = answer === undefined || (request.url === '/token' && lie().fails === true);
    response.writeHead(isFailure ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isFailure ? { error: 'server_error' } : answer()));
  });
  const issuer = await listen(server);
  return Object.assign(state, { issuer, [Symbol.asyncDispose]: () => close(server) });
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const sign = (text: string, key: KeyObject): string =>
  createSign('sha256').update(text).sign(key).toString('base64url');
