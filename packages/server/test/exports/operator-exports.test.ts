import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import type { Answer } from '../support/service.ts';
import { startExportService } from './export-service.ts';

const exports = await forFile(startExportService());
await exports.account.operator('PATCH', '', { settings: { auto_create_attributes: true } });
await exports.account.createContacts(
  Array.from({ length: 25 }, (_, at) => ({
    identity: `p${String(at).padStart(2, '0')}@example.com`,
    attributes: { CITY: at % 2 === 0 ? 'Pune' : 'Goa, "old"', TIER: at === 3 ? '=1+1' : 'gold' },
    ...(at < 5 ? { audience_details: [{ audience_id: 1 }] } : {}),
  })),
);

const pune = { filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['Pune'] }] }] };

const create = (body: object): Promise<Answer> => exports.account.operator('POST', '/exports', body);

function faultsOf({ status, body }: Answer): string[] {
  expect(status, JSON.stringify(body)).toBe(400);
  return body.errors.map(({ code, field }: { code: string; field: string }) => `${code} ${field}`);
}

describe('exports of operators', () => {
  test('a list is exported with the chosen columns, and the author is stored', async () => {
    const { status, body } = await create({ audience_type: 'list', audience_id: 1, attributes: ['city', 'EMAIL'] });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'accepted', author: 'operator', api_key_id: null, filter: null });
    const rows = await exports.rows(body.request_id);
    expect(rows).toHaveLength(6);
    expect(rows.slice(0, 2)).toEqual([
      ['city', 'EMAIL'],
      ['Pune', 'p00@example.com'],
    ]);
    const { body: log } = await exports.account.operator('GET', '/audit-log');
    expect(log.data).toContainEqual(
      expect.objectContaining({ action: 'export.create', actor: 'operator', subject: `export:${body.request_id}` }),
    );
  });

  test('the contacts that match a filter are exported, and the filter is shown', async () => {
    const { body } = await create({ filter: pune });
    expect(body).toMatchObject({
      audience_type: null,
      audience_id: null,
      filter: { filtering_criteria: [{ condition_details: [{ field: 'CITY', value: ['Pune'] }] }] },
    });
    expect(await exports.rows(body.request_id)).toHaveLength(14);
  });

  test('an empty filter exports all contacts', async () => {
    const { body } = await create({ filter: {}, compression: 'gzip', attributes: ['EMAIL'] });
    const found = await exports.ended(body.request_id);
    expect(found).toMatchObject({ status: 'completed', rows_written: 25, rows_total: 25 });
    const file = await exports.download(found.file_url!);
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="contacts-[\d-]+\.csv\.gz"$/);
  });

  test('an attribute of a filter can be renamed before the export runs, but not deleted', async () => {
    const waiting = await startExportService({ jobs: false });
    try {
      const { account } = waiting;
      await account.createAttributes([{ name: 'SIZE', data_type: 'text' }]);
      const condition = { field: 'SIZE', operation: 'equals', value: ['L'] };
      const filter = { filtering_criteria: [{ condition_details: [condition] }] };
      const { body } = await account.operator('POST', '/exports', { filter, attributes: ['EMAIL'] });
      const deleted = await account.v5('/client/attribute/delete', { data: [{ name: 'SIZE' }] });
      expect(deleted.body.errors[0]).toMatchObject({ code: 'in_use' });
      await account.v5('/client/attribute/update', { data: [{ name: 'SIZE', new_name: 'FIT' }] });
      await waiting.service.settled();
      const shown = (await waiting.find(body.request_id)).filter as { filtering_criteria: unknown };
      expect(shown.filtering_criteria).toMatchObject([{ condition_details: [{ field: 'FIT' }] }]);
    } finally {
      await waiting[Symbol.asyncDispose]();
    }
  });

  test('a request with faults lists all of them', async () => {
    const answer = await create({
      audience_type: 'list',
      audience_id: 99,
      attributes: ['EMAIL', 'NOWHERE'],
      notify_email: 'nobody',
      callback: { url: 'http://127.0.0.1/', headers: [{ name: 'Host', value: 'x' }] },
    });
    expect(faultsOf(answer)).toEqual([
      'not_found audience_id',
      'unknown_field attributes[1]',
      'invalid_format notify_email',
      'not_allowed callback.headers[0]',
      'not_allowed callback.url',
    ]);
  });

  test('exactly one of an audience and a filter is needed', async () => {
    expect(faultsOf(await create({}))).toEqual(['required ']);
    expect(faultsOf(await create({ audience_type: 'list' }))).toEqual(['required audience_id']);
    expect(faultsOf(await create({ audience_id: 1 }))).toEqual(['required audience_type']);
    expect(faultsOf(await create({ audience_type: 'list', audience_id: 1, filter: {} }))).toEqual([
      'not_allowed filter',
    ]);
    expect(faultsOf(await create({ filters: {} }))).toContain('unknown_field filters');
    const unknown = { filtering_criteria: [{ condition_details: [{ field: 'NOWHERE', operation: 'is_null' }] }] };
    expect(faultsOf(await create({ filter: unknown }))).toEqual([
      'unknown_field filter.filtering_criteria[0].condition_details[0].field',
    ]);
  });

  test('another account cannot see or export the list', async () => {
    const other = await exports.service.createAccount();
    const mine = await create({ audience_type: 'list', audience_id: 1 });
    expect((await other.operator('GET', `/exports/${mine.body.request_id}`)).status).toBe(404);
    await exports.account.operator('POST', '/lists', { name: 'Second' });
    expect(faultsOf(await other.operator('POST', '/exports', { audience_type: 'list', audience_id: 2 }))).toEqual([
      'not_found audience_id',
    ]);
    const all = await other.operator('POST', '/exports', { filter: {} });
    expect(await exports.service.operator('GET', `/accounts/${other.accountId}/exports`)).toMatchObject({
      body: { data: [{ request_id: all.body.request_id }] },
    });
  });
});

