import { describe, expect, test } from 'vitest';
import { readMailSender } from '#platform/config/mail-sender.ts';
import { hour, minute } from '#platform/time/intervals.ts';
import { forFile } from '../support/for-file.ts';
import { startSmtp } from '../support/smtp.ts';
import { startTestService, type Answer } from '../support/service.ts';
import { goodPassword, openBrowser, owner, signedInOwner, startSecondProcess } from './support.ts';

let now = new Date('2026-03-01T08:00:00Z');

const smtp = await forFile(startSmtp());
const config = { smtpServer: smtp.address(), mailFrom: readMailSender('roster@example.com') };
const service = await forFile(startTestService({ worker: false, now: () => now, config }));
await forFile(service.startJobs());
await service.createAccount({ name: 'Second' });
let browser = await signedInOwner(service);

/** Waits for the next mail, and returns the token of its link. */
async function tokenOfMail(count: number): Promise<string> {
  await expect.poll(() => smtp.mails.length).toBe(count);
  return /#token=([\w-]{43})/.exec(smtp.mails[count - 1]!.parsed.text!)![1]!;
}

const signIn = (password: string) => openBrowser(service).send('POST', '/session', { email: owner.email, password });

describe('a password reset', () => {
  test('has the same answer for every address, and sends a mail only to the address of a user', async () => {
    const strangers = await openBrowser(service).send('POST', '/password-resets', { email: 'nobody@example.com' });
    const known = await openBrowser(service).send('POST', '/password-resets', { email: 'Asha@Example.com' });
    expect([strangers.status, strangers.body, known.status, known.body]).toEqual([204, '', 204, '']);
    await tokenOfMail(1);
    expect(smtp.mails[0]!.envelope.to).toEqual([owner.email]);
    const { rows } = await service.context.pool.query('select from mails');
    expect(rows).toHaveLength(1);
  });

  test('cannot be read by the members of an account, and leaves no link in the table of mails', async () => {
    expect((await service.first.operator('GET', '/mails')).body.data).toEqual([]);
    await expect
      .poll(
        async () => (await service.context.pool.query<{ status: string }>('select status from mails')).rows[0]!.status,
      )
      .toBe('sent');
    const { rows } = await service.context.pool.query<{ row: string }>('select mails::text as row from mails');
    expect(rows[0]!.row).not.toMatch(/token=[\w-]{43}/);
  });

  test('sets the password once, and ends all sessions', async () => {
    const token = await tokenOfMail(1);
    const other = openBrowser(service);
    await other.send('POST', '/session', { email: owner.email, password: goodPassword });
    const complete = (password: string) =>
      openBrowser(service).send('POST', '/password-resets/complete', { token, password });
    expect((await complete('short')).status).toBe(400);
    expect((await complete(owner.email)).status).toBe(400);

    const answers = await Promise.all([complete('the first new password'), complete('the first new password')]);

    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 410]);
    expect((await other.send('GET', '/session')).body.person).toBeNull();
    expect((await browser.send('GET', '/session')).body.person).toBeNull();
    expect((await signIn(goodPassword)).status).toBe(401);
    expect((await signIn('the first new password')).status).toBe(200);
    browser = openBrowser(service);
    await browser.send('POST', '/session', { email: owner.email, password: 'the first new password' });
  });

  test('expires after an hour', async () => {
    await openBrowser(service).send('POST', '/password-resets', { email: owner.email });
    const token = await tokenOfMail(2);
    const start = now;
    now = new Date(start.getTime() + hour);
    const answer = await openBrowser(service).send('POST', '/password-resets/complete', {
      token,
      password: goodPassword,
    });
    expect(answer.status).toBe(410);
    now = start;
  });

  test('is limited, for known and unknown addresses in the same way', async () => {
    for (const email of ['limited@example.com', owner.email]) {
      const one = openBrowser(service);
      const statuses = [];
      for (let count = 0; count < 11; count++)
        statuses.push((await one.send('POST', '/password-resets', { email })).status);
      expect(statuses).toEqual([...Array<number>(10).fill(204), 429]);
    }
  });
});

