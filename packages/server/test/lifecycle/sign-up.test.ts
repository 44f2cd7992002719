import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer, type TestAccount } from '../support/service.ts';

let now = new Date('2026-01-31T09:00:00Z');

const service = await forFile(startTestService({ now: () => now }));

async function signUp(account: TestAccount, body: object): Promise<Answer> {
  const answer = await account.operator('POST', '/sign-ups', body);
  await service.settled();
  return answer;
}

/** Returns the path of the link in the newest mail of an account. */
async function link(account: TestAccount): Promise<string> {
  const { body } = await account.operator('GET', '/mails?limit=1');
  const mail = await account.operator('GET', `/mails/${body.data[0].mail_id}`);
  const found = /https?:\/\/[^/\s]+(\/verify\/[\w-]{43})\b/.exec(mail.body.text);
  expect(mail.body.html).toContain(found![1]);
  return found![1]!;
}

const open = (path: string) => service.call('GET', path);

async function click(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await service.call('POST', path, { headers });
  await service.settled();
  return answer;
}

async function find(account: TestAccount, email: string): Promise<Record<string, unknown>[]> {
  return account.rows({
    filtering_criteria: [{ condition_details: [{ field: 'email', operation: 'equals', value: email }] }],
    output: { fields: ['contact_type', 'FIRST_NAME', 'list_id', 'email_opted_out'] },
  });
}

