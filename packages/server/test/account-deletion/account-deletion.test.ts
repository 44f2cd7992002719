import { mkdtempDisposable, readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@roster/embedded-postgres';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { restartDeletions } from '#features/accounts/deletion/delete-account.ts';
import { tablesOfAccounts } from '#features/accounts/deletion/deletion-store.ts';
import { storeSegmentCount } from '#features/audiences/growth/segment-count-store.ts';
import { lateWrites } from '#features/accounts/deletion/run-deletion.ts';
import { fill } from '../bulk-changes/support.ts';
import { deliver } from '../callbacks/support.ts';
import { RosterProcess } from '../crash/roster-process.ts';
import { until } from '../crash/wait.ts';
import { testAdminToken, testLayout } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

/** Milliseconds that the clock of the service is ahead. */
let ahead = 0;

const { path: directory } = await forFile(mkdtempDisposable(path.join(os.tmpdir(), 'roster-deletion-')));
const now = (): Date => new Date(Date.now() + ahead);
const service = await forFile(startTestService({ now, config: { dataDir: directory } }));

/** Deletes an account, and lets the time pass in which late requests can still be stored. */
async function deleted(account: TestAccount, name: string): Promise<void> {
  const answer = await account.operator('DELETE', `?name=${encodeURIComponent(name)}`);
  expect(answer.body).toMatchObject({ account_id: account.accountId, name, status: 'running', finished_at: null });
  ahead += lateWrites;
}

async function completed(accountId: number): Promise<void> {
  await until('the account is deleted', 30_000, async () => {
    const { body } = await service.operator('GET', `/account-deletions/${accountId}`);
    return body.status === 'completed';
  });
}

/** Every table with a column account_id, with the number of rows of an account. */
async function rowsOf(accountId: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where column_name = 'account_id' and table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(
    service.context.db,
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    const { rows: counted } = await sql<{ count: number }>`
      select count(*) as count from ${sql.id(name)} where account_id = ${accountId}`.execute(service.context.db);
    counts[name] = counted[0]!.count;
  }
  return counts;
}

/** Gives an account data in as many places as the interface can reach. */
async function furnish(account: TestAccount): Promise<void> {
  const list = await account.createList('News');
  const where = {
    filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['Pune'] }] }],
  };
  const segment = await account.operator('POST', '/segments', { name: 'Pune', ...where });
  const counted = { accountId: account.accountId, audienceId: segment.body.audience_id, day: '2026-08-01' };
  await storeSegmentCount(service.context.db, counted, 1);
  await fill(account, 0, 300, { attributes: { CITY: 'Pune' }, audience_details: [{ audience_id: [list] }] });
  await account.createContacts([{ identity: 'bad@example.com', attributes: { NOPE: 1 } }]);
  await account.updateContacts([{ email: 'u1@example.com', identity: 'moved@example.com' }]);
  await account.v5('/client/attribute/create', { data: [{ name: 'TIER', data_type: 'text' }] });
  await account.operator('POST', '/api-keys', { name: 'Second' });
  await account.operator('POST', '/signing-secret/rotate');
  await account.operator('POST', '/sign-ups', { email: 'new@example.com' });
  await account.operator('POST', '/bulk-changes', {
    contact_ids: [999],
    action: { type: 'delete' },
    expected_count: 1,
  });
  const authorization = `Bearer ${testAdminToken}`;
  const made = await account.operator('POST', '/imports', {});
  const file = 'EMAIL,CITY\nfile@example.com,Goa\nbroken,Goa\n';
  await service.call('PUT', `/admin/v1/accounts/${account.accountId}/imports/${made.body.import_id}/file`, {
    body: Buffer.from(file),
    headers: { authorization, 'content-type': 'text/csv' },
  });
  const exported = await service.call('POST', '/v4/audience/export', {
    headers: { 'api-key': account.apiKey, 'idempotency-key': 'once' },
    body: { audience_details: { audience_type: 'list', audience_id: list }, callback_details: {} },
  });
  expect(exported.status).toBe(200);
  await service.settled();
}

test('deleting an account leaves nothing of it in any table and in the file store, except the audit log', async () => {
  const account = await service.createAccount({ name: 'Leaving Ltd' });
  const staying = await service.createAccount({ name: 'Staying Ltd' });
  await furnish(account);
  await furnish(staying);
  await using _jobs = service.startJobs();
  const filesOf = async (accountId: number) => {
    const names = await readdir(directory, { recursive: true });
    return names.filter((name) => new RegExp(`exports/(imports/)?${accountId}/.`).test(name));
  };
  await until('both accounts have files', 20_000, async () => {
    const counts = await Promise.all([filesOf(account.accountId), filesOf(staying.accountId)]);
    return counts.every((files) => files.length >= 2);
  });
  await until('the jobs of both accounts have ended', 20_000, async () => {
    const { rows: due } = await sql`
      select from roster_jobs._private_jobs where payload->>'account_id' is not null and run_at <= now()`.execute(
      service.context.db,
    );
    return due.length === 0;
  });
  await service.settled();
  const before = await rowsOf(account.accountId);
  // The test must not pass because there was nothing to delete.
  expect(Object.entries(before).filter(([, count]) => count > 0).length).toBeGreaterThan(15);
  expect(before['segment_counts']).toBe(1);
  const neighbour = await rowsOf(staying.accountId);

  const refused = await account.operator('DELETE', '?name=leaving%20ltd');
  expect(refused.status).toBe(400);
  expect((await account.operator('GET', '')).status).toBe(200);
  await deleted(account, 'Leaving Ltd');
  await completed(account.accountId);

  const after = await rowsOf(account.accountId);
  expect(
    Object.entries(after)
      .filter(([, count]) => count > 0)
      .map(([name]) => name)
      .sort(),
  ).toEqual(['account_deletions', 'audit_log']);
  expect(await filesOf(account.accountId)).toEqual([]);
  const { rows: jobs } = await sql`
    select from roster_jobs._private_jobs where payload->>'account_id' = ${String(account.accountId)}`.execute(
    service.context.db,
  );
  expect(jobs).toEqual([]);
  const now = await rowsOf(staying.accountId);
  for (const name of ['contacts', 'api_keys', 'audiences', 'attributes', 'requests', 'sign_ups', 'imports']) {
    expect(now[name], name).toBe(neighbour[name]);
  }
  const log = await service.operator('GET', `/accounts/${account.accountId}/audit-log?action=account.`);
  expect(log.body.data).toMatchObject([
    { action: 'account.delete-complete', actor: 'system' },
    { action: 'account.delete', actor: 'operator', details: { name: 'Leaving Ltd' } },
    { action: 'account.create' },
  ]);
});