test('an invitation is sent by mail, and its answer has no link', async () => {
  const before = smtp.mails.length;
  const answer = await browser.send('POST', '/accounts/1/invitations', { email: 'lena@example.com', role: 'viewer' });
  expect(answer).toMatchObject({ status: 201, body: { link: null } });
  await expect.poll(() => smtp.mails.some(({ envelope }) => envelope.to[0] === 'lena@example.com')).toBe(true);
  const mail = smtp.mails.find(({ envelope }) => envelope.to[0] === 'lena@example.com')!;
  expect(mail.parsed.subject).toBe('Invitation to First account');
  const token = /#token=([\w-]{43})/.exec(mail.parsed.text!)![1]!;
  expect((await openBrowser(service).send('POST', '/invitations/look-up', { token })).status).toBe(200);
  expect(smtp.mails.length).toBeGreaterThan(before);
});

test('an account that has sent a thousand invitations today cannot send more, but another account can', async () => {
  const invite = (account: number, email: string): Promise<Answer> =>
    browser.send('POST', `/accounts/${account}/invitations`, { email, role: 'viewer' });
  const { db } = service.context;
  const counted = db.updateTable('sign_in_limits').where('key', '=', 'invitations:1');
  expect((await invite(1, 'one@example.com')).status).toBe(201);
  await counted.set({ points: 999 }).execute();
  expect((await invite(1, 'one@example.com')).status).toBe(201);
  const refused = await invite(1, 'one@example.com');
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.stringMatching(/^8\d{4}$/)]);
  const second = await service.operator('POST', '/accounts/2/invitations', {
    email: 'one@example.com',
    role: 'viewer',
  });
  expect(second.status).toBe(201);
});

describe('the own password', () => {
  test('changes after a recent sign-in, and ends the other sessions', async () => {
    const other = openBrowser(service);
    await other.send('POST', '/session', { email: owner.email, password: 'the first new password' });
    const start = now;
    now = new Date(start.getTime() + 11 * minute);
    const change = () => browser.send('POST', '/me/password', { new_password: goodPassword });
    expect(await change()).toMatchObject({ status: 403, body: { errors: [{ code: 'confirmation_required' }] } });
    expect((await browser.send('POST', '/me/confirmation', { password: 'wrong one' })).status).toBe(403);
    expect((await browser.send('POST', '/me/confirmation', {})).status).toBe(400);
    expect((await browser.send('POST', '/me/confirmation', { password: 'the first new password' })).status).toBe(204);
    expect((await browser.send('POST', '/me/password', { new_password: 'asha@EXAMPLE.com' })).status).toBe(400);
    expect((await change()).status).toBe(204);
    now = start;
    expect((await other.send('GET', '/session')).body.person).toBeNull();
    expect((await browser.send('GET', '/session')).body.person).not.toBeNull();
    expect((await signIn(goodPassword)).status).toBe(200);
  });
});

describe('the own profile and sessions', () => {
  test('change the name and the language', async () => {
    const answer = await browser.send('PATCH', '/me', { name: 'Asha R.', language: 'de' });
    expect(answer.body).toMatchObject({ name: 'Asha R.', language: 'de' });
    expect((await browser.send('GET', '/me')).body).toEqual(answer.body);
    for (const body of [{}, { name: null }, { language: 'xx' }, { email: 'x@example.com' }]) {
      expect((await browser.send('PATCH', '/me', body)).status).toBe(400);
    }
  });

  test('list where the person is signed in, and end other sessions', async () => {
    const [one, two] = [openBrowser(service), openBrowser(service)];
    for (const each of [one, two]) await each.send('POST', '/session', { email: owner.email, password: goodPassword });
    const list = async () =>
      (await browser.send('GET', '/me/sessions')).body.data as { session_id: number; is_current: boolean }[];
    const before = await list();
    expect(before.filter((session) => session.is_current)).toHaveLength(1);
    expect(before.at(-1)).toMatchObject({ method: 'password', client: 'Test browser', is_current: false });

    expect((await browser.send('DELETE', `/me/sessions/${before.at(-1)!.session_id}`)).status).toBe(204);
    expect((await two.send('GET', '/me')).status).toBe(401);
    expect((await browser.send('DELETE', '/me/sessions/99999')).status).toBe(404);
    expect((await browser.send('DELETE', '/me/sessions')).status).toBe(204);
    expect((await one.send('GET', '/me')).status).toBe(401);
    expect(await list()).toHaveLength(1);
  });

  test('are not for the operator token', async () => {
    expect((await service.operator('GET', '/me')).status).toBe(403);
  });

  test('are refused for a request of another site', async () => {
    const answer = await browser.send('PATCH', '/me', { name: 'x' }, { 'sec-fetch-site': 'cross-site' });
    expect(answer.status).toBe(403);
  });
});

