import type { FastifyRequest } from 'fastify';
import { describe, expect, test, vi } from 'vitest';
import { hour } from '#platform/time/intervals.ts';
import { createPersonStore } from '#features/users/sessions/person-store.ts';
import { newSetUpToken } from '#features/users/set-up/set-up.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { goodPassword, openBrowser, owner, signedInOwner, startSecondProcess, type Browser } from './support.ts';

let now = new Date('2026-03-01T08:00:00Z');
let first: Browser;

const service = await forFile(startTestService({ worker: false, now: () => now }));

const credentials = { email: owner.email, password: owner.password };

/** Signs the owner in, and returns the browser. */
async function signedIn(): Promise<Browser> {
  const browser = openBrowser(service);
  expect((await browser.send('POST', '/session', credentials)).status).toBe(200);
  return browser;
}

const personOf = async (browser: Browser) => (await browser.send('GET', '/session')).body.person;

describe('the set-up', () => {
  test('is needed while there is no user', async () => {
    const { status, body } = await openBrowser(service).send('GET', '/session');

    expect(status).toBe(200);
    expect(body).toEqual({ person: null, needs_set_up: true, single_sign_on: null, public_url: null, mail: false });
  });

  test('refuses a wrong token, and the token of an earlier start', async () => {
    const former = await newSetUpToken(service.context);
    await newSetUpToken(service.context);

    for (const token of ['wrong', former]) {
      const answer = await openBrowser(service).send('POST', '/set-up', { token, ...owner });
      expect(answer).toMatchObject({ status: 410, body: { status: 'error' } });
    }
  });

  test.each([
    ['a short password', { password: '123456789' }, 'password'],
    ['a password that is the address', { password: 'ASHA@example.com' }, 'password'],
    ['a password with 201 characters', { password: 'x'.repeat(201) }, 'password'],
    ['an address without @', { email: 'asha' }, 'email'],
    ['a blank name', { name: ' ' }, 'name'],
    ['an unknown field', { role: 'owner' }, 'role'],
  ])('refuses %s', async (_, change, field) => {
    const token = await newSetUpToken(service.context);
    const answer = await openBrowser(service).send('POST', '/set-up', { token, ...owner, ...change });

    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((fault: { field: string }) => fault.field)).toEqual([field]);
  });

  test('creates one owner of all accounts if many requests use the link at the same time', async () => {
    await service.createAccount({ name: 'Second' });
    const token = await newSetUpToken(service.context);
    const browsers = Array.from({ length: 5 }, () => openBrowser(service));

    const answers = await Promise.all(browsers.map((browser) => browser.send('POST', '/set-up', { token, ...owner })));

    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 410, 410, 410, 410]);
    first = browsers[answers.findIndex(({ status }) => status === 200)]!;
    expect(await personOf(first)).toMatchObject({
      user_id: expect.any(Number),
      name: owner.name,
      email: owner.email,
      is_installation_admin: true,
      has_second_factor: false,
      accounts: [
        { account_id: 1, name: 'First account', role: 'owner', unmasked: true },
        { account_id: 2, name: 'Second', role: 'owner', unmasked: true },
      ],
    });
    const { body } = await service.first.operator('GET', '/audit-log');
    expect(body.data[0]).toMatchObject({ actor: 'system', action: 'member.add', details: { role: 'owner' } });
  });

  test('makes no further link when there is an owner', async () => {
    expect(await newSetUpToken(service.context)).toBeUndefined();
    expect((await openBrowser(service).send('GET', '/session')).body.needs_set_up).toBe(false);
  });
});

