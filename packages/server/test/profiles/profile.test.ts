import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { record, recorded } from '../activities/support.ts';
import { created } from '../erasures/support.ts';

const service = await forFile(startTestService());
const account = await service.createAccount({ name: 'Profiles' });

async function segment(name: string, field: string, value: unknown, operation = 'equals'): Promise<number> {
  const filtering_criteria = [{ condition_details: [{ field, operation, value }] }];
  const { status, body } = await account.operator('POST', '/segments', { name, filtering_criteria });
  expect(status).toBe(201);
  return body.audience_id;
}

const update = (id: number, change: object) => account.updateContacts([{ contact_id: id, ...change }]);

async function profile(id: number) {
  const { status, headers, body } = await account.operator('GET', `/contacts/${id}`);
  expect(status).toBe(200);
  expect(headers['etag']).toBe(body.version);
  return body;
}

/** Takes all turns of an account for searches, and all places of those that wait, until it is disposed. */
async function allTurnsTaken({ accountId }: TestAccount): Promise<AsyncDisposable> {
  const { searches } = service.context;
  const over = Promise.withResolvers<void>();
  const taken: Promise<unknown>[] = [];
  const take = () => searches.run(accountId, undefined, () => over.promise);
  const isRefused = Promise.withResolvers<void>();
  for (let n = 0; n < 130; n++) taken.push(take().catch(() => isRefused.resolve()));
  await isRefused.promise;
  return {
    async [Symbol.asyncDispose]() {
      over.resolve();
      await Promise.all(taken);
    },
  };
}

