import type { TimelineEntry } from '@roster/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { keepsAll, record, recorded } from '../activities/support.ts';
import { contactId, created, erased } from '../erasures/support.ts';

let account: TestAccount;
const service = await forFile(startTestService());
beforeEach(async () => {
  account = await service.createAccount({ name: 'Timelines', settings: keepsAll });
});

const update = (...contacts: object[]) => account.updateContacts(contacts);

async function pageOf(id: number, query = ''): Promise<{ data: TimelineEntry[]; next_cursor: string | null }> {
  const { status, body } = await account.operator('GET', `/contacts/${id}/timeline?${query}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

async function allOf(id: number, query: string): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(
      id,
      `${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    entries.push(...page.data);
    cursor = page.next_cursor;
  }
  return entries;
}

describe('the timeline of a contact', () => {
  test('has requests, activities and changes of all kinds, newest first', async () => {
    const id = await created(account, { identity: 'asha@example.com' });
    const renamed = await update({ contact_id: id, identity: 'asha@example.net', email: 'asha@example.net' });
    await recorded(service, account, [
      record({ identity: 'asha@example.net', activity: 'sent', channel: 'sms', occurred_at: '2026-01-02T03:04:05Z' }),
      record({ identity: 'asha@example.net', activity: 'spam', msg_name: 'Offer', message_id: 7 }),
    ]);
    await account.operator('POST', `/contacts/${id}/unblock`);
    const { data, next_cursor } = await pageOf(id);
    expect(next_cursor).toBeNull();
    const times = data.map(({ occurred_at }) => occurred_at);
    expect(times).toEqual([...times].sort().reverse());
    expect(data.map(({ kind }) => kind).sort()).toEqual([
      'activity',
      'activity',
      'created',
      'identity_changed',
      'opted_out',
      'request',
      'request',
      'request',
      'type_changed',
      'type_changed',
    ]);
    expect(data.filter(({ kind }) => kind === 'request').map(({ request }) => request?.operation)).toEqual([
      'contact.unblock',
      'contact.update',
      'contact.create',
    ]);
    const changeOf = (kind: string) => data.filter((one) => one.kind === kind).map(({ change }) => change);
    expect(changeOf('identity_changed')).toMatchObject([{ from: 'asha@example.com', to: 'asha@example.net' }]);
    expect(changeOf('opted_out')).toMatchObject([{ channel: 'email', activity: 'spam' }]);
    expect(changeOf('type_changed')).toMatchObject([
      { from: 'blacklisted', to: 'identified', cause: 'unblock' },
      { from: 'identified', to: 'blacklisted', cause: 'opt-out', activity: 'spam' },
    ]);
    expect(data.find(({ kind }) => kind === 'identity_changed')?.request).toEqual({
      request_id: renamed.request_id,
      operation: 'contact.update',
      status: 'done',
      total: 1,
      failed: 0,
    });
    expect(data.at(-1)).toMatchObject({ kind: 'activity', activity: { channel: 'sms', activity: 'sent' } });
  });

  test('has only the kinds that are asked for, and refuses unknown kinds', async () => {
    const id = await created(account, { identity: 'kinds@example.com', subscriptions: { email: false } });
    expect((await pageOf(id, 'kinds=created')).data.map(({ kind }) => kind)).toEqual(['created']);
    expect((await pageOf(id, 'kinds=type_changed,opted_out')).data.map(({ kind }) => kind)).toEqual([
      'type_changed',
      'opted_out',
    ]);
    const { body } = await account.operator('GET', `/contacts/${id}/timeline?kinds=request,activitys`);
    expect(body).toMatchObject({ code: 400, errors: [{ field: 'kinds' }] });
    expect(body.description).toContain('Did you mean activity?');
    expect((await account.operator('GET', `/contacts/${id}/timeline?cursor=nonsense`)).status).toBe(400);
  });

  test('has every entry exactly once, whatever the page size, also entries of the same time', async () => {
    const id = await created(account, { identity: 'pages@example.com' });
    const same = '2026-03-01T00:00:00Z';
    await recorded(
      service,
      account,
      Array.from({ length: 40 }, (_, at) =>
        record({
          identity: 'pages@example.com',
          msg_name: `Message ${at}`,
          ...(at % 2 === 0 ? { occurred_at: same } : {}),
        }),
      ),
    );
    for (let at = 0; at < 5; at++) await update({ contact_id: id, attributes: { CITY: `City ${at}` } });
    const whole = (await pageOf(id, 'limit=500')).data;
    expect(whole).toHaveLength(40 + 5 + 2);
    for (const limit of [1, 7, 46, 47]) expect(await allOf(id, `limit=${limit}`)).toEqual(whole);
  });

  test('finds requests that touched many contacts, by ranges and by exact numbers', async () => {
    const identities = Array.from({ length: 9 }, (_, at) => `many-${at}@example.com`);
    const first = await account.createContacts(identities.map((identity) => ({ identity })));
    const odd = await update(
      ...[7, 1, 3, 1].map((at) => ({ identity: identities[at], attributes: { CITY: `City ${at}` } })),
    );
    const runs = await update(
      ...[6, 0, 3, 2, 4].map((at) => ({ identity: identities[at], attributes: { CITY: `Town ${at}` } })),
    );
    const touchedBy = { [odd.request_id]: [1, 3, 7], [runs.request_id]: [0, 2, 3, 4, 6] };
    for (const [at, identity] of identities.entries()) {
      const requests = await allOf(await contactId(account, identity), 'kinds=request');
      const touching = [runs, odd].map(({ request_id: id }) => id).filter((id) => touchedBy[id]!.includes(at));
      expect(requests.map(({ request }) => request?.request_id)).toEqual([...touching, first.request_id]);
    }
    const { rows } = await sql`
      select last_contact_id - first_contact_id as span, cardinality(contact_ids) as stored from request_results
      where account_id = ${account.accountId} order by request_id`.execute(service.context.db);
    expect(rows).toEqual([
      { span: 8, stored: null },
      { span: 6, stored: 3 },
      // 0, 2 to 4, 6
      { span: 6, stored: 4 },
    ]);
  });

  test('continues over thousands of requests that touched other contacts', async () => {
    const id = await created(account, { identity: 'old@example.com' });
    const other = await created(account, { identity: 'other@example.com' });
    const at = service.context.now().getTime();
    // Requests whose range includes the contact, but whose numbers do not.
    await sql`
      insert into request_results (account_id, request_id, status, counts, finished_at, first_contact_id, last_contact_id, contact_ids)
      select ${account.accountId}, (lpad(to_hex(${at}::bigint + n), 12, '0') || '70008000000000000000')::uuid, 'done', '{"total": 2}', now(),
        0, ${other}, array[0, ${other}]::bigint[]
      from generate_series(1, 4500) n`.execute(service.context.db);
    const first = await pageOf(id, 'kinds=request');
    expect(first.data).toEqual([]);
    expect(first.next_cursor).not.toBeNull();
    expect(await allOf(id, 'kinds=request')).toHaveLength(1);
    expect(await allOf(other, 'kinds=request&limit=500')).toHaveLength(4501);
  });

  test('keeps the changes of a contact that another request of the same batch created', async () => {
    const [{ request_id: first }, { request_id: second }] = await Promise.all([
      account.v5('/contact/create', {
        data: { contact_type: 'identified', contacts: [{ identity: 'a@example.com' }] },
      }),
      account.v5('/contact/update', {
        data: { contacts: [{ identity: 'a@example.com', subscriptions: { email: false } }] },
      }),
    ]).then((answers) => answers.map(({ body }) => body));
    await service.settled();
    const id = await contactId(account, 'a@example.com');
    const requests = (await pageOf(id, 'kinds=request')).data.map(({ request }) => request?.request_id);
    // The update may have come first. Then it found no contact.
    expect([[second, first], [first]]).toContainEqual(requests);
  });

  test('is gone with its contact, and an erasure leaves no former identity in it', async () => {
    const id = await created(account, { identity: 'gone@example.com' });
    await update({ contact_id: id, identity: 'gone@example.net', email: 'gone@example.net' });
    const kept = await created(account, { identity: 'kept@example.com', subscriptions: { sms: false } });
    const deleted = await created(account, { identity: 'deleted@example.com', subscriptions: { sms: false } });
    await erased(account, id);
    await account.apply('/contact/delete', { data: { contacts: [{ contact_id: deleted }] } });
    const rows = await service.context.db
      .selectFrom('contact_events')
      .where('account_id', '=', account.accountId)
      .select('contact_id')
      .execute();
    expect(rows).toEqual([{ contact_id: kept }]);
    expect((await account.operator('GET', `/contacts/${id}/timeline`)).status).toBe(404);
  });

  test('is in the export of the person', async () => {
    const id = await created(account, { identity: 'exports@example.com', subscriptions: { email: false } });
    const { body } = await account.operator('GET', `/contacts/${id}/export`);
    expect(body.changes).toEqual([
      {
        kind: 'opted_out',
        occurred_at: expect.any(String),
        request_id: expect.any(String),
        details: { channel: 'email' },
      },
      {
        kind: 'type_changed',
        occurred_at: expect.any(String),
        request_id: expect.any(String),
        details: { from: 'identified', to: 'blacklisted', cause: 'opt-out' },
      },
    ]);
  });
});