describe('the preview of an export', () => {
  const preview = (body: object): Promise<Answer> => exports.account.operator('POST', '/exports/preview', body);

  test('the preview has the header and the first ten rows of the file', async () => {
    const body = { filter: {}, attributes: ['EMAIL', 'CITY', 'MOBILE'] };
    const shown = (await preview(body)).body;
    const rows = await exports.rows((await create(body)).body.request_id);
    expect(shown.columns).toEqual(rows[0]);
    expect(shown.rows).toEqual(rows.slice(1, 11));
    expect(shown.is_estimate).toBe(true);
  });

  test('the preview shows the formula guard like the file, and the exact size of a list', async () => {
    await exports.account.operator('PATCH', '', { settings: { csv_formula_guard: true } });
    const body = { audience_type: 'list', audience_id: 1, attributes: ['TIER'] };
    const shown = (await preview(body)).body;
    expect(shown).toMatchObject({ rows_total: 5, is_estimate: false });
    const rows = await exports.rows((await create(body)).body.request_id);
    expect([shown.columns, ...shown.rows]).toEqual(rows);
    expect(shown.rows[3]).toEqual(["'=1+1", '1']);
    await exports.account.operator('PATCH', '', { settings: { csv_formula_guard: false } });
  });

  test('the preview knows the exact size of a small file, and never estimates fewer rows than it shows', async () => {
    const one = {
      filtering_criteria: [{ condition_details: [{ field: 'email', operation: 'equals', value: 'p00@example.com' }] }],
    };
    expect((await preview({ filter: one })).body).toMatchObject({ rows_total: 1, is_estimate: false });
    const shown = (await preview({ filter: pune })).body;
    expect(shown).toMatchObject({ is_estimate: true });
    expect(shown.rows_total).toBeGreaterThanOrEqual(10);
  });

  test('the preview counts the rows of the file exactly on request', async () => {
    const exact = async (body: object) => (await preview({ ...body, get_count: true })).body;
    expect(await exact({ filter: pune })).toMatchObject({ rows_total: 13, is_estimate: false });
    const segment = await exports.account.operator('POST', '/segments', { name: 'Pune', ...pune });
    const audience = { audience_type: 'segment', audience_id: segment.body.audience_id };
    expect(await exact(audience)).toMatchObject({ rows_total: 13, is_estimate: false });
    const [contact] = await exports.account.rows({ ...pune, output: { fields: ['contact_id'] } });
    await exports.account.operator('POST', `/contacts/${String(contact!['contact_id'])}/block`);
    const file = await exports.rows((await create({ ...audience, blocklist_type: 'email' })).body.request_id);
    expect(file).toHaveLength(1 + 12);
    expect(await exact({ ...audience, blocklist_type: 'email' })).toMatchObject({ rows_total: 12, is_estimate: false });
  });

  test('the preview stores nothing', async () => {
    const before = (await exports.account.operator('GET', '/exports')).body.data.length;
    await preview({ filter: pune });
    expect((await exports.account.operator('GET', '/exports')).body.data).toHaveLength(before);
  });

  test('a preview with faults is refused', async () => {
    expect(faultsOf(await preview({ filter: {}, attributes: ['NOWHERE'] }))).toEqual(['unknown_field attributes[0]']);
  });
});

