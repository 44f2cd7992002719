import { beforeEach, describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { contact, record, recorded } from '../activities/support.ts';
import { created, erased, finished, idle, mentions } from './support.ts';

let account: TestAccount;
const service = await forFile(startTestService());
await forFile(service.startJobs());
beforeEach(async () => {
  account = await service.createAccount();
});

const lena = { identity: 'lena@example.com', mobile: '491701234567', attributes: { FIRST_NAME: 'Lenamarie' } };

async function create(...contacts: object[]) {
  return account.createContacts(contacts);
}

async function forget(person: { identity: string } = lena): Promise<void> {
  await finished(account, (await erased(account, await created(account, person))).request_id);
}

const people = async () => (await account.operator('GET', '/forgotten')).body.people;

describe('a forgotten person', () => {
  test('items that name the person in any field are refused, and their values are not kept', async () => {
    await forget();
    const otto = await created(account, { identity: 'otto@example.com' });
    const request = await create(
      { ...lena, identity: 'LENA@example.com' },
      { identity: 'other@example.com', mobile: '+49 170 1234567', attributes: { FIRST_NAME: 'Lenamarie' } },
      { identity: 'else@example.com' },
    );
    expect(request).toMatchObject({
      status: 'done',
      counts: { created: 1, failed: 2 },
      failures: [
        { index: 0, code: 'contact_forgotten', field: 'identity' },
        { index: 1, code: 'contact_forgotten', field: 'mobile' },
      ],
    });
    const anonymous = await account.apply('/contact/create', {
      data: { contact_type: 'anonymous', contacts: [{ email: 'Lena@example.com' }] },
    });
    expect(anonymous.failures).toMatchObject([{ code: 'contact_forgotten', field: 'email' }]);
    const update = await account.updateContacts([
      { contact_id: otto, identity: 'lena@example.com' },
      { contact_id: otto, mobile: '491701234567' },
      { identity: 'lena@example.com', attributes: { FIRST_NAME: 'Lenamarie' } },
      { identity: 'nobody@example.com' },
    ]);
    expect(update.failures.map(({ code, field }: Record<string, string>) => `${code} ${field}`)).toEqual([
      'contact_forgotten identity',
      'contact_forgotten mobile',
      'contact_forgotten identity',
      'contact_not_found identity',
    ]);
    expect(await recorded(service, account, [record({ identity: 'lena@example.com' })])).toMatchObject({
      failures: [{ code: 'contact_forgotten', field: 'identity' }],
    });
    await idle(service);
    expect(await mentions(service, account, ['lena@example.com', '1701234567', 'Lenamarie'])).toEqual([]);
    expect(await people()).toBe(1);
  });

  test('items that name the person are refused and not kept, even if they have other faults', async () => {
    await forget();
    const otto = await created(account, { identity: 'otto@example.com' });
    const sent = [
      await create(
        { identity: 'lena@example.com', email: 'other@example.com' },
        { identity: 'one@example.com', email: 'other@example.com' },
      ),
      await account.updateContacts([
        { contact_id: otto, identity: 'x@example.com', email: 'lena@example.com' },
        { contact_id: 999_999, mobile: '491701234567' },
        { contact_id: 999_999, mobile: '491700000001' },
      ]),
    ];
    expect(sent.flatMap(({ failures }) => failures.map(({ code }: { code: string }) => code))).toEqual([
      'contact_forgotten',
      'identity_mismatch',
      'contact_forgotten',
      'contact_forgotten',
      'contact_not_found',
    ]);
    await idle(service);
    expect(await mentions(service, account, ['lena@example.com', '1701234567'])).toEqual([]);
  });

  test('items that name the person are refused in a batch, and the callback does not mention the person', async () => {
    await forget();
    const list = await account.createList('Batch');
    const answer = await service.call('POST', '/v3/contact/batchadd', {
      headers: { 'api-key': account.apiKey },
      body: {
        listid: list,
        primarykey: 'EMAIL',
        callbackurl: 'https://hooks.example.com/done',
        notifyemail: 'operator@example.org',
        data: [{ EMAIL: 'otto@example.com' }, { EMAIL: 'lena@example.com', FIRST_NAME: 'Lenamarie' }],
      },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await service.settled();
    const { counts, failures } = (await account.operator('GET', `/requests/${answer.body.message}`)).body;
    expect(counts).toMatchObject({ created: 1, failed: 1 });
    expect(failures).toMatchObject([{ index: 1, code: 'contact_forgotten' }]);
    for (;;) {
      const left = await mentions(service, account, ['lena@example.com', 'Lenamarie']);
      if (left.length === 0) break;
      expect(left.filter((place) => !place.startsWith('payload'))).toEqual([]);
    }
  });

  test('a person who is forgotten in one account can be created in another', async () => {
    await forget();
    const other = await service.createAccount();
    expect(await created(other, lena)).toBeGreaterThan(0);
  });

  test('an account that allows it can store the person again', async () => {
    await forget();
    expect((await account.operator('PATCH', '', { settings: { reject_forgotten_contacts: false } })).status).toBe(200);
    expect(await create(lena)).toMatchObject({ counts: { created: 1 } });
    expect((await account.operator('PATCH', '', { settings: { reject_forgotten_contacts: null } })).status).toBe(200);
    expect(await people()).toBe(0);
    expect(await create({ ...lena, attributes: { FIRST_NAME: 'Lena' } })).toMatchObject({ counts: { updated: 1 } });
  });

  test('the person can be stored again after an operator undoes the erasure by an identifier', async () => {
    await forget();
    await forget({ identity: 'otto@example.com' });
    expect(await people()).toBe(2);
    const undo = (body: object) => account.operator('POST', '/forgotten/undo', body);
    expect((await undo({})).status).toBe(400);
    expect((await undo({ identity: 'no address' })).body.errors).toMatchObject([{ field: 'identity' }]);
    expect((await undo({ email: 'nobody@example.com' })).status).toBe(404);
    const other = await service.createAccount();
    expect((await other.operator('POST', '/forgotten/undo', { email: 'lena@example.com' })).status).toBe(404);
    expect((await undo({ mobile: '+49 170 1234567' })).body).toEqual({ people: 1 });
    expect((await undo({ email: 'lena@example.com' })).status).toBe(404);
    expect(await people()).toBe(1);
    expect(await create(lena)).toMatchObject({ counts: { created: 1 } });
    const [entry] = (await account.operator('GET', '/audit-log')).body.data;
    expect(entry).toMatchObject({ action: 'forgotten.undo', subject: expect.stringMatching(/^erasure:/) });
    expect(JSON.stringify(entry)).not.toContain('lena');
  });

  test('the person can sign up again, but is stored only after the click in the mail', async () => {
    await forget();
    expect(
      (await account.operator('POST', '/sign-ups', { email: 'Lena@example.com', mobile: lena.mobile })).status,
    ).toBe(201);
    await service.settled();
    expect(await contact(account, 'lena@example.com', 'contact_type')).toBeUndefined();
    expect(await create(lena)).toMatchObject({ counts: { failed: 1 } });
    const [mail] = (await account.operator('GET', '/mails')).body.data;
    const { text } = (await account.operator('GET', `/mails/${mail.mail_id}`)).body;
    const [, path] = /(\/verify\/[\w-]{43})\b/.exec(text)!;
    expect((await service.call('POST', path!)).status).toBe(200);
    await service.settled();
    expect(await contact(account, 'lena@example.com', 'contact_type', 'MOBILE')).toEqual({
      contact_type: 'confirmed',
      MOBILE: lena.mobile,
    });
    expect(await people()).toBe(0);
    expect(await recorded(service, account, [record({ identity: 'lena@example.com' })])).toMatchObject({
      counts: { created: 1 },
    });
  });
});
