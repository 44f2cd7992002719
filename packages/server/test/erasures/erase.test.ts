import { beforeEach, describe, expect, test } from 'vitest';
import { awaitResult } from '#pipeline/accept/await-result.ts';
import { createAcceptor } from '#pipeline/accept/acceptor.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { record, recorded, stored } from '../activities/support.ts';
import { contactId, created, erased, finished, idle, mentions } from './support.ts';

let account: TestAccount;
const service = await forFile(startTestService());
await forFile(service.startJobs());
beforeEach(async () => {
  account = await service.createAccount({ name: 'Keyed', primary_key: 'CUSTOMER_ID' });
});

const lena = {
  identity: 'C-4711-lena',
  email: 'Lena.Pfeiffer@example.com',
  mobile: '491701234567',
  attributes: { FIRST_NAME: 'Lenamarie', CITY: 'Pfaffenhofen' },
};
const others = { identity: 'C-0815-otto', email: 'otto@example.com', attributes: { CITY: 'Ulm' } };
const texts = [lena.identity, lena.email, lena.mobile, 'Lenamarie', 'Pfaffenhofen'];

async function create(...contacts: object[]) {
  return account.createContacts(contacts);
}

async function update(...contacts: object[]) {
  return account.updateContacts(contacts);
}

describe('erasing a contact', () => {
  test('an erasure removes the person from all tables, and keeps the data of other people', async () => {
    const list = await account.createList('Newsletter');
    const request = await create(
      { identity: 'C-1', attributes: { NOT_THERE: 1 } },
      {
        ...lena,
        audience_details: [{ audience_id: list }],
        attributes: { ...lena.attributes, NOT_THERE: 'Pfaffenhofen' },
      },
      others,
    );
    const id = await contactId(account, lena.identity);
    await update({ contact_id: id, subscriptions: { sms: false } }, { identity: 'C-1', attributes: { CITY: 'Bonn' } });
    await recorded(service, account, [
      record({ identity: lena.identity, link: 'https://example.com/Lenamarie', activity: 'click' }),
      record({ identity: lena.identity, occurred_at: new Date(Date.now() - 40 * 86_400_000).toISOString() }),
      record({ identity: others.identity }),
    ]);
    const signUp = { email: lena.email, identity: lena.identity, attributes: { FIRST_NAME: 'Lenamarie' } };
    expect((await account.operator('POST', '/sign-ups', signUp)).status).toBe(201);
    await service.settled();
    expect(await mentions(service, account, texts)).toEqual(
      expect.arrayContaining(['contacts: Lenamarie', 'mails: Lena.Pfeiffer@example.com', 'sign_ups: Lenamarie']),
    );

    const answer = await erased(account, id);
    expect(answer).toMatchObject({ contact_id: id, erased_at: expect.any(String), export_files: [] });
    const done = await finished(account, answer.request_id);
    expect(done).toMatchObject({ status: 'done', erased: { items: 5, mails: 1, sign_ups: 1 } });
    expect(await mentions(service, account, texts)).toEqual([]);

    // The items of other people keep their index, and so do their failures.
    const log = (await account.operator('GET', `/requests/${request.request_id}`)).body;
    expect(log).toMatchObject({ counts: { total: 3, created: 3, warnings: 2 } });
    expect(log.failures.map(({ index }: { index: number }) => index)).toEqual([0]);
    expect(await stored(service, account)).toMatchObject([{ contact_key: others.identity }]);
    const { member_count: members } = (await account.operator('GET', `/lists/${list}`)).body;
    expect(members).toBe(0);
    expect(await account.rows({ output: { fields: ['identity'] } })).toHaveLength(2);
    const kept = ['activities', 'contacts', 'payload'].map((table) => `${table}: ${others.identity}`);
    expect(await mentions(service, account, [others.identity])).toEqual(kept);
    const audit = (await account.operator('GET', '/audit-log')).body.data[0];
    expect(audit).toMatchObject({
      action: 'contact.erase',
      subject: `contact:${id}`,
      actor: 'operator',
      details: { request_id: answer.request_id },
    });
  });

  test('an erasure needs mode=erase, and returns 404 for a contact that is missing or of another account', async () => {
    const id = await created(account, lena);
    const other = await service.createAccount();
    expect((await account.operator('DELETE', `/contacts/${id}`)).status).toBe(400);
    const wrong = await account.operator('DELETE', `/contacts/${id}?mode=delete`);
    expect(wrong.body.errors).toMatchObject([{ field: 'mode' }]);
    expect((await other.operator('DELETE', `/contacts/${id}?mode=erase`)).status).toBe(404);
    expect((await service.operator('DELETE', `/accounts/999/contacts/${id}?mode=erase`)).status).toBe(404);
    expect((await account.operator('DELETE', '/contacts/999999999?mode=erase')).status).toBe(404);
    const { request_id: requestId } = await erased(account, id);
    expect((await account.operator('DELETE', `/contacts/${id}?mode=erase`)).status).toBe(404);
    expect((await other.operator('GET', `/erasures/${requestId}`)).status).toBe(404);
    expect((await account.operator('GET', '/erasures')).body.data).toMatchObject([{ request_id: requestId }]);
    expect((await other.operator('GET', '/erasures')).body.data).toEqual([]);
  });

  test('simultaneous erasures of one contact are done once', async () => {
    const id = await created(account, lena);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => account.operator('DELETE', `/contacts/${id}?mode=erase`)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404, 404]);
  });

  test('an erasure also finds former identities and addresses of the person', async () => {
    const id = await created(account, { ...lena, identity: 'C-old-1', email: 'first@pfeiffer.example' });
    await update({ contact_id: id, identity: 'C-old-2', email: null });
    await update({ mobile: lena.mobile, identity: lena.identity });
    await update({ contact_id: id, email: lena.email });
    await recorded(service, account, [
      // Late records of former identities.
      record({ identity: 'C-old-1', msg_name: 'Lenamarie' }),
      record({ identity: 'C-old-2', msg_name: 'Lenamarie', activity: 'spam', channel: 'sms' }),
    ]);
    await finished(account, (await erased(account, id)).request_id);
    expect(await mentions(service, account, [...texts, 'C-old-1', 'C-old-2', 'first@pfeiffer.example'])).toEqual([]);
    // The former identities are forgotten, too.
    const again = await create({ identity: 'C-old-2' });
    expect(again.failures).toMatchObject([{ code: 'contact_forgotten', field: 'identity' }]);
  });

  test('an erasure does not touch another contact that now has a former identity or address of the person', async () => {
    const id = await created(account, { ...lena, identity: 'C-old-1' });
    await create({ ...others, mobile: lena.mobile });
    await update({ contact_id: id, identity: lena.identity });
    await create({ identity: 'C-old-1', attributes: { CITY: 'Somewhere else' } });
    await recorded(service, account, [record({ identity: 'C-old-1' })]);
    await finished(account, (await erased(account, id)).request_id);
    expect(await contactId(account, 'C-old-1')).toBeGreaterThan(id);
    expect(await stored(service, account)).toMatchObject([{ contact_key: 'C-old-1' }]);
    expect(await mentions(service, account, ['C-4711-lena', 'lena.pfeiffer'])).toEqual([]);
    // The mobile still belongs to Otto, so it is not forgotten.
    const upsert = await create({ ...others, mobile: lena.mobile, attributes: { CITY: 'Neu-Ulm' } });
    expect(upsert).toMatchObject({ counts: { updated: 1, failed: 0 } });
  });

  test('the erasure of an anonymous contact also removes its values from requests', async () => {
    const anonymous = await account.apply('/contact/create', {
      data: { contact_type: 'anonymous', contacts: [{ attributes: { FIRST_NAME: 'Lenamarie' } }] },
    });
    expect(anonymous.counts.created).toBe(1);
    const [row] = await account.rows({ output: { fields: ['contact_id'] } });
    await finished(account, (await erased(account, row!['contact_id'] as number)).request_id);
    expect(await mentions(service, account, ['Lenamarie'])).toEqual([]);
  });

  test('after an erasure, the link of an earlier sign-up mail is no longer valid', async () => {
    const email = await service.createAccount();
    expect((await email.operator('POST', '/sign-ups', { email: 'lena@example.com' })).status).toBe(201);
    await service.settled();
    const [mail] = (await email.operator('GET', '/mails')).body.data;
    const { text } = (await email.operator('GET', `/mails/${mail.mail_id}`)).body;
    const [, path] = /(\/verify\/[\w-]{43})\b/.exec(text)!;
    await finished(email, (await erased(email, await contactId(email, 'lena@example.com'))).request_id);
    expect((await service.call('POST', path!)).status).toBe(410);
    expect((await email.operator('GET', '/mails')).body.data).toEqual([]);
    expect(await mentions(service, email, ['lena@example.com'])).toEqual([]);
  });

  test('an erasure is withdrawn and changes nothing if earlier requests take too long', async () => {
    await using quiet = await startTestService({ worker: false });
    const { first, context } = quiet;
    const contacts = [{ identity: 'lena@example.com' }];
    await first.v5('/contact/create', { data: { contact_type: 'identified', contacts } });
    const worker = quiet.startWorker();
    await quiet.settled();
    await worker[Symbol.asyncDispose]();
    const id = await contactId(first, 'lena@example.com');
    const requestId = context.newId();
    await createAcceptor(context).accept({
      accountId: first.accountId,
      requestId,
      operation: 'contact.erase',
      payload: { contact_id: id, erasure_id: requestId, author: 'operator' },
      total: 1,
      idempotency: undefined,
    });
    const waiting = awaitResult(
      context,
      { accountId: first.accountId, requestId },
      { signal: new AbortController().signal, timeout: 0 },
    );
    await expect(waiting).rejects.toMatchObject({ code: 'pipeline_busy' });
    await using _worker = quiet.startWorker();
    await quiet.settled();
    expect(await contactId(first, 'lena@example.com')).toBe(id);
    expect((await first.operator('GET', '/erasures')).body.data).toEqual([]);
  });

  test('an erasure works with every primary key, however the identity was written', async () => {
    const mobile = await service.createAccount({ name: 'Mobile', primary_key: 'MOBILE' });
    const number = await created(mobile, { identity: '+91 98765-43210' });
    await finished(mobile, (await erased(mobile, number)).request_id);
    const email = await service.createAccount();
    const address = await created(email, { identity: 'Lena.Pfeiffer@Example.com' });
    await finished(email, (await erased(email, address)).request_id);
    expect(await mentions(service, mobile, ['9876543210', '98765-43210'])).toEqual([]);
    expect(await mentions(service, email, ['pfeiffer'])).toEqual([]);
    const again = await mobile.createContacts([{ identity: '919876543210' }]);
    expect(again.failures).toMatchObject([{ code: 'contact_forgotten' }]);
  });
});