describe('a sign-in with a password', () => {
  test('sets a cookie that scripts cannot read, and stores only its hash', async () => {
    const answer = await openBrowser(service).send('POST', '/session', credentials);

    expect(answer).toMatchObject({ status: 200, body: { status: 'signed_in' } });
    expect(answer.headers['set-cookie']).toMatch(
      /^roster_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const value = /=([\w-]{43})/.exec(String(answer.headers['set-cookie']))![1]!;
    const { rows } = await service.context.pool.query<{ row: string }>('select sessions::text as row from sessions');
    expect(rows.some(({ row }) => row.includes(value))).toBe(false);
  });

  test('works with another case of the address, and with the letters of the password in another form', async () => {
    const browser = openBrowser(service);
    expect((await browser.send('POST', '/session', { ...credentials, email: ' ASHA@Example.com' })).status).toBe(200);
  });

  test('calls operations with the rights of the person, and no others', async () => {
    expect((await first.send('GET', '/accounts/1/lists')).status).toBe(200);
    expect((await openBrowser(service).send('GET', '/accounts/1/lists')).status).toBe(401);
  });

  test('has the same answer and the same work for a wrong password and an unknown address', async () => {
    const verify = vi.spyOn(service.context.passwords, 'verify');
    const wrong = await openBrowser(service).send('POST', '/session', { ...credentials, password: 'wrong password' });
    const unknown = await openBrowser(service).send('POST', '/session', { ...credentials, email: 'no@example.com' });

    expect(verify).toHaveBeenCalledTimes(2);
    verify.mockRestore();
    expect(wrong.status).toBe(401);
    const { request_id: _, ...same } = wrong.body;
    expect(unknown).toMatchObject({ status: 401, body: same });
  });

  test('gives a new id, and ends the session that the browser had before (fixation)', async () => {
    const planted = await signedIn();
    const victim = openBrowser(service, { cookies: new Map(planted.cookies) });
    await victim.send('POST', '/session', credentials);

    expect(victim.cookies.get('roster_session')).not.toBe(planted.cookies.get('roster_session'));
    expect(await personOf(victim)).not.toBeNull();
    expect(await personOf(planted)).toBeNull();
  });

  test('does not accept an id that the browser brings', async () => {
    const id = 'A'.repeat(43);
    const browser = openBrowser(service, { cookies: new Map([['roster_session', id]]) });
    expect(await personOf(browser)).toBeNull();
    await browser.send('POST', '/session', credentials);
    expect(browser.cookies.get('roster_session')).not.toBe(id);
  });

  test('is refused if a page of another site sends it', async () => {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example.com' }]) {
      const browser = openBrowser(service);
      expect((await browser.send('POST', '/session', credentials, headers as Record<string, string>)).status).toBe(403);
      expect(browser.cookies.size).toBe(0);
    }
  });

  test('uses a secure cookie with the prefix __Host- if the public URL has TLS', async () => {
    await using secure = await startTestService({ worker: false, config: { publicUrl: 'https://roster.example.com' } });
    const token = await newSetUpToken(secure.context);
    const { headers } = await openBrowser(secure).send('POST', '/set-up', { token, ...owner });
    expect(headers['set-cookie']).toMatch(/^__Host-roster_session=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  });
});

describe('a session', () => {
  test('ends at the sign-out, also for a thief who has its cookie', async () => {
    const browser = await signedIn();
    const thief = openBrowser(service, { cookies: new Map(browser.cookies) });
    expect(await personOf(thief)).not.toBeNull();

    expect((await browser.send('DELETE', '/session')).status).toBe(204);

    expect(browser.cookies.size).toBe(0);
    expect(await personOf(thief)).toBeNull();
    expect((await thief.send('GET', '/accounts/1/lists')).status).toBe(401);
    expect((await browser.send('DELETE', '/session')).status).toBe(204);
  });

  test('ends after 12 hours without a request, and lives on with requests', async () => {
    const [used, idle] = [await signedIn(), await signedIn()];
    const start = now;
    try {
      now = new Date(start.getTime() + 11 * hour);
      expect(await personOf(used)).not.toBeNull();
      now = new Date(start.getTime() + 13 * hour);
      expect(await personOf(used)).not.toBeNull();
      expect(await personOf(idle)).toBeNull();
    } finally {
      now = start;
    }
  });

  test('ends after 30 days, even with requests every few hours', async () => {
    const browser = await signedIn();
    const start = now;
    try {
      for (let hours = 0; hours < 30 * 24; hours += 11) {
        now = new Date(start.getTime() + hours * hour);
        expect(await personOf(browser)).not.toBeNull();
      }
      now = new Date(start.getTime() + 30 * 24 * hour);
      expect(await personOf(browser)).toBeNull();
    } finally {
      now = start;
    }
  });

  test('is not extended by a long response that checks the rights again', async () => {
    const browser = await signedIn();
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const request = { headers: { cookie }, server: service.app } as unknown as FastifyRequest;
    const store = createPersonStore(service.context);
    const start = now;
    try {
      now = new Date(start.getTime() + 11 * hour);
      expect(await store.findBySession(request, 'check')).toBeDefined();
      now = new Date(start.getTime() + 12 * hour);
      expect(await store.findBySession(request, 'check')).toBeUndefined();
      expect(await personOf(browser)).toBeNull();
    } finally {
      now = start;
    }
  });

  test('writes the time of its last use at most once a minute', async () => {
    const browser = await signedIn();
    const lastSeen = async () =>
      (
        await service.context.pool.query<{ at: Date }>(
          'select last_seen_at as at from sessions order by session_id desc limit 1',
        )
      ).rows[0]!.at;
    const start = now;
    try {
      now = new Date(start.getTime() + 59_000);
      await personOf(browser);
      expect(await lastSeen()).toEqual(start);
      now = new Date(start.getTime() + 61_000);
      await personOf(browser);
      expect(await lastSeen()).toEqual(now);
    } finally {
      now = start;
    }
  });
});

describe('failed sign-ins', () => {
  const attempt = (browser: Browser, email: string) =>
    browser.send('POST', '/session', { email, password: 'wrong one' });

  test('of one address for one e-mail address are limited across processes, known or not', async () => {
    await using other = await startSecondProcess(service);
    for (const email of [owner.email, 'nobody@example.com']) {
      const browser = openBrowser(service);
      const answers = [];
      for (let count = 0; count < 12; count++) {
        answers.push(await attempt(count % 2 === 0 ? browser : browser.at(other), email));
      }
      expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), 429, 429]);
      expect(Number(answers[11]!.headers['retry-after'])).toBeGreaterThan(0);
      // The right password does not help, and another network is not affected.
      expect((await browser.send('POST', '/session', { ...credentials, email })).status).toBe(429);
    }
    expect(await signedIn()).toBeDefined();
  });

  test('at the same time are counted before the password is checked', async () => {
    const browser = openBrowser(service);
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt(browser, 'many@example.com')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  test('for one e-mail address are limited over all networks', async () => {
    const statuses = [];
    for (let count = 0; count < 51; count++)
      statuses.push((await attempt(openBrowser(service), 'spread@example.com')).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    expect(statuses[50]).toBe(429);
  });

  test('of one network are limited over all e-mail addresses', async () => {
    const browser = openBrowser(service);
    let refused = 0;
    for (let count = 0; count < 101; count++) {
      if ((await attempt(browser, `user${count}@example.com`)).status === 429) refused++;
    }
    expect(refused).toBe(1);
  });

  test('do not count a right password', async () => {
    const browser = openBrowser(service);
    for (let count = 0; count < 15; count++) {
      expect((await browser.send('POST', '/session', credentials)).status).toBe(200);
    }
  });

  test('leave no address in the table of limits', async () => {
    const { rows } = await service.context.pool.query<{ key: string }>('select key from sign_in_limits');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ key }) => /@|\d+\.\d+\.\d+/.test(key))).toEqual([]);
  });
});

