import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { createDelivery } from '#features/callbacks/deliveries.ts';
import { createMail } from '#features/mails/mails.ts';
import { goodPassword, openBrowser } from '../users/support.ts';
import { getRequest, keyOf } from '../waits/support.ts';
import { startImportService } from '../imports/import-service.ts';
import { attributeAccount, path, type AttributeAccount } from './attribute-account.ts';

const service = await forFile(startTestService());

type Account = AttributeAccount & { readonly trusted: Record<string, string> };

/**
 * An account with a masked attribute CARD, and a contact with a value. `trusted` has the headers of
 * a key with the scope unmasked.
 */
async function maskedAccount(body?: object): Promise<Account> {
  const account = await attributeAccount(service, body);
  await account.create({ name: 'CARD', data_type: 'text', data_masking: 'full' }, { name: 'OPEN', data_type: 'text' });
  await account.contact('a@example.com', { CARD: 'secret', OPEN: 'public' });
  const scopes = ['attributes:write', 'contacts:write', 'contacts:read', 'unmasked'];
  const { api_key } = (await account.operator('POST', '/api-keys', { name: 'Trusted', scopes })).body;
  return { ...account, trusted: { 'api-key': api_key as string } };
}

/**
 * Expects that a request is refused without the scope unmasked, with the field in the fault, and
 * succeeds with that scope.
 */
async function needsScope(account: Account, route: string, data: unknown, field: string): Promise<void> {
  expect(await account.v5(route, { data })).toMatchObject({
    status: 403,
    body: { errors: [{ code: 'missing_scope', field }] },
  });
  expect(await account.v5(route, { data }, account.trusted)).toMatchObject({ status: 200 });
  await service.settled();
}

function condition(field: string, value: unknown = 'secret') {
  return { filtering_criteria: [{ condition_details: [{ field, operation: 'equals', value: [value] }] }] };
}

async function updatedAt(account: AttributeAccount): Promise<string> {
  const [row] = await account.rows({ output: { fields: ['updated_at'] } });
  return row!['updated_at'] as string;
}