describe('the rights of the caller', () => {
  /** Calls with an API key that has some scopes. */
  async function withScopes(scopes: string[]) {
    const key = (await exports.account.operator('POST', '/api-keys', { name: scopes.join(), scopes })).body.api_key;
    return (method: string, path: string, body?: unknown): Promise<Answer> =>
      exports.service.call(method, `/admin/v1/accounts/1${path}`, { body, headers: { 'api-key': key } });
  }

  test('only a caller with the permission export can create and preview exports', async () => {
    const reader = await withScopes(['exports:read']);
    expect((await reader('POST', '/exports', { filter: {} })).status).toBe(403);
    expect((await reader('POST', '/exports/preview', { filter: {} })).status).toBe(403);
    expect((await reader('GET', '/exports')).status).toBe(200);
  });

  test('the URL of a file is shown only to callers who may export', async () => {
    const exporter = await withScopes(['export', 'exports:read']);
    const reader = await withScopes(['exports:read']);
    const { body } = await exporter('POST', '/exports', { filter: {} });
    expect(body).toMatchObject({ author: expect.stringMatching(/^api-key:\d+$/), api_key_id: expect.any(Number) });
    await exports.ended(body.request_id);
    const path = `/exports/${body.request_id}`;
    expect((await exporter('GET', path)).body.file_url).toMatch(/^https:/);
    expect((await reader('GET', path)).body).toMatchObject({ status: 'completed', file_url: null });
  });

  test('unmasked values need the permission unmasked, in the request and in the file', async () => {
    await exports.account.createAttributes([{ name: 'PAN', data_type: 'text', data_masking: 'full' }]);
    await exports.account.createContacts([{ identity: 'pan@example.com', attributes: { PAN: 'secret 7' } }]);
    const exporter = await withScopes(['export', 'exports:read']);
    const body = { filter: {}, attributes: ['PAN'], unmasked: true };
    expect((await exporter('POST', '/exports', body)).status).toBe(403);
    expect((await exporter('POST', '/exports/preview', body)).status).toBe(403);
    const condition = { field: 'PAN', operation: 'starts_with', value: ['s'] };
    const filter = { filtering_criteria: [{ condition_details: [condition] }] };
    expect((await exporter('POST', '/exports', { filter })).status).toBe(403);

    const masked = (await exporter('POST', '/exports', { filter: {}, attributes: ['PAN'] })).body;
    expect(JSON.stringify(await exports.rows(masked.request_id))).not.toContain('secret');
    const unmasked = (await create(body)).body;
    expect(JSON.stringify(await exports.rows(unmasked.request_id))).toContain('secret 7');
    expect((await exporter('GET', `/exports/${unmasked.request_id}`)).body.file_url).toBeNull();
  });
});