test('a disabled user has the answer of a wrong password, and no session any more', async () => {
  const browser = await signedIn();
  await service.context.pool.query('update users set disabled_at = now()');
  try {
    expect(await personOf(browser)).toBeNull();
    const answer = await openBrowser(service).send('POST', '/session', credentials);
    expect(answer).toMatchObject({ status: 401, body: { description: 'The sign-in failed. Check what you entered.' } });
  } finally {
    await service.context.pool.query('update users set disabled_at = null');
  }
});

test('a hash with another cost is replaced at the next sign-in', async () => {
  const { hashArgon2 } = await import('#features/users/passwords/argon2.ts');
  const old = await hashArgon2(goodPassword, { memory: 8192, passes: 1, parallelism: 1 });
  await service.context.pool.query('update users set password_hash = $1', [old]);

  await signedIn();

  const { rows } = await service.context.pool.query<{ password_hash: string }>('select password_hash from users');
  expect(rows[0]!.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  await signedIn();
});

test('the configured owner is created once, at the first start', async () => {
  const { ensureConfiguredOwner } = await import('#features/users/set-up/set-up.ts');
  const config = { ownerEmail: 'boss@example.com', ownerPassword: 'a long enough password' };
  await using fresh = await startTestService({ worker: false, config });
  await Promise.all([1, 2, 3].map(() => ensureConfiguredOwner(fresh.context)));

  const browser = openBrowser(fresh);
  await browser.send('POST', '/session', { email: config.ownerEmail, password: config.ownerPassword });
  expect(await personOf(browser)).toMatchObject({ email: 'boss@example.com', is_installation_admin: true });
  expect(await signedInOwner(fresh).catch(() => 'refused')).toBe('refused');
});