/** The rows of the table in docs/privacy.md, each with a function that checks it. */
const ways: Record<string, () => Promise<void>> = {
  async 'search and export'() {
    const account = await maskedAccount();
    expect(await account.values('CARD')).toEqual([['****']]);
  },
  async 'filter, sort, page by cursor'() {
    const account = await maskedAccount();
    expect((await account.v5('/contact/search', condition('CARD'))).status).toBe(403);
    expect((await account.v5('/contact/search', { output: { sorting: [{ field: 'CARD' }] } })).status).toBe(403);
  },
  async 'rename a masked attribute'() {
    const account = await maskedAccount();
    await needsScope(account, path.update, [{ name: 'CARD', new_name: 'OLD_CARD' }], 'data[0].new_name');
    expect(await account.values('OLD_CARD')).toEqual([['****']]);
    // The name of an attribute that is masked only through its mapping needs the scope, too.
    await account.update({ name: 'CITY', data_masking: 'full' });
    await account.create({ name: 'TOWN', data_type: 'text', mapping: 'CITY' });
    await needsScope(account, path.update, [{ name: 'TOWN', new_name: 'VILLAGE' }], 'data[0].new_name');
  },
  async 'delete a masked attribute'() {
    const account = await maskedAccount();
    await needsScope(account, path.delete, ['CARD'], 'data[0]');
    expect((await account.v5('/contact/search', { output: { fields: ['CARD'] } })).status).toBe(400);
  },
  async 'weaken a mask'() {
    const account = await maskedAccount();
    await needsScope(account, path.update, [{ name: 'CARD', data_masking: 'partial' }], 'data[0].data_masking');
  },
  async 'create an attribute under the former name of a masked one'() {
    const account = await maskedAccount();
    await account.v5(path.delete, { data: ['CARD'] }, account.trusted);
    await service.settled();
    for (const data_masking of ['none', 'partial']) {
      const data = [{ name: 'CARD', data_type: 'text', data_masking }];
      expect(await account.v5(path.create, { data })).toMatchObject({
        status: 403,
        body: { errors: [{ code: 'missing_scope', field: 'data[0].name' }] },
      });
    }
    await account.create({ name: 'CARD', data_type: 'text', data_masking: 'full' });
    await account.v5(path.delete, { data: ['CARD'] }, account.trusted);
    await service.settled();
    await needsScope(account, path.create, [{ name: 'CARD', data_type: 'text' }], 'data[0].name');
    await account.contact('a@example.com', { CARD: 'open now' });
    expect(await account.values('CARD')).toEqual([['open now']]);
    // A key with the scope has created it without a mask, so the name is free now.
    await account.apply(path.delete, { data: ['CARD'] });
    expect(await account.create({ name: 'CARD', data_type: 'number' })).toMatchObject({ counts: { created: 1 } });
  },
  async 'rename an attribute to the former name of a masked one'() {
    const account = await maskedAccount();
    await account.v5(path.update, { data: [{ name: 'CARD', new_name: 'CARD_NUMBER' }] }, account.trusted);
    expect(await account.update({ name: 'OPEN', new_name: 'CARD' })).toMatchObject({
      status: 403,
      body: { errors: [{ code: 'missing_scope', field: 'data[0].new_name' }] },
    });
    expect((await account.update({ name: 'OPEN', new_name: 'CARD', data_masking: 'full' })).status).toBe(200);
  },
  async auto_create_attributes() {
    const account = await maskedAccount({ name: 'Automatic', settings: { auto_create_attributes: true } });
    await account.v5(path.delete, { data: ['CARD'] }, account.trusted);
    await account.contact('a@example.com', { CARD: 'sent after it was deleted', FRESH: 'not masked' });
    expect(await account.values('CARD', 'FRESH')).toEqual([['****', 'not masked']]);
    expect(await account.find('CARD')).toMatchObject([{ data_masking: 'full' }]);
  },
  async 'map a masked attribute to a system attribute'() {
    const account = await maskedAccount();
    await needsScope(account, path.update, [{ name: 'CARD', mapping: 'CITY' }], 'data[0].mapping');
    expect(await account.values('CITY')).toEqual([['****']]);
  },
  async 'remove or move a mapping that masks'() {
    const account = await maskedAccount();
    await account.v5(path.update, { data: [{ name: 'CARD', mapping: 'CITY' }] }, account.trusted);
    // CITY itself has no mask. Without the mapping, later values sent as CITY would be readable.
    await needsScope(account, path.update, [{ name: 'CARD', mapping: null }], 'data[0].mapping');
  },
  async 'read or guess a default value'() {
    const account = await maskedAccount();
    await account.update({ name: 'CARD', default_value: 'unknown' });
    const record = async () => (await account.find('CARD'))[0]!;
    const before = await record();
    expect(before).toMatchObject({ default_value: '****' });
    const writtenBack = await account.update({ name: 'CARD', default_value: before['default_value'] });
    expect(writtenBack).toMatchObject({ status: 400, body: { errors: [{ field: 'data[0].default_value' }] } });
    const guessed = await account.update({ name: 'CARD', default_value: 'unknown' });
    expect(guessed.body.data).toMatchObject([{ default_value: '****' }]);
    expect((await record())['updated_at']).not.toBe(before['updated_at']);
    const changed = await account.v5(path.update, { data: [{ name: 'CARD', default_value: 'none' }] }, account.trusted);
    expect(changed.body.data).toMatchObject([{ default_value: 'none' }]);
  },
  async 'change the data type'() {
    const account = await maskedAccount();
    expect((await account.update({ name: 'CARD', data_type: 'long_text' })).status).toBe(200);
    expect(await account.values('CARD')).toEqual([['****']]);
  },
  async 'write a guess and look whether the contact changed'() {
    const account = await maskedAccount();
    for (const [attributes, counts] of [
      [{ CARD: 'secret' }, { updated: 1, unchanged: 0 }],
      [{ CARD: 'wrong' }, { updated: 1, unchanged: 0 }],
      [{ CARD: null }, { updated: 1, unchanged: 0 }],
      [{ CARD: null }, { updated: 1, unchanged: 0 }],
      [{ OPEN: 'public' }, { updated: 0, unchanged: 1 }],
    ] as const) {
      for (const [route, data] of [
        ['/contact/create', { contact_type: 'identified', contacts: [{ identity: 'a@example.com', attributes }] }],
        ['/contact/update', { contacts: [{ identity: 'a@example.com', attributes }] }],
      ] as const) {
        const before = await updatedAt(account);
        expect(await account.apply(route, { data })).toMatchObject({ counts });
        expect((await updatedAt(account)) > before).toBe(counts.updated === 1);
      }
    }
  },
  async 'write a guessed identity'() {
    const account = await attributeAccount(service, { name: 'Keyed', primary_key: 'PASSPORT' });
    await account.contact('P-1', {});
    await account.update({ name: 'PASSPORT', data_masking: 'full' });
    const [row] = await account.rows({ output: { fields: ['contact_id', 'PASSPORT', 'identity'] } });
    expect(row).toMatchObject({ PASSPORT: '****', identity: '****' });
    const before = await updatedAt(account);
    const contacts = [{ contact_id: row!['contact_id'], attributes: { PASSPORT: 'P-1' } }];
    expect(await account.updateContacts(contacts)).toMatchObject({ counts: { updated: 1 } });
    expect((await updatedAt(account)) > before).toBe(true);
    const known = await account.updateContacts([{ identity: 'P-2' }]);
    expect(known).toMatchObject({ counts: { failed: 1 } });
  },
  async 'read the outcome of a write'() {
    const account = await maskedAccount();
    const guess = { contacts: [{ identity: 'a@example.com', attributes: { CARD: 'guess' } }] };
    const { body } = await account.v5('/contact/update', { data: guess }, account.trusted);
    await service.settled();
    expect(await getRequest(service, account.trusted['api-key']!, body.request_id)).toMatchObject({ status: 403 });
    const reader = await keyOf(account, 'contacts:write', 'requests:read');
    const outcome = await getRequest(service, reader, body.request_id);
    expect(outcome).toMatchObject({ status: 200, body: { data: [{ counts: { updated: 1 }, failures: [] }] } });
    expect(JSON.stringify(outcome.body)).not.toMatch(/secret|guess/);
  },
  async usage() {
    const account = await maskedAccount();
    const usage = await account.v5('/client/attribute/usage', { data: ['CARD'] });
    expect(usage.body.data).toEqual([{ name: 'CARD', in_use: false, contacts_with_value: 1, usage: [] }]);
  },
  async segments() {
    const account = await maskedAccount();
    const segment = await account.operator('POST', '/segments', { name: 'Secret', ...condition('CARD') });
    const audience = { audience_type: 'segment', audience_id: segment.body.audience_id as number };
    const found = await account.v5('/contact/audience/search', { ...audience, output: { fields: ['CARD'] } });
    expect(found.body.data).toEqual([{ CARD: '****' }]);
    expect((await account.v5('/contact/audience/search', { ...audience, ...condition('CARD') })).status).toBe(403);
  },
  async 'a filter or a value that somebody else chose'() {
    const account = await maskedAccount();
    const filter = condition('CARD');
    const everyone = { all_contacts: true, expected_count: 1 };
    const action = { type: 'set_attribute', attribute: 'CARD', value: 'secret' };
    const made = await Promise.all([
      account.operator('POST', '/segments', { name: 'Secret', ...filter }),
      account.operator('POST', '/exports', { filter }),
      account.operator('POST', '/export-schedules', { name: 'S', filter, timing: { every: 'day', at: '03:00' } }),
      account.operator('POST', '/bulk-changes', { action, ...everyone }),
      account.operator('POST', '/bulk-changes', {
        action: { type: 'opt_in', channels: ['email'] },
        expected_count: 1,
        ...filter,
      }),
    ]);
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const scopes = ['segments:read', 'segments:write', 'exports:read', 'contacts:read'];
    const { api_key } = (await account.operator('POST', '/api-keys', { name: 'Reader', scopes })).body;
    const base = `/admin/v1/accounts/${account.accountId}`;
    const read = async (method: string, route: string, body?: object) => {
      const headers = { 'api-key': api_key as string, 'if-match': '"0"' };
      return JSON.stringify((await service.call(method, base + route, { headers, ...(body && { body }) })).body);
    };
    const [segment, export_, schedule, values, selection] = made.map(({ body }) => body);
    for (const [method, route, body] of [
      ['GET', '/segments'],
      ['GET', `/segments/${segment.audience_id}`],
      // The answer to an outdated version shows the present one.
      ['PATCH', `/segments/${segment.audience_id}`, { name: 'New' }],
      ['GET', '/exports'],
      ['GET', `/exports/${export_.request_id}`],
      ['GET', '/export-schedules'],
      ['GET', `/export-schedules/${schedule.schedule_id}`],
      ['GET', '/bulk-changes'],
      ['GET', `/bulk-changes/${values.bulk_change_id}`],
      ['GET', `/bulk-changes/${selection.bulk_change_id}`],
    ] as const) {
      const shown = await read(method, route, body);
      expect([route, shown]).toEqual([route, expect.stringContaining('"CARD"')]);
      expect([route, shown]).toEqual([route, expect.stringContaining('****')]);
      expect([route, shown]).toEqual([route, expect.not.stringContaining('secret')]);
    }
    expect(await read('GET', `/segments/${segment.audience_id}`)).toContain('"has_masked_conditions":true');
    const own = await account.operator('GET', `/segments/${segment.audience_id}`);
    expect(JSON.stringify(own.body)).toContain('secret');
    expect(own.body.has_masked_conditions).toBe(false);
  },
  async 'links in mails and deliveries'() {
    const account = await maskedAccount();
    const url = 'https://roster.example.com/files/exports/1/a.csv?expires=9&signature=c2VjcmV0';
    const { context } = service;
    const accountId = account.accountId;
    const [mailId, deliveryId] = await context.db.transaction().execute(async (trx) => [
      await createMail(trx, context, {
        accountId,
        to: 'asha@example.com',
        template: 'export_finished',
        data: {
          requestId: context.newId(),
          status: 'completed',
          audienceType: 'list',
          audienceId: 1,
          fileUrl: url,
          accountName: 'A',
          timeZone: 'UTC',
        },
      }),
      await createDelivery(trx, context, {
        accountId,
        source: { kind: 'export', id: context.newId() },
        method: 'GET',
        url: 'https://crm.example.com/done',
        headers: [],
        body: { file_url: url },
      }),
    ]);
    const admin = openBrowser(service);
    const invitation = { email: `admin${accountId}@example.com`, role: 'admin' };
    const { link } = (await account.operator('POST', '/invitations', invitation)).body;
    const token = (link as string).split('#token=')[1];
    await admin.send('POST', '/invitations/accept', { token, name: 'Admin', password: goodPassword });
    for (const route of [`/mails/${mailId}`, '/deliveries', `/deliveries/${deliveryId}`]) {
      const { status, body } = await admin.send('GET', `/accounts/${accountId}${route}`);
      const own = (await account.operator('GET', route)).body;
      expect([status, JSON.stringify(own)]).toEqual([200, expect.stringContaining('c2VjcmV0')]);
      expect(JSON.stringify(body)).not.toContain('c2VjcmV0');
    }
  },
  async 'the failed rows of an import'() {
    await using imports = await startImportService();
    const { account } = imports;
    await account.apply(path.create, { data: [{ name: 'CARD', data_type: 'text', data_masking: 'full' }] });
    const { import_id: id } = await imports.run('EMAIL,CARD\nnot an address,secret\n');
    const scopes = ['imports:write'];
    const { api_key } = (await account.operator('POST', '/api-keys', { name: 'Importer', scopes })).body;
    for (const route of [`/imports/${id}/failures/rows`, `/imports/${id}/failures`]) {
      const url = `/admin/v1/accounts/${account.accountId}${route}`;
      const { status, body } = await imports.service.call('GET', url, { headers: { 'api-key': api_key } });
      expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining('****')]);
      expect(JSON.stringify(body)).not.toContain('secret');
      expect(JSON.stringify((await account.operator('GET', route)).body)).toContain('secret');
    }
  },
  async 'the export of a person'() {
    const account = await maskedAccount();
    const officer = openBrowser(service);
    const invitation = { email: `officer${account.accountId}@example.com`, role: 'privacy' };
    const { link } = (await account.operator('POST', '/invitations', invitation)).body;
    const token = (link as string).split('#token=')[1];
    await officer.send('POST', '/invitations/accept', { token, name: 'Officer', password: goodPassword });
    const [row] = await account.rows({ output: { fields: ['contact_id'] } });
    const route = `/accounts/${account.accountId}/contacts/${String(row!['contact_id'])}/export`;
    expect(await officer.send('GET', route)).toMatchObject({
      status: 403,
      body: { description: expect.stringContaining('the values of CARD') },
    });
    const member = (await account.operator('GET', '/members')).body.data[0];
    await account.operator('PATCH', `/members/${member.user_id}`, { unmasked: true });
    const { status, body } = await officer.send('GET', route);
    expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining('secret')]);
  },
};

