import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { listAuditLog } from '#features/audit-log/store.ts';
import { databaseOn } from '#platform/database/connection/database.ts';
import { forFile } from '../support/for-file.ts';
import { pagesRead } from '../support/pages-read.ts';
import { startTestService } from '../support/service.ts';

let at = new Date('2026-03-01T10:00:00Z');

const service = await forFile(startTestService({ now: () => at }));
const account = await service.createAccount();
at = new Date('2026-03-02T10:00:00Z');
const list = await account.createList('One');
await account.operator('PATCH', `/lists/${list}`, { name: 'Two' });
at = new Date('2026-03-03T10:00:00Z');
await account.operator('DELETE', `/lists/${list}`);
await account.operator('POST', '/api-keys', { name: 'Key' });

async function actions(query: string, of = account): Promise<string[]> {
  const { status, body } = await of.operator('GET', `/audit-log?${query}`);
  expect(status).toBe(200);
  return body.data.map((entry: { action: string }) => entry.action);
}

test.each([
  ['action=list.update', ['list.update']],
  ['action=list.', ['list.delete', 'list.update', 'list.create']],
  // A word without the dot is a whole action.
  ['action=list', []],
  ['subject=list:', ['list.delete', 'list.update', 'list.create']],
  ['subject=list:1', ['list.delete', 'list.update', 'list.create']],
  ['subject=list:11', []],
  ['action=li%25', []],
  ['actor=operator&action=api-key.', ['api-key.create', 'api-key.create']],
  ['actor=user:1', []],
  ['from=2026-03-03T10:00:00Z', ['api-key.create', 'list.delete']],
  ['from=2026-03-02T00:00:00Z&to=2026-03-03T10:00:00Z', ['list.update', 'list.create']],
  ['to=2026-03-01T10:00:00Z', []],
  ['action=list.&limit=2', ['list.delete', 'list.update']],
])('the audit log with %s lists %j', async (query, expected) => {
  expect(await actions(query)).toEqual(expected);
});

test('pages of a search of the audit log join without a gap', async () => {
  const all: string[] = [];
  let cursor = '';
  do {
    const { body } = await account.operator('GET', `/audit-log?action=list.&limit=1&cursor=${cursor}`);
    all.push(...body.data.map((entry: { action: string }) => entry.action));
    cursor = body.next_cursor ?? '';
  } while (cursor !== '');
  expect(all).toEqual(['list.delete', 'list.update', 'list.create']);
});

test('a search of the audit log finds nothing of another account, and refuses an invalid time', async () => {
  const other = await service.createAccount();
  expect(await actions('action=list.', other)).toEqual([]);
  expect((await account.operator('GET', '/audit-log?from=yesterday')).status).toBe(400);
});

test('the entries about one contact are found without reading the whole log', async () => {
  const { context, first } = service;
  await sql`
    insert into audit_log (account_id, occurred_at, actor, action, subject)
    select ${first.accountId}, now(), 'user:1', 'contact.update', 'contact:' || n % 5000 from generate_series(1, 50000) n
  `.execute(context.db);
  await sql`vacuum analyze audit_log`.execute(context.db);
  const pages = await pagesRead(context.config.databaseUrl!, (client) =>
    listAuditLog(databaseOn(client), first.accountId, { subject: 'contact:7' }, undefined, 500),
  );
  expect(pages).toBeLessThan(30);
});