describe('the profile of a contact', () => {
  test('has every attribute with its type, also those without a value', async () => {
    await account.v5('/client/attribute/create', { data: [{ name: 'SCORE', data_type: 'number' }] });
    await service.settled();
    const id = await created(account, {
      identity: 'lena@example.com',
      mobile: '491701234567',
      attributes: { CITY: 'Pune', SCORE: 12.5 },
    });
    const body = await profile(id);
    expect(body).toMatchObject({ contact_id: id, identity: 'lena@example.com', email: 'lena@example.com' });
    expect(body.attributes).toHaveLength(11);
    expect(body.attributes).toContainEqual(expect.objectContaining({ name: 'CITY', data_type: 'text', value: 'Pune' }));
    expect(body.attributes).toContainEqual(
      expect.objectContaining({ name: 'SCORE', data_type: 'number', value: 12.5 }),
    );
    expect(body.attributes).toContainEqual(expect.objectContaining({ name: 'STATE', value: null }));
  });

  test('has the lists, and the segments that match, also through other segments', async () => {
    const list = await account.createList('Newsletter');
    const ulm = await segment('Ulm', 'CITY', 'Ulm');
    const nested = await segment('Not in Bonn', 'segment_id', await segment('Bonn', 'CITY', 'Bonn'), 'not_equals');
    const onList = await segment('On the list', 'list_id', list);
    const id = await created(account, {
      identity: 'ulm@example.com',
      attributes: { CITY: 'Ulm' },
      audience_details: [{ audience_id: [list] }],
    });
    const body = await profile(id);
    expect(body.lists).toEqual([{ audience_id: list, name: 'Newsletter' }]);
    expect(body.segments).toEqual([
      { audience_id: ulm, name: 'Ulm' },
      { audience_id: nested, name: 'Not in Bonn' },
      { audience_id: onList, name: 'On the list' },
    ]);
    expect(body.unusable_segments).toEqual([]);
  });

  test('names a segment that cannot be evaluated, and evaluates all others', async () => {
    const own = await service.createAccount({ name: 'Many segments' });
    const id = await created(own, { identity: 'a@example.com', attributes: { CITY: 'Ulm' } });
    const add = async (name: string, value: string, field = 'CITY') =>
      (
        await own.operator('POST', '/segments', {
          name,
          filtering_criteria: [{ condition_details: [{ field, operation: 'equals', value }] }],
        })
      ).body.audience_id as number;
    const broken = await add('Broken', 'Ulm', 'STATE');
    // Segments for more than one statement.
    for (let at = 0; at < 110; at++) await add(`Segment ${at}`, at === 105 ? 'Ulm' : `City ${at}`);
    await service.context.db
      .deleteFrom('attributes')
      .where('account_id', '=', own.accountId)
      .where('name', '=', 'STATE')
      .execute();
    const { body } = await own.operator('GET', `/contacts/${id}`);
    expect(body.unusable_segments).toEqual([{ audience_id: broken, name: 'Broken' }]);
    expect(body.segments).toEqual([{ audience_id: expect.any(Number), name: 'Segment 105' }]);
  });

  test('is refused while the account has no turn for a search, because its segments can take long', async () => {
    const own = await service.createAccount({ name: 'Busy' });
    const id = await created(own, { identity: 'a@example.com', attributes: { CITY: 'Ulm' } });
    {
      await using _ = await allTurnsTaken(own);
      expect((await own.operator('GET', `/contacts/${id}`)).status).toBe(429);
      // The error of a search would say that nothing was changed.
      const { status, body } = await own.operator('PATCH', `/contacts/${id}`, { attributes: { CITY: 'Bonn' } });
      expect([status, body.description]).toEqual([503, expect.stringContaining('It may still take effect.')]);
    }
    const { attributes } = (await own.operator('GET', `/contacts/${id}`)).body;
    expect(attributes).toContainEqual(expect.objectContaining({ name: 'CITY', value: 'Bonn' }));
  });

  test('says since when and why the contact has its type and its opt-outs', async () => {
    const id = await created(account, { identity: 'leaves@example.com' });
    expect((await profile(id)).lifecycle).toMatchObject({
      contact_type: 'identified',
      since: (await profile(id)).created_at,
      cause: 'created',
      request_id: null,
    });

    await recorded(service, account, [record({ identity: 'leaves@example.com', activity: 'unsubscribe' })]);
    const left = await profile(id);
    expect(left.lifecycle).toMatchObject({
      contact_type: 'blacklisted',
      type_before_blacklisting: 'identified',
      cause: 'opt-out',
      activity: 'unsubscribe',
      request_id: expect.any(String),
    });
    expect(left.lifecycle.since).toBe(left.updated_at);
    expect(left.opt_outs).toEqual([
      {
        channel: 'email',
        opted_out: true,
        since: left.updated_at,
        activity: 'unsubscribe',
        request_id: left.lifecycle.request_id,
      },
      { channel: 'sms', opted_out: false, since: null, activity: null, request_id: null },
      { channel: 'whatsapp', opted_out: false, since: null, activity: null, request_id: null },
    ]);

    const back = await update(id, { subscriptions: { email: true } });
    expect(await profile(id)).toMatchObject({
      lifecycle: { contact_type: 'identified', cause: 'opt-in', activity: null, request_id: back.request_id },
      opt_outs: [{ channel: 'email', opted_out: false, request_id: back.request_id }, {}, {}],
    });

    await account.operator('POST', `/contacts/${id}/block`);
    expect((await profile(id)).lifecycle).toMatchObject({ contact_type: 'blacklisted', cause: 'block' });
    await account.operator('POST', `/contacts/${id}/unblock`);
    expect((await profile(id)).lifecycle).toMatchObject({ contact_type: 'identified', cause: 'unblock' });
  });

  test('has former identities, and an anonymous contact has no identity', async () => {
    const request = await account.apply('/contact/create', {
      data: { contact_type: 'anonymous', contacts: [{ email: 'nobody@example.com' }] },
    });
    const [{ contact_id: id }] = (await account.rows({
      filtering_criteria: [
        { condition_details: [{ field: 'email', operation: 'equals', value: 'nobody@example.com' }] },
      ],
      output: { fields: ['contact_id'] },
    })) as [{ contact_id: number }];
    expect(request.counts.created).toBe(1);
    expect(await profile(id)).toMatchObject({ identity: null, former_identities: [] });
    await update(id, { identity: 'known@example.com', email: 'known@example.com' });
    expect((await profile(id)).lifecycle).toMatchObject({ contact_type: 'identified', cause: 'identity' });
    await update(id, { identity: 'other@example.com', email: 'other@example.com' });
    expect(await profile(id)).toMatchObject({
      identity: 'other@example.com',
      former_identities: [{ identity: 'known@example.com', changed_at: expect.any(String) }],
    });
  });

  test('hides masked values, also a masked primary key, from callers who must not see them', async () => {
    const own = await service.createAccount({ name: 'Masked', primary_key: 'CUSTOMER_ID' });
    await own.v5('/client/attribute/create', {
      data: [{ name: 'SECRET', data_type: 'text', data_masking: 'full' }],
    });
    await service.settled();
    const id = await created(own, { identity: 'C-1234567890', attributes: { SECRET: 'treasure' } });
    const mask = await own.v5('/client/attribute/update', { data: [{ name: 'CUSTOMER_ID', data_masking: 'partial' }] });
    expect(mask.body).toMatchObject({ status: 'success' });
    await own.updateContacts([{ contact_id: id, identity: 'D-1234567890' }]);
    const key = async (scopes: string[]) =>
      (await own.operator('POST', '/api-keys', { name: 'Key', scopes })).body.api_key as string;
    const seenWith = async (scopes: string[], path = '') => {
      const url = `/admin/v1/accounts/${own.accountId}/contacts/${id}${path}`;
      return (await service.call('GET', url, { headers: { 'api-key': await key(scopes) } })).body;
    };
    const masked = await seenWith(['contacts:read']);
    expect(masked.identity).toBe('********7890');
    expect(masked.former_identities[0].identity).toBe('********7890');
    expect(masked.attributes).toContainEqual(expect.objectContaining({ name: 'SECRET', value: '****' }));
    const plain = await seenWith(['contacts:read', 'unmasked']);
    expect(plain.identity).toBe('D-1234567890');
    expect(plain.attributes).toContainEqual(expect.objectContaining({ name: 'SECRET', value: 'treasure' }));

    const kinds = '/timeline?kinds=identity_changed';
    expect((await seenWith(['contacts:read'], kinds)).data[0].change).toMatchObject({ from: '********7890' });
    expect((await seenWith(['contacts:read', 'unmasked'], kinds)).data[0].change.from).toBe('C-1234567890');
    // Activities need a permission of their own.
    expect(await seenWith(['contacts:read'], '/timeline?kinds=activity')).toMatchObject({ code: 403 });
    expect((await seenWith(['contacts:read'], '/timeline')).data).not.toEqual([]);
  });

  test('of another account, or that does not exist, is not found', async () => {
    const id = await created(account, { identity: 'mine@example.com' });
    const other = await service.createAccount({ name: 'Other' });
    for (const path of [`/contacts/${id}`, `/contacts/${id}/timeline`]) {
      expect((await other.operator('GET', path)).status).toBe(404);
    }
    expect((await other.operator('PATCH', `/contacts/${id}`, { attributes: { CITY: 'Ulm' } })).status).toBe(404);
    expect((await account.operator('GET', '/contacts/999999999')).status).toBe(404);
    expect((await profile(id)).attributes).toContainEqual(expect.objectContaining({ name: 'CITY', value: null }));
  });
});
