import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { testAdminToken } from '../support/context.ts';
import { created } from '../erasures/support.ts';

const service = await forFile(startTestService());
const account = await service.createAccount({ name: 'Changes' });

const get = async (id: number) => (await account.operator('GET', `/contacts/${id}`)).body;

function patch(id: number, change: object, version?: string) {
  return service.call('PATCH', `/admin/v1/accounts/${account.accountId}/contacts/${id}`, {
    body: change,
    headers: {
      authorization: `Bearer ${testAdminToken}`,
      ...(version === undefined ? {} : { 'if-match': version }),
    },
  });
}

const valueOf = ({ attributes }: { attributes: { name: string; value: unknown }[] }, name: string) =>
  attributes.find((one) => one.name === name)?.value;

describe('a change of one contact', () => {
  test('is applied through the pipeline, and returns the contact with its new version', async () => {
    const list = await account.createList('Newsletter');
    const id = await created(account, { identity: 'asha@example.com', attributes: { CITY: 'Ulm' } });
    const { version } = await get(id);
    const { status, headers, body } = await patch(
      id,
      {
        mobile: '919812345678',
        attributes: { city: 'Pune', FIRST_NAME: null },
        audience_details: [{ audience_id: [list], action: 'add' }],
        subscriptions: { sms: false },
      },
      version,
    );
    expect(body).toMatchObject({ warnings: [], contact: { contact_id: id, mobile: '919812345678' } });
    expect(status).toBe(200);
    expect(headers['etag']).toBe(body.contact.version);
    expect(body.contact.version).not.toBe(version);
    expect(valueOf(body.contact, 'CITY')).toBe('Pune');
    expect(body.contact.lists).toEqual([{ audience_id: list, name: 'Newsletter' }]);
    expect(body.contact.opt_outs[1]).toMatchObject({ channel: 'sms', opted_out: true, request_id: body.request_id });
    expect((await account.operator('GET', `/requests/${body.request_id}`)).body).toMatchObject({
      operation: 'contact.update',
      outcome: 'succeeded',
      counts: { updated: 1 },
    });
    const log = (await account.operator('GET', '/audit-log?limit=1')).body.data[0];
    expect(log).toMatchObject({ action: 'contact.update', subject: `contact:${id}`, actor: 'operator' });
    // The names of the changed fields, never their values.
    const fields = ['mobile', 'audience_details', 'subscriptions', 'attributes.CITY', 'attributes.FIRST_NAME'];
    expect(log.details.fields.toSorted()).toEqual(fields.toSorted());
    expect(JSON.stringify(log)).not.toContain('Pune');
  });

  test('fails with 412 and the present contact if the contact changed since', async () => {
    const id = await created(account, { identity: 'both@example.com', attributes: { CITY: 'Ulm' } });
    const { version } = await get(id);
    expect((await patch(id, { attributes: { CITY: 'Bonn' } }, version)).status).toBe(200);
    const { status, headers, body } = await patch(id, { attributes: { CITY: 'Pune' } }, version);
    expect(status).toBe(412);
    const now = await get(id);
    expect(body).toMatchObject({ status: 'error', current: now });
    expect(headers['etag']).toBe(now.version);
    expect(valueOf(now, 'CITY')).toBe('Bonn');
    // With the present version, the merged change is made.
    expect((await patch(id, { attributes: { CITY: 'Pune' } }, now.version)).status).toBe(200);
  });

  test('is checked when it is applied: of changes with the same version, exactly one is made', async () => {
    const id = await created(account, { identity: 'race@example.com', attributes: { CITY: 'Ulm' } });
    const { version } = await get(id);
    const cities = Array.from({ length: 12 }, (_, at) => `City ${at}`);
    const answers = await Promise.all(cities.map((CITY) => patch(id, { attributes: { CITY } }, version)));
    const made = answers.find(({ status }) => status === 200)!;
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(11);
    expect(valueOf(await get(id), 'CITY')).toBe(valueOf(made.body.contact, 'CITY'));
  });

  test('is refused when a request that waits before it changes the contact', async () => {
    await using stopped = await startTestService({ worker: false });
    const own = await stopped.createAccount({ name: 'Waiting' });
    const send = (body: object) => own.v5('/contact/update', body);
    await own.v5('/contact/create', {
      data: { contact_type: 'identified', contacts: [{ identity: 'waits@example.com' }] },
    });
    let worker = stopped.startWorker();
    await stopped.settled();
    await worker[Symbol.asyncDispose]();
    const [{ contact_id: id }] = (await own.rows({ output: { fields: ['contact_id'] } })) as [{ contact_id: number }];
    const { version } = (await own.operator('GET', `/contacts/${id}`)).body;
    await send({ data: { contacts: [{ contact_id: id, attributes: { CITY: 'Bonn' } }] } });
    const answer = stopped.call('PATCH', `/admin/v1/accounts/${own.accountId}/contacts/${id}`, {
      body: { attributes: { CITY: 'Pune' } },
      headers: { authorization: `Bearer ${testAdminToken}`, 'if-match': version },
    });
    // The version is still the present one, so the change is accepted. The worker refuses it.
    while ((await stopped.context.db.selectFrom('request_queue').select('seq').execute()).length < 2);
    worker = stopped.startWorker();
    const { status, body } = await answer;
    await worker[Symbol.asyncDispose]();
    expect(status).toBe(412);
    expect(valueOf(body.current, 'CITY')).toBe('Bonn');
  });

  test('is made without If-Match, and with *', async () => {
    const id = await created(account, { identity: 'any@example.com' });
    expect((await patch(id, { attributes: { CITY: 'Ulm' } })).status).toBe(200);
    expect((await patch(id, { attributes: { CITY: 'Bonn' } }, '*')).status).toBe(200);
  });

  test.each([
    [{ attributes: { NO_SUCH: 'x' } }, 'attributes.NO_SUCH'],
    [{ attributes: { BIRTH_DATE: 'yesterday' } }, 'attributes.BIRTH_DATE'],
    [{ audience_details: [{ audience_id: [4711], action: 'add' }] }, 'audience_details[0].audience_id'],
    [{ contact_id: 4 }, 'contact_id'],
    [{ email: 'not an address' }, 'email'],
  ])('that the contact cannot take is refused as a whole: %j', async (change, field) => {
    const id = await created(account, { identity: `refused-${field}@example.com`.replaceAll(/[[\]]/g, '') });
    const before = await get(id);
    const attributes = { CITY: 'Ulm', ...('attributes' in change ? change.attributes : {}) };
    const { status, body } = await patch(id, { ...change, attributes });
    expect(status).toBe(400);
    expect(body.errors).toContainEqual(expect.objectContaining({ field }));
    expect(await get(id)).toEqual(before);
  });

  test.each([
    ['CITTY', 'CITTY is not an attribute of the account. Did you mean CITY?'],
    // Fields of contacts have these names, but no attribute has.
    ['CREATED_AT', 'CREATED_AT is not an attribute of the account.'],
    ['ACTIVITY', 'ACTIVITY is not an attribute of the account.'],
  ])('names the attribute that was probably meant: %s', async (name, message) => {
    const id = await created(account, { identity: `${name}@example.com` });
    const { body } = await patch(id, { attributes: { [name]: 'x' } });
    expect(body.errors).toEqual([{ code: 'unknown_field', field: `attributes.${name}`, message }]);
  });

  test('needs at least one field, and a version in the right form', async () => {
    const id = await created(account, { identity: 'form@example.com' });
    expect((await patch(id, {})).status).toBe(400);
    expect((await patch(id, { attributes: { CITY: 'Ulm' } }, 'yesterday')).body).toMatchObject({
      code: 400,
      errors: [{ field: 'If-Match' }],
    });
  });

  test('to the identity of another contact is a conflict', async () => {
    await created(account, { identity: 'taken@example.com' });
    const id = await created(account, { identity: 'wants@example.com' });
    const { status, body } = await patch(id, { identity: 'taken@example.com', email: 'taken@example.com' });
    expect(status).toBe(409);
    expect(body.description).toContain('Another contact already has this identity');
  });

  test('does not store a masked value that was only read', async () => {
    await account.v5('/client/attribute/create', {
      data: [{ name: 'SECRET', data_type: 'text', data_masking: 'full' }],
    });
    await service.settled();
    const id = await created(account, { identity: 'masked@example.com', attributes: { SECRET: 'treasure' } });
    expect((await patch(id, { attributes: { SECRET: '****' } })).status).toBe(400);
    expect(valueOf(await get(id), 'SECRET')).toBe('treasure');
  });
});

test('each change of a contact gives it a later updated_at, even in the same millisecond', async () => {
  const at = new Date('2026-05-06T07:08:09.120Z');
  await using frozen = await startTestService({ now: () => at });
  const own = await frozen.createAccount({ name: 'Frozen' });
  const id = await created(own, { identity: 'a@example.com' });
  const seen: string[] = [];
  for (const CITY of ['A', 'B', 'C']) {
    await own.updateContacts([{ contact_id: id, attributes: { CITY } }]);
    seen.push((await own.operator('GET', `/contacts/${id}`)).body.updated_at);
  }
  expect(seen).toEqual(['2026-05-06T07:08:09.121Z', '2026-05-06T07:08:09.122Z', '2026-05-06T07:08:09.123Z']);
});