describe('the order of an erasure and other requests', () => {
  test('earlier requests are applied and erased, and later requests about the person are refused', async () => {
    await using quiet = await startTestService({ worker: false });
    const { first } = quiet;
    const send = async (path: string, contacts: object[]) => {
      const type = path.endsWith('create') ? { contact_type: 'identified' } : {};
      const answer = await first.v5(path, { data: { ...type, contacts } });
      expect(answer.status).toBe(200);
      return answer.body.request_id as string;
    };
    await send('/contact/create', [{ identity: 'lena@example.com', attributes: { CITY: 'Pfaffenhofen' } }]);
    let worker = quiet.startWorker();
    await quiet.settled();
    const id = await contactId(first, 'lena@example.com');
    await worker[Symbol.asyncDispose]();

    const before = await send('/contact/update', [{ contact_id: id, attributes: { FIRST_NAME: 'Lenamarie' } }]);
    const erasing = erased(first, id);
    while ((await quiet.context.db.selectFrom('request_queue').select('seq').execute()).length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const item = { identity: 'lena@example.com', attributes: { FIRST_NAME: 'Lenamarie' } };
    const kept = { identity: 'otto@example.com', attributes: { CITY: 'Ulm' } };
    const after = await send('/contact/create', [item, kept, { ...kept, email: null }]);
    const byNumber = await send('/contact/update', [{ contact_id: id, attributes: { CITY: 'Pfaffenhofen' } }]);
    worker = quiet.startWorker();
    await using _jobs = quiet.startJobs();
    const { request_id: requestId } = await erasing;
    await quiet.settled();
    await finished(first, requestId);
    await idle(quiet);
    await worker[Symbol.asyncDispose]();

    const log = async (request: string) => (await first.operator('GET', `/requests/${request}`)).body;
    expect(await log(before)).toMatchObject({ counts: { updated: 1 }, failures: [] });
    expect(await log(after)).toMatchObject({
      counts: { created: 1, failed: 1 },
      failures: [{ index: 0, code: 'contact_forgotten', field: 'identity' }],
    });
    expect(await log(byNumber)).toMatchObject({ failures: [{ index: 0, code: 'contact_forgotten' }] });
    expect(await mentions(quiet, first, ['lena@example.com', 'Lenamarie', 'Pfaffenhofen'])).toEqual([]);
    expect(await first.rows({ output: { fields: ['identity'] } })).toEqual([{ identity: 'otto@example.com' }]);
  });
});

describe('files of exports and an erasure', () => {
  test('the erasure lists the files that may contain the person, with their expiry', async () => {
    const { db } = service.context;
    const list = (name: string) => account.createList(name);
    const [mine, left, never] = [await list('Mine'), await list('Left'), await list('Never')];
    const details = [{ audience_id: [mine, left] }];
    const id = await created(account, { ...lena, audience_details: details });
    const exportOf = async (audience_id: number) => {
      const body = { audience_details: { audience_type: 'list', audience_id }, callback_details: {} };
      const answer = await service.call('POST', '/v4/audience/export', {
        body,
        headers: { 'api-key': account.apiKey },
      });
      const requestId = answer.body.data.request_id as string;
      while ((await account.operator('GET', `/exports/${requestId}`)).body.status !== 'completed') {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return requestId;
    };
    const files = [await exportOf(mine), await exportOf(left)];
    await update({ contact_id: id, audience_details: [{ audience_id: [left], action: 'remove' }] });
    await exportOf(never);
    const gone = await exportOf(mine);
    // A worker is writing this file now, with the contacts from before.
    const running = await exportOf(mine);
    await db
      .updateTable('exports')
      .where('request_id', '=', running)
      .set({ status: 'running', finished_at: null, expires_at: null })
      .execute();
    await db.updateTable('exports').where('request_id', '=', gone).set({ status: 'expired', file_key: null }).execute();
    const { export_files: named } = await erased(account, id);
    const file = { audience_type: 'list', status: 'completed', expires_at: expect.any(String) };
    expect(named).toEqual([
      { ...file, request_id: files[0], audience_id: mine },
      { ...file, request_id: files[1], audience_id: left },
      { ...file, request_id: running, audience_id: mine, status: 'running', expires_at: null },
    ]);
  });
});