describe('a sign-up', () => {
  test('creates an unconfirmed contact, and the link confirms it with one click', async () => {
    const { first } = service;
    const answer = await signUp(first, {
      email: 'Lena@example.com',
      attributes: { first_name: 'Lena' },
      audience_details: { audience_id: 1, audience_type: 'list' },
    });
    expect(answer).toMatchObject({
      status: 201,
      body: { sign_up_id: expect.any(String), request_id: expect.any(String), expires_at: '2026-02-02T09:00:00.000Z' },
    });
    const row = { FIRST_NAME: 'Lena', list_id: [1], email_opted_out: false };
    expect(await find(first, 'lena@example.com')).toEqual([{ ...row, contact_type: 'unconfirmed' }]);
    const path = await link(first);
    const page = await open(path);
    expect(page.status).toBe(200);
    expect(page.body).toContain('<form method="post"><button>Confirm</button></form>');
    expect(page.body).not.toMatch(/<script|https?:|Lena|lena/);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    // Link scanners may open the link any number of times.
    for (let times = 0; times < 3; times++) await open(path);
    await service.settled();
    expect(await find(first, 'lena@example.com')).toMatchObject([{ contact_type: 'unconfirmed' }]);
    const done = await click(path, { 'content-type': 'application/x-www-form-urlencoded' });
    expect(done).toMatchObject({ status: 200, body: expect.stringContaining('confirmed') });
    expect(await find(first, 'lena@example.com')).toEqual([{ ...row, contact_type: 'confirmed' }]);
    // A second click or the back button shows the same page and does nothing.
    const requests = (await first.operator('GET', '/requests?limit=100')).body.data.length;
    expect(await click(path)).toMatchObject({ status: 200 });
    expect((await open(path)).body).not.toContain('<form');
    expect((await first.operator('GET', '/requests?limit=100')).body.data.length).toBe(requests);
  });

  test('has a page that names the account, in the language that the browser prefers', async () => {
    const account = await service.createAccount({ name: 'Bäcker <b>Müller</b>' });
    await signUp(account, { email: 'sprache@example.com' });
    const path = await link(account);
    const page = async (language: string) =>
      (await service.call('GET', path, { headers: { 'accept-language': language } })).body as string;
    for (const language of ['de', 'de-AT,de;q=0.9,en;q=0.8', 'fr, en;q=0.5, de;q=0.7']) {
      const german = await page(language);
      expect(german).toContain('<html lang="de">');
      expect(german).toContain('Sie haben sich bei Bäcker &lt;b&gt;Müller&lt;/b&gt; angemeldet.');
    }
    for (const language of ['', 'en', 'fr', 'en, de', 'de;q=0', '*', ';;q=,q=x']) {
      expect(await page(language)).toContain('You signed up at Bäcker &lt;b&gt;Müller&lt;/b&gt;.');
    }
    const thanks = await click(path, { 'accept-language': 'de' });
    expect(thanks).toMatchObject({ status: 200, body: expect.stringContaining('Ihre Adresse ist für Bäcker') });
    expect((await open(path)).body).toContain('Your address is confirmed for Bäcker');
  });

  test('stores only a hash of its token outside of the mail', async () => {
    const account = await service.createAccount();
    await signUp(account, { email: 'hash@example.com' });
    const token = (await link(account)).split('/').at(-1)!;
    const rows = await service.context.db.selectFrom('sign_ups').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    const requests = await service.context.db.selectFrom('requests').select('payload').execute();
    expect(requests.some(({ payload }) => payload.includes(token))).toBe(false);
  });

  test('is confirmed once by many concurrent clicks', async () => {
    const account = await service.createAccount();
    await signUp(account, { email: 'many@example.com' });
    const path = await link(account);
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.call('POST', path)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    await service.settled();
    const { body } = await account.operator('GET', '/requests');
    expect(body.data.map(({ operation }: { operation: string }) => operation)).toEqual([
      'contact.confirm',
      'contact.sign-up',
    ]);
  });

  test('does not change an existing contact until the link is clicked', async () => {
    const account = await service.createAccount();
    await account.createContacts([{ identity: 'old@example.com', attributes: { FIRST_NAME: 'Old' } }]);
    const known = await signUp(account, { email: 'old@example.com', attributes: { FIRST_NAME: 'New' } });
    const unknown = await signUp(account, { email: 'new@example.com', attributes: { FIRST_NAME: 'New' } });
    expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body));
    expect(await find(account, 'old@example.com')).toMatchObject([{ contact_type: 'identified', FIRST_NAME: 'Old' }]);
    const mails = await account.operator('GET', '/mails');
    const [a, b] = await Promise.all(
      mails.body.data.map(async ({ mail_id }: { mail_id: string }) =>
        (await account.operator('GET', `/mails/${mail_id}`)).body.text.replace(/verify\/\S+/, ''),
      ),
    );
    expect(a).toBe(b);
    const older = mails.body.data[1].mail_id;
    const text = (await account.operator('GET', `/mails/${older}`)).body.text;
    await click(/(\/verify\/\S+)/.exec(text)![1]!);
    // An identified contact does not become confirmed. The attributes of the sign-up are merged.
    expect(await find(account, 'old@example.com')).toMatchObject([{ contact_type: 'identified', FIRST_NAME: 'New' }]);
  });

  test('does not change a contact that has another e-mail address', async () => {
    const account = await service.createAccount({ name: 'By number', primary_key: 'CUSTOMER_ID' });
    const taken = { identity: 'c-1', email: 'lena@example.com', attributes: { CITY: 'Pune' } };
    await account.createContacts([taken, { identity: 'c-2' }]);
    await signUp(account, { identity: 'c-1', email: 'mallory@example.com', attributes: { CITY: 'Delhi' } });
    expect(await click(await link(account))).toMatchObject({ status: 200 });
    const { body } = await account.operator('GET', '/requests?limit=1');
    const request = await account.operator('GET', `/requests/${body.data[0].request_id}`);
    expect(request.body).toMatchObject({
      operation: 'contact.confirm',
      counts: { failed: 1 },
      failures: [{ code: 'identity_taken', field: 'identity' }],
    });
    const fields = { output: { fields: ['identity', 'email', 'CITY', 'contact_type'] } };
    const rows = await account.rows(fields);
    expect(rows).toContainEqual({ ...taken, attributes: undefined, CITY: 'Pune', contact_type: 'identified' });
    // A contact without an address, or with the same address, is changed.
    await signUp(account, { identity: 'c-2', email: 'mina@example.com' });
    await click(await link(account));
    await signUp(account, { identity: 'c-1', email: 'LENA@example.com', attributes: { CITY: 'Goa' } });
    await click(await link(account));
    expect(await account.rows(fields)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ identity: 'c-1', CITY: 'Goa' }),
        expect.objectContaining({ identity: 'c-2', email: 'mina@example.com' }),
      ]),
    );
  });

  test('opts a contact in again that had opted out', async () => {
    const account = await service.createAccount();
    const contacts = [{ identity: 'back@example.com' }];
    await account.createContacts(contacts);
    await account.updateContacts([{ identity: 'back@example.com', subscriptions: { email: false } }]);
    await signUp(account, { email: 'back@example.com' });
    expect(await find(account, 'back@example.com')).toMatchObject([{ contact_type: 'blacklisted' }]);
    await click(await link(account));
    expect(await find(account, 'back@example.com')).toMatchObject([
      { contact_type: 'identified', email_opted_out: false },
    ]);
  });

  test('expires after 48 hours, and an invented link gets the same page', async () => {
    const account = await service.createAccount();
    await signUp(account, { email: 'late@example.com' });
    const path = await link(account);
    now = new Date(now.getTime() + 48 * 3_600_000);
    expect((await open(path)).status).toBe(410);
    expect((await click(path)).status).toBe(410);
    expect(await find(account, 'late@example.com')).toMatchObject([{ contact_type: 'unconfirmed' }]);
    const invented = await open(`/verify/${'x'.repeat(43)}`);
    expect(invented.status).toBe(410);
    expect(invented.body).toBe((await open(path)).body);
    expect((await service.call('PUT', path)).status).toBe(405);
  });

  test('sends up to three mails an hour and six a day to an address, in any letter case', async () => {
    const account = await service.createAccount();
    const send = async (email: string) => (await signUp(account, { email })).status;
    expect(
      await Promise.all([send('a@example.com'), send('A@example.com'), send('a@EXAMPLE.com'), send('a@example.com')]),
    ).toEqual(expect.arrayContaining([201, 201, 201, 429]));
    const refused = await signUp(account, { email: 'a@example.com' });
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '3600' } });
    expect(await send('b@example.com')).toBe(201);
    for (let hours = 1; hours <= 3; hours++) {
      now = new Date(now.getTime() + 3_600_001);
      expect(await send('a@example.com')).toBe(201);
    }
    now = new Date(now.getTime() + 3_600_001);
    expect(await send('a@example.com')).toBe(429);
    now = new Date(now.getTime() + 24 * 3_600_000);
    expect(await send('a@example.com')).toBe(201);
    const mails = await account.operator('GET', '/mails?limit=100');
    expect(mails.body.data).toHaveLength(8);
  });

  test('needs an identity that fits the primary key of the account', async () => {
    const keyed = await service.createAccount({ name: 'Keyed', primary_key: 'CUSTOMER_ID' });
    const places = (answer: Answer) =>
      answer.body.errors.map(({ code, field }: { code: string; field: string }) => `${field} ${code}`);
    expect(places(await signUp(keyed, { email: 'a@example.com' }))).toEqual(['identity required']);
    expect((await signUp(keyed, { email: 'a@example.com', identity: 'C-1' })).status).toBe(201);
    const mobile = await service.createAccount({ name: 'Mobile', primary_key: 'MOBILE' });
    expect(places(await signUp(mobile, { email: 'a@example.com' }))).toEqual(['mobile required']);
    expect((await signUp(mobile, { email: 'a@example.com', mobile: '+91 98000 00001' })).status).toBe(201);
    expect(places(await signUp(service.first, { email: 'a@example.com', identity: 'b@example.com' }))).toEqual([
      'identity not_supported',
    ]);
    expect(places(await signUp(service.first, { email: 'nobody', name: 'x' })).toSorted()).toEqual([
      'email invalid_format',
      'name unknown_field',
    ]);
    expect((await service.operator('POST', '/accounts/99/sign-ups', { email: 'a@example.com' })).status).toBe(404);
  });
});