test('every table with the column account_id is emptied, except three', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where column_name = 'account_id' and table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(
    service.context.db,
  );
  const emptied = await tablesOfAccounts(service.context.db);
  const partitioned = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'p' and pg_table_is_visible(oid)`.execute(service.context.db);
  const parents = new Set(partitioned.rows.map(({ name }) => name));
  const kept = rows.map(({ name }) => name).filter((name) => !emptied.includes(name) && !parents.has(name));
  expect(kept.sort()).toEqual(['account_deletions', 'accounts', 'audit_log']);
});

test('a deleted account gets the same answers as an unknown one, at once', async () => {
  const account = await service.createAccount({ name: 'Gone' });
  await fill(account, 0, 1);
  const { body: made } = await account.operator('POST', '/imports', {});
  await deleted(account, 'Gone');
  const unknown = 900_000;
  const like = (text: string) => text.replaceAll(String(unknown), String(account.accountId));
  for (const [method, suffix] of [
    ['GET', ''],
    ['GET', '/api-keys'],
    ['GET', `/imports/${made.import_id}`],
    ['GET', '/requests'],
    ['POST', '/contact/search'],
    ['DELETE', '?name=Gone'],
  ] as const) {
    const body = method === 'POST' ? {} : undefined;
    const answer = await service.operator(method, `/accounts/${account.accountId}${suffix}`, body);
    expect([suffix, answer.status, answer.body.description]).toEqual([
      suffix,
      404,
      `There is no account ${account.accountId}`,
    ]);
    if (suffix.includes('import')) continue;
    const other = await service.operator(method, `/accounts/${unknown}${suffix}`, body);
    expect(answer.body.description).toBe(like(other.body.description));
  }
  const search = await account.v5('/contact/search', {});
  expect(search.status).toBe(401);
  expect(search.body.description).toBe(
    (await service.call('POST', '/v5/contact/search', { body: {}, headers: { 'api-key': 'nobody' } })).body.description,
  );
  const { body } = await service.operator('GET', '/accounts?limit=500');
  expect(body.data.map((one: { account_id: number }) => one.account_id)).not.toContain(account.accountId);
});

test(
  'the deletion of an account continues after a kill, and after its job was lost',
  { timeout: 120_000 },
  async () => {
    const account = await service.createAccount({ name: 'Large' });
    await fill(account, 0, 20_000);
    await account.operator('DELETE', '?name=Large');
    const { context } = service;
    const worker = new RosterProcess({
      ROSTER_ROLE: 'worker',
      DATABASE_URL: context.config.databaseUrl!,
      ...testLayout,
      ROSTER_DATA_DIR: directory,
      PORT: String(await freePort()),
    });
    await until('some rows are deleted', 60_000, async () => {
      if (worker.hasEnded) throw new Error(`the worker ended:\n${worker.complaints.join('\n')}`);
      return (await service.operator('GET', `/account-deletions/${account.accountId}`)).body.deleted_rows > 1000;
    });
    expect(worker.killGroup()).toBe(true);
    await worker.ended();
    const half = (await service.operator('GET', `/account-deletions/${account.accountId}`)).body;
    expect(half).toMatchObject({ status: 'running', finished_at: null });
    await context.pool.query("delete from roster_jobs._private_jobs where payload->>'deleted_account_id' = $1", [
      String(account.accountId),
    ]);
    ahead += 2 * lateWrites;
    await restartDeletions(context, new AbortController().signal);
    await using _jobs = service.startJobs();
    await completed(account.accountId);
    expect((await rowsOf(account.accountId))['contacts']).toBe(0);
  },
);

test('a request that was stored late, after its table was emptied, is deleted too', async () => {
  const account = await service.createAccount({ name: 'Late' });
  await account.operator('DELETE', '?name=Late');
  await using _jobs = service.startJobs();
  const state = async () => (await service.operator('GET', `/account-deletions/${account.accountId}`)).body;
  await until('the tables are empty', 20_000, async () => (await rowsOf(account.accountId))['attributes'] === 0);
  expect((await state()).status).toBe('running');
  // As an API process stores it that has authenticated the request before the deletion.
  await deliver(service.context, 'https://hooks.example.com/late', { accountId: account.accountId });
  ahead += lateWrites;
  await completed(account.accountId);
  expect((await rowsOf(account.accountId))['deliveries']).toBe(0);
});