describe('a personal access token', () => {
  let token: string;
  const withToken = (method: string, path: string, body?: unknown, text = token): Promise<Answer> =>
    openBrowser(service).send(method, path, body, { authorization: `Bearer ${text}` });

  test('is shown once, and stored only as a hash', async () => {
    const made = await browser.send('POST', '/me/tokens', { name: 'Reports' });
    expect(made.status).toBe(201);
    token = made.body.token;
    expect(token).toMatch(/^rp_[\w-]{43}$/);
    const { body } = await browser.send('GET', '/me/tokens');
    expect(body.data).toMatchObject([
      { name: 'Reports', token_hint: token.slice(0, 8), status: 'active', last_used_at: null },
    ]);
    expect(JSON.stringify(body)).not.toContain(token);
    const { rows } = await service.context.pool.query<{ row: string }>(
      'select personal_tokens::text as row from personal_tokens',
    );
    expect(rows[0]!.row).not.toContain(token);
  });

  test('has the rights of its person at each request, in every process', async () => {
    await using other = await startSecondProcess(service);
    const lists = () =>
      openBrowser(other).send('GET', '/accounts/2/lists', undefined, { authorization: `Bearer ${token}` });
    expect((await lists()).status).toBe(200);
    expect((await browser.send('GET', '/me/tokens')).body.data[0].last_used_at).toBe(now.toISOString());
    await service.context.pool.query('update users set is_installation_admin = false');
    await service.context.pool.query('delete from memberships where account_id = 2');
    expect((await lists()).status).toBe(404);
    await service.context.pool.query('update users set is_installation_admin = true');
    expect((await lists()).status).toBe(200);
  });

  test('cannot create tokens, nor change the password, the second factor, the passkeys or sessions', async () => {
    for (const [method, path, body] of [
      ['POST', '/me/tokens', { name: 'x' }],
      ['DELETE', '/me/tokens/1', undefined],
      ['POST', '/me/password', { new_password: goodPassword }],
      ['POST', '/me/confirmation', { password: goodPassword }],
      ['POST', '/me/two-factor', undefined],
      ['DELETE', '/me/two-factor', undefined],
      ['POST', '/me/passkey-options', undefined],
      ['DELETE', '/me/sessions', undefined],
      ['PATCH', '/me', { name: 'x' }],
      ['POST', '/me/leave', { account_id: 1 }],
    ] as const) {
      expect((await withToken(method, path, body)).status, `${method} ${path}`).toBe(403);
    }
    expect((await withToken('GET', '/me')).status).toBe(200);
  });

  test('can be restricted to accounts of its person', async () => {
    const foreign = await browser.send('POST', '/me/tokens', { name: 'x', account_ids: [1, 99] });
    expect(foreign).toMatchObject({ status: 400, body: { errors: [{ field: 'account_ids[1]' }] } });
    const made = await browser.send('POST', '/me/tokens', { name: 'One account', account_ids: [1, 1] });
    expect(made.body.account_ids).toEqual([1]);
    expect((await withToken('GET', '/accounts/1/lists', undefined, made.body.token)).status).toBe(200);
    expect((await withToken('GET', '/accounts/2/lists', undefined, made.body.token)).status).toBe(404);
    expect((await withToken('GET', '/users', undefined, made.body.token)).status).toBe(403);
    const { body: me } = await withToken('GET', '/me', undefined, made.body.token);
    expect([me.accounts.length, me.is_installation_admin]).toEqual([1, false]);
  });

  test('ends at its date, and when it is deleted', async () => {
    const past = await browser.send('POST', '/me/tokens', { name: 'x', expires_at: '2020-01-01T00:00:00Z' });
    expect(past.status).toBe(400);
    const made = await browser.send('POST', '/me/tokens', {
      name: 'x',
      expires_at: new Date(now.getTime() + minute).toISOString(),
    });
    expect((await withToken('GET', '/me', undefined, made.body.token)).status).toBe(200);
    const start = now;
    now = new Date(start.getTime() + minute);
    expect((await withToken('GET', '/me', undefined, made.body.token)).status).toBe(401);
    now = start;
    expect((await browser.send('DELETE', `/me/tokens/${made.body.token_id}`)).status).toBe(204);
    expect((await browser.send('DELETE', `/me/tokens/${made.body.token_id}`)).status).toBe(404);
    expect((await withToken('GET', '/me', undefined, made.body.token)).status).toBe(401);
  });

  test('cannot take over users, and neither can a browser that was left open', async () => {
    const { body } = await browser.send('POST', '/me/tokens', { name: 'Administrator' });
    const send = (by: { token: string } | undefined, method: string, path: string, more?: object) =>
      by === undefined
        ? browser.send(method, path, more)
        : openBrowser(service).send(method, path, more, { authorization: `Bearer ${by.token}` });
    const attempts = [
      ['POST', '/password-reset-links', { email: owner.email }],
      ['PATCH', '/users/1', { is_installation_admin: true }],
      ['DELETE', '/users/4711', undefined],
      ['DELETE', '/users/4711/two-factor', undefined],
    ] as const;
    for (const [method, path, more] of attempts) {
      expect((await send(body, method, path, more)).body.description).toContain(
        'A personal access token cannot do this',
      );
    }
    const start = now;
    now = new Date(start.getTime() + 30 * minute);
    for (const [method, path, more] of attempts) {
      expect((await send(undefined, method, path, more)).body.errors).toMatchObject([
        { code: 'confirmation_required' },
      ]);
    }
    now = start;
    expect((await send(undefined, 'POST', '/password-reset-links', { email: owner.email })).status).toBe(201);
    expect((await send(undefined, 'DELETE', '/users/4711')).status).toBe(404);
  });

  test('needs a recent sign-in, and a person can have 50', async () => {
    const start = now;
    now = new Date(start.getTime() + 30 * minute);
    expect((await browser.send('POST', '/me/tokens', { name: 'x' })).status).toBe(403);
    now = start;
    const { rows } = await service.context.pool.query('select from personal_tokens');
    for (let count = rows.length; count < 50; count++)
      await browser.send('POST', '/me/tokens', { name: `Token ${count}` });
    expect((await browser.send('POST', '/me/tokens', { name: 'One more' })).status).toBe(409);
  });
});

describe('links of operators', () => {
  test('set a new password for a person who is locked out', async () => {
    expect((await service.operator('POST', '/password-reset-links', { email: 'nobody@example.com' })).status).toBe(404);
    const made = await service.operator('POST', '/password-reset-links', { email: owner.email });
    const token = made.body.link.split('/console/new-password#token=')[1];
    const answer = await openBrowser(service).send('POST', '/password-resets/complete', {
      token,
      password: goodPassword,
    });
    expect(answer.status).toBe(204);
  });

  test('create the owner only while there is no user', async () => {
    expect((await service.operator('POST', '/set-up-links')).status).toBe(409);
    await using empty = await startTestService({ worker: false });
    const made = await empty.operator('POST', '/set-up-links');
    expect(made.status).toBe(201);
    const token = made.body.link.split('/console/set-up#token=')[1];
    expect((await openBrowser(empty).send('POST', '/set-up', { token, ...owner })).status).toBe(200);
  });
});