const guide = readFileSync(new URL('../../../../docs/privacy.md', import.meta.url), 'utf8');
const table = guide.split('\n## Masked values\n')[1]?.split('\n## ')[0] ?? '';
const rows = [...table.matchAll(/^\| ([^|]+?) +\| [^|]+\|$/gm)]
  .map(([, way]) => way!)
  .filter((way) => !/^(way|-+)$/.test(way));

test('the ways to a masked value in docs/privacy.md are the ways that this file tests', () => {
  expect(rows).toEqual(Object.keys(ways));
});

describe('a key without the scope `unmasked`', () => {
  test.each(Object.keys(ways))('a masked value stays hidden: %s', async (way) => ways[way]!());
});

test('the right to delete a masked attribute is checked again when the request is applied', async () => {
  await using waiting = await startTestService({ worker: false });
  const { first } = waiting;
  await first.v5(path.create, { data: [{ name: 'CARD', data_type: 'text' }] });
  const deletion = await first.v5(path.delete, { data: ['CARD'] });
  expect(deletion.status).toBe(200);
  await first.v5(path.create, { data: [{ name: 'OTHER', data_type: 'text', data_masking: 'full' }] });
  const other = await first.v5(path.delete, { data: ['OTHER'] });
  expect(other.status).toBe(200);
  await using _worker = waiting.startWorker();
  await waiting.settled();
  const outcome = async (id: string) => (await first.operator('GET', `/requests/${id}`)).body;
  expect(await outcome(deletion.body.request_id)).toMatchObject({ counts: { deleted: 1 } });
  expect(await outcome(other.body.request_id)).toMatchObject({
    counts: { failed: 1 },
    failures: [{ code: 'attribute_masked' }],
  });
});
