import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readGroupRoles } from '#platform/config/values/group-roles.ts';
import { safeReturnAddress } from '#features/users/single-sign-on/return-address.ts';
import { startTestService, type Answer, type TestService } from '../support/service.ts';
import { createAuthenticator } from './authenticator.ts';
import { oidcConfig, startLyingProvider, startRealProvider, type Lie, type ProviderPerson } from './oidc-servers.ts';
import { goodPassword, openBrowser, owner, signedInOwner, type Browser } from './support.ts';
import { lockWaits } from '../support/lock-waits.ts';

const publicUrl = 'http://localhost:8080';
const callback = `${publicUrl}/admin/v1/single-sign-on/callback`;
const start = '/admin/v1/single-sign-on/start';

const personOf = async (browser: Browser) => (await browser.send('GET', '/session')).body.person;

describe('with a real provider', () => {
  let person: ProviderPerson = { sub: 'lena', email: 'lena@example.com', email_verified: true, name: 'Lena Weber' };
  let provider: Awaited<ReturnType<typeof startRealProvider>>;
  let service: TestService;

  beforeAll(async () => {
    provider = await startRealProvider(callback, () => person);
    const oidcRoles = readGroupRoles('marketing=1:editor, leads=*:admin, privacy=2:privacy+unmasked');
    const config = { ...oidcConfig(provider.issuer, publicUrl), oidcName: 'Example login', oidcRoles };
    service = await startTestService({ worker: false, config });
    await service.createAccount({ name: 'Second' });
    await signedInOwner(service);
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  /** Signs a person in, as a browser does. */
  async function signIn(one: ProviderPerson, query = ''): Promise<{ browser: Browser; answer: Answer }> {
    person = one;
    const browser = openBrowser(service);
    const started = await browser.get(`${start}${query}`);
    expect(started.status).toBe(303);
    const returned = new URL(await provider.signIn(String(started.headers['location'])));
    const answer = await browser.get(`${returned.pathname}${returned.search}`, { 'sec-fetch-site': 'cross-site' });
    return { browser, answer };
  }

  test('the session names the provider', async () => {
    const { body } = await openBrowser(service).send('GET', '/session');
    expect(body).toMatchObject({ single_sign_on: { name: 'Example login' }, public_url: publicUrl });
  });

  test('the address at the provider has PKCE, a state and a nonce, which are new each time', async () => {
    const addresses = [];
    for (let count = 0; count < 2; count++)
      addresses.push(new URL(String((await openBrowser(service).get(start)).headers['location'])));
    const [one, two] = addresses.map(({ searchParams }) => Object.fromEntries(searchParams));
    expect(one).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: callback,
      scope: 'openid email profile',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(one![name]).not.toBe(two![name]);
  });

  test('a person with a group gets a user with the roles of all groups, and goes where the link led', async () => {
    const groups = ['marketing', 'privacy', 'other'];
    const { browser, answer } = await signIn(
      { sub: 'lena', email: 'lena@example.com', email_verified: true, name: 'Lena Weber', groups },
      '?return_to=/console/accounts/1/contacts',
    );

    expect(answer).toMatchObject({ status: 303, headers: { location: '/console/accounts/1/contacts' } });
    expect(await personOf(browser)).toMatchObject({
      name: 'Lena Weber',
      has_password: false,
      accounts: [
        { account_id: 1, role: 'editor', unmasked: false },
        { account_id: 2, role: 'privacy', unmasked: true },
      ],
    });
    expect((await browser.send('GET', '/me/sessions')).body.data[0].method).toBe('single_sign_on');
  });

  test('the roles follow the groups at every sign-in', async () => {
    const lena = { sub: 'lena', email: 'lena@example.com', email_verified: true };
    const leads = await signIn({ ...lena, groups: ['leads'] });
    expect((await personOf(leads.browser)).accounts).toMatchObject([
      { role: 'admin' },
      { role: 'admin', unmasked: false },
    ]);
    const none = await signIn({ ...lena, groups: [] });
    expect((await personOf(none.browser)).accounts).toEqual([]);
    expect(await personOf(leads.browser)).toMatchObject({ accounts: [] });
    // The subject is the same person, even with another address.
    const renamed = await signIn({
      sub: 'lena',
      email: 'weber@example.com',
      email_verified: false,
      groups: ['marketing'],
    });
    expect(await personOf(renamed.browser)).toMatchObject({
      email: 'lena@example.com',
      accounts: [{ role: 'editor' }],
    });
  });

  test.each<[string, ProviderPerson, string]>([
    [
      'whose address is not verified',
      { sub: 'a', email: 'a@example.com', email_verified: false, groups: ['leads'] },
      'Your address is not verified',
    ],
    ['without an address', { sub: 'b', groups: ['leads'] }, 'Your address is not verified'],
    [
      'without a group and an invitation',
      { sub: 'c', email: 'c@example.com', email_verified: true },
      'You have no access yet',
    ],
    [
      'with the address of a user',
      { sub: 'd', email: owner.email, email_verified: true, groups: ['leads'] },
      'Your address already has a user',
    ],
  ])('a person %s is refused with a page that says what to do', async (_, one, title) => {
    const { browser, answer } = await signIn(one);
    expect(answer.status).toBe(403);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toContain(`<h1>${title}</h1>`);
    expect(await personOf(browser)).toBeNull();
    expect((await service.context.pool.query('select from users')).rowCount).toBe(2);
  });

  test('an existing user and an invitation are used if the setting allows it', async () => {
    const config = { ...oidcConfig(provider.issuer, publicUrl), oidcLinkByEmail: 'true' as const };
    await using linking = await startTestService({ worker: false, config });
    const ownerBrowser = await signedInOwner(linking);
    await ownerBrowser.send('POST', '/accounts/1/invitations', { email: 'Noor@example.com', role: 'privacy' });
    for (const [one, expected] of [
      [
        { sub: 'asha', email: 'ASHA@example.com', email_verified: true },
        { email: owner.email, accounts: [{ role: 'owner' }] },
      ],
      [
        { sub: 'noor', email: 'noor@example.com', email_verified: true },
        { name: 'noor', accounts: [{ role: 'privacy' }] },
      ],
    ] as const) {
      person = one;
      const browser = openBrowser(linking);
      const returned = new URL(await provider.signIn(String((await browser.get(start)).headers['location'])));
      expect((await browser.get(`${returned.pathname}${returned.search}`)).status).toBe(303);
      expect(await personOf(browser)).toMatchObject(expected);
    }
    expect((await linking.first.operator('GET', '/invitations')).body.data).toEqual([]);
  });

  test('an invitation of a person who was removed since is not used', async () => {
    const config = { ...oidcConfig(provider.issuer, publicUrl), oidcLinkByEmail: 'true' as const };
    await using linking = await startTestService({ worker: false, config });
    const author = await signedInOwner(linking);
    const invitation = { email: 'noor@example.com', role: 'owner', unmasked: true };
    expect((await author.send('POST', '/accounts/1/invitations', invitation)).status).toBe(201);
    await linking.context.pool.query('delete from memberships; update users set is_installation_admin = false');
    person = { sub: 'noor', email: 'noor@example.com', email_verified: true };
    const browser = openBrowser(linking);
    const returned = new URL(await provider.signIn(String((await browser.get(start)).headers['location'])));
    const answer = await browser.get(`${returned.pathname}${returned.search}`);
    expect(answer.status).toBe(403);
    expect(answer.body).toContain('<h1>You have no access yet</h1>');
    expect(await personOf(browser)).toBeNull();
  });

  describe('the first single sign-on of an existing user', () => {
    let linking: TestService;
    const email = 'boss@example.com';
    const device = createAuthenticator(publicUrl);

    beforeAll(async () => {
      const config = { ...oidcConfig(provider.issuer, publicUrl), oidcLinkByEmail: 'true' as const };
      linking = await startTestService({ worker: false, config });
    });
    afterAll(() => linking[Symbol.asyncDispose]());

    /** Creates a user with the address of the boss, as an admin without a mail server can. */
    async function createUser(): Promise<Browser> {
      const invited = await linking.first.operator('POST', '/invitations', { email, role: 'viewer' });
      const token = invited.body.link.split('#token=')[1];
      const browser = openBrowser(linking);
      const made = { token, name: 'Made before', password: goodPassword };
      expect((await browser.send('POST', '/invitations/accept', made)).status).toBe(200);
      return browser;
    }

    test('ends the password, sessions, tokens, passkeys, the authenticator app and open resets', async () => {
      const before = await createUser();
      const { token } = (await before.send('POST', '/me/tokens', { name: 'Kept' })).body;
      const { options } = (await before.send('POST', '/me/passkey-options')).body;
      const added = await before.send('POST', '/me/passkeys', { name: 'Kept', response: device.create(options) });
      const { secret } = (await before.send('POST', '/me/two-factor')).body;
      const confirmed = await before.send('POST', '/me/two-factor/confirm', { code: await generate({ secret }) });
      expect([added.status, confirmed.body.recovery_codes.length]).toEqual([201, 10]);
      const half = openBrowser(linking);
      expect((await half.send('POST', '/session', { email, password: goodPassword })).body.status).toBe(
        'second_factor',
      );
      const reset = (await linking.operator('POST', '/password-reset-links', { email })).body.link.split('#token=')[1];

      person = { sub: 'boss', email, email_verified: true, name: 'The boss' };
      const boss = openBrowser(linking);
      const returned = new URL(await provider.signIn(String((await boss.get(start)).headers['location'])));
      expect((await boss.get(`${returned.pathname}${returned.search}`)).status).toBe(303);

      expect(await personOf(boss)).toMatchObject({
        name: 'Made before',
        has_password: false,
        accounts: [{ account_id: 1, role: 'viewer' }],
      });
      expect((await boss.send('GET', '/me/sessions')).body.data).toMatchObject([{ method: 'single_sign_on' }]);
      expect(await personOf(before)).toBeNull();
      const stranger = openBrowser(linking);
      const withToken = await stranger.send('GET', '/me', undefined, { authorization: `Bearer ${token}` });
      expect(withToken.status).toBe(401);
      expect((await stranger.send('POST', '/session', { email, password: goodPassword })).status).toBe(401);
      const recovery = await half.send('POST', '/session/second-factor', { code: confirmed.body.recovery_codes[0] });
      expect(recovery.status).toBe(410);
      const asked = (await stranger.send('POST', '/session/passkey-options')).body.options;
      const response = device.get(asked, {}, device.passkeys[0]);
      expect((await stranger.send('POST', '/session/passkey', { response })).status).toBe(401);
      const completed = { token: reset, password: goodPassword };
      expect((await stranger.send('POST', '/password-resets/complete', completed)).status).toBe(410);
      const { rows } = await linking.context.pool.query(
        'select from authenticator_apps union all select from recovery_codes',
      );
      expect(rows).toEqual([]);
      expect((await linking.first.operator('GET', '/audit-log?limit=1')).body.data).toMatchObject([
        { action: 'member.link', actor: 'user:1', subject: 'user:1', details: { reason: 'single_sign_on' } },
      ]);

      // The second sign-in of the person ends nothing.
      const again = openBrowser(linking);
      const second = new URL(await provider.signIn(String((await again.get(start)).headers['location'])));
      expect((await again.get(`${second.pathname}${second.search}`)).status).toBe(303);
      expect(await personOf(boss)).not.toBeNull();
    });

    test.each([
      ['a token', '/me/tokens', { name: 'Late' }],
      ['a password', '/me/password', { new_password: goodPassword }],
      ['an authenticator app', '/me/two-factor', undefined],
    ])('leaves no gap for a request that waits meanwhile and sets %s', async (_, path, body) => {
      const { pool } = linking.context;
      await pool.query('delete from users');
      const before = await createUser();
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query('select from users for update');
        const late = before.send('POST', path, body);
        await expect.poll(async () => (await pool.query(lockWaits)).rowCount).toBe(1);
        await client.query('delete from sessions');
        await client.query('commit');
        expect(await late).toMatchObject({ status: 403, body: { errors: [{ code: 'confirmation_required' }] } });
      } finally {
        client.release();
      }
    });
  });

  test('a disabled user is refused', async () => {
    await service.context.pool.query(`update users set disabled_at = now() where email = 'lena@example.com'`);
    const { answer } = await signIn({ sub: 'lena', email: 'lena@example.com', email_verified: true });
    expect(answer.body).toContain('Your user is disabled');
  });

  test('one network can start many sign-ins, but not without end', async () => {
    const one = openBrowser(service);
    expect((await one.get(start)).status).toBe(303);
    await service.context.pool.query(`update sign_in_limits set points = 1000 where key like 'start:%'`);
    const answer = await one.get(start);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([429, undefined]);
    expect(answer.body).toContain('<h1>Too many sign-ins</h1>');
    expect((await openBrowser(service).get(start)).status).toBe(303);
    await service.context.pool.query('delete from sign_in_limits');
  });

  test('the answer of the provider works once, and only in the browser that began', async () => {
    person = { sub: 'once', email: 'once@example.com', email_verified: true, groups: ['marketing'] };
    const browser = openBrowser(service);
    const returned = new URL(await provider.signIn(String((await browser.get(start)).headers['location'])));
    const path = `${returned.pathname}${returned.search}`;
    expect((await openBrowser(service).get(path)).status).toBe(410);
    const copy = openBrowser(service, { cookies: new Map(browser.cookies) });
    expect((await browser.get(path)).status).toBe(303);
    expect((await copy.get(path)).status).toBe(410);
  });

  test('an account that is being deleted keeps nobody from signing in, and no user from being deleted', async () => {
    const { accountId } = await service.createAccount({ name: 'Third' });
    const lead = (sub: string) => ({ sub, email: `${sub}@example.com`, email_verified: true, groups: ['leads'] });
    const { browser } = await signIn(lead('mia'));
    expect((await personOf(browser)).accounts).toHaveLength(3);
    expect((await service.operator('DELETE', `/accounts/${accountId}?name=Third`)).status).toBe(200);
    const { user_id: userId, accounts } = await personOf(browser);
    expect(accounts).toMatchObject([{ account_id: 1 }, { account_id: 2 }]);
    const late = await signIn(lead('noor'));
    expect(late.answer.status).toBe(303);
    expect((await personOf(late.browser)).accounts).toMatchObject([{ account_id: 1 }, { account_id: 2 }]);
    expect((await service.operator('DELETE', `/users/${userId}`)).status).toBe(204);
  });
});

describe('with a lying provider', () => {
  let lie: Lie = {};
  let provider: Awaited<ReturnType<typeof startLyingProvider>>;
  let service: TestService;

  beforeAll(async () => {
    provider = await startLyingProvider(() => lie);
    const oidcRoles = readGroupRoles('all=1:owner+unmasked');
    service = await startTestService({
      worker: false,
      config: { ...oidcConfig(provider.issuer, publicUrl), oidcRoles, oidcLinkByEmail: 'true' },
    });
    await signedInOwner(service);
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  async function signIn(one: Lie, change: (query: URLSearchParams) => void = () => undefined) {
    lie = one;
    const browser = openBrowser(service);
    const address = new URL(String((await browser.get(start)).headers['location']));
    provider.nonce = address.searchParams.get('nonce')!;
    const query = new URLSearchParams({ code: 'any', state: address.searchParams.get('state')! });
    change(query);
    return { browser, answer: await browser.get(`/admin/v1/single-sign-on/callback?${query.toString()}`) };
  }

  test('an honest token signs in', async () => {
    const { browser, answer } = await signIn({});
    expect(answer.status).toBe(303);
    expect(await personOf(browser)).toMatchObject({ email: owner.email });
  });

  const past = Math.floor(Date.now() / 1000) - 3600;
  test.each<[string, Lie]>([
    ['of another issuer', { claims: { iss: 'https://login.example.com' } }],
    ['for another audience', { claims: { aud: 'another-client' } }],
    ['for several audiences without saying which', { claims: { aud: ['roster', 'another-client'] } }],
    ['with another nonce', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['that has expired', { claims: { iat: past, exp: past + 60 } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['without a signature (alg none)', { algorithm: 'none' }],
    ['with an algorithm that the provider does not use', { algorithm: 'HS256' }],
    ['signed with a key that the provider has not published', { otherKey: true }],
  ])('a token %s is refused', async (_, one) => {
    const { browser, answer } = await signIn(one);
    expect(answer.status).toBe(403);
    expect(answer.body).toContain('The sign-in failed');
    expect(await personOf(browser)).toBeNull();
  });

  test('an answer with another state, without a code, or with an error is refused', async () => {
    for (const change of [
      (query: URLSearchParams) => query.set('state', 'another'),
      (query: URLSearchParams) => query.delete('state'),
      (query: URLSearchParams) => query.delete('code'),
      (query: URLSearchParams) => query.set('error', 'access_denied'),
    ]) {
      const { browser, answer } = await signIn({}, change);
      expect(answer.status).toBe(403);
      expect(await personOf(browser)).toBeNull();
    }
  });

  test('a provider that fails to give the token is refused', async () => {
    expect((await signIn({ fails: true })).answer.status).toBe(403);
  });
});

test('a provider that is away gets a page that says so, and the password still works', async () => {
  const config = oidcConfig('http://127.0.0.1:9', publicUrl);
  await using service = await startTestService({ worker: false, config });
  await signedInOwner(service);
  const answer = await openBrowser(service).get(start);
  expect(answer.status).toBe(503);
  expect(answer.body).toContain('The sign-in service is not available');
  const signedIn = await openBrowser(service).send('POST', '/session', {
    email: owner.email,
    password: owner.password,
  });
  expect(signedIn.status).toBe(200);
});

test('a service without a provider has no single sign-on', async () => {
  await using service = await startTestService({ worker: false });
  expect((await openBrowser(service).get(start)).status).toBe(404);
  expect((await openBrowser(service).get('/admin/v1/single-sign-on/callback?code=x')).status).toBe(404);
});

test.each([
  ['/console', '/console'],
  ['/console/accounts/1?filter=a#b', '/console/accounts/1?filter=a#b'],
  [undefined, '/console'],
  ['', '/console'],
  ['https://evil.example.com', '/console'],
  ['//evil.example.com', '/console'],
  ['/\\evil.example.com', '/console'],
  ['/console\\..\\..', '/console'],
  ['/console/../..//evil.example.com', '/console'],
  ['/console/%2e%2e/%2e%2e/docs', '/console'],
  ['/consoles', '/console'],
  ['/console@evil.example.com', '/console'],
  ['javascript:alert(1)', '/console'],
  ['/console\n//evil.example.com', '/console'],
])('the return address %j leads to %j (open redirect)', (given, expected) => {
  expect(safeReturnAddress(given)).toBe(expected);
});

test.each(['x', 'x=1', 'x=1:king', 'x=0:owner', 'x=1:owner+all', '=1:owner', 'x=a:owner'])(
  'the mapping of groups %j is refused',
  (text) => {
    expect(() => readGroupRoles(text)).toThrow();
  },
);
