import { roles, type Permission, type Role } from '@roster/contract';
import { operationTable, type Operation } from '@roster/contract/operations';
import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer } from '../support/service.ts';
import { openBrowser, signedInOwner, type Browser } from '../users/support.ts';

/** A person with each role in account 1, and no role in the second account. */
const people = new Map<Role, Browser>();

const service = await forFile(startTestService());
const second = await service.createAccount({ name: 'Second' });
const owner = await signedInOwner(service);
for (const role of Object.keys(roles) as Role[]) people.set(role, await invite(owner, role));

async function invite(owner: Browser, role: Role): Promise<Browser> {
  const email = `${role}@example.com`;
  const invitation = await owner.send('POST', '/accounts/1/invitations', { email, role });
  const token = new URL(invitation.body.link as string).hash.replace('#token=', '');
  const browser = openBrowser(service);
  const accepted = await browser.send('POST', '/invitations/accept', {
    token,
    name: role,
    password: `the password of the ${role}`,
  });
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(200);
  return browser;
}

interface Walked {
  readonly id: string;
  readonly operation: Operation;
  /** The path below `/accounts/{account_id}`. */
  readonly path: string;
}

const walked: readonly Walked[] = Object.entries(operationTable).flatMap(([id, operation]) => {
  const { generation, path } = operation;
  if (generation === 'v5') return [{ id, operation, path: path.replace('/v5', '') }];
  const below = /^\/admin\/v1\/accounts\/\{account_id\}(.*)$/.exec(path)?.[1];
  return below === undefined ? [] : [{ id, operation, path: below }];
});

const missingId = '01890a5d-ac96-774b-bcce-b302099a8057';

/** Calls an operation. Its other path parameters name nothing that exists, and its body is empty. */
async function call(browser: Browser, { operation: { method }, path }: Walked, accountId: number): Promise<Answer> {
  const url = `/accounts/${accountId}${path}`.replaceAll(/\{\w+\}/g, (name) =>
    /(request|import|mail|delivery|bulk_change|schedule|view|sign_up|run)_id/.test(name) ? missingId : '999999',
  );
  // An open stream of events would never end.
  const closes = { connection: 'close' };
  return browser.send(method, url, method === 'GET' || method === 'DELETE' ? undefined : {}, closes);
}

/** Operations whose answer never ends, or that delete the account of the other tests. */
const leftOut = new Set(['streamRunning', 'deleteAccount']);

describe.each(Object.keys(roles) as Role[])('a person with the role %s', (role) => {
  const own: readonly Permission[] = roles[role];

  test('can call exactly the operations of the permissions of the role', async () => {
    for (const one of walked) {
      const permission = one.operation.permission as Permission;
      const { alternativePermission } = one.operation;
      const isAllowed = [permission, alternativePermission].some((name) => name !== undefined && own.includes(name));
      if (isAllowed && leftOut.has(one.id)) continue;
      const { status, body } = await call(people.get(role)!, one, 1);
      expect([one.id, status === 403 && body.description], JSON.stringify(body)).toEqual([
        one.id,
        isAllowed
          ? false
          : `The request needs the permission ${permission}, which the caller does not have in account 1`,
      ]);
      expect([401, 500]).not.toContain(status);
    }
  });

  test('gets the answer of an unknown account for every operation of another account', async () => {
    for (const one of walked) {
      const { status, body } = await call(people.get(role)!, one, second.accountId);
      expect([one.id, status, body.description]).toEqual([one.id, 404, `There is no account ${second.accountId}`]);
    }
  });

  test('cannot call the operations of the installation', async () => {
    for (const [id, { method, path, permission }] of Object.entries(operationTable)) {
      if (permission !== 'installation') continue;
      const url = path.replace('/admin/v1', '').replaceAll(/\{\w+\}/g, '1');
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const { status } = await people.get(role)!.send(method, url, body);
      expect([id, status]).toEqual([id, 403]);
    }
  });

  test('sees only the own account in the list of accounts', async () => {
    const { body } = await people.get(role)!.send('GET', '/accounts');
    expect(body.data.map(({ account_id }: { account_id: number }) => account_id)).toEqual([1]);
  });
});

test('every change with the cookie of a session is refused for a page of another site', async () => {
  const changing = Object.entries(operationTable as Readonly<Record<string, Operation>>).filter(
    ([, { method, path }]) => method !== 'GET' && path.startsWith('/admin/v1/'),
  );
  expect(changing.length).toBeGreaterThan(60);
  const owner = people.get('owner')!;
  const evil = 'https://evil.example.com';
  const sites = [
    { 'sec-fetch-site': 'cross-site', origin: evil },
    // A page on another port or subdomain, a form in a sandbox, and a client that hides both headers.
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' },
    { 'sec-fetch-site': 'none', origin: 'null' },
    { 'sec-fetch-site': '', origin: '' },
  ];
  for (const [id, { method, path }] of changing) {
    const url = path.replace('/admin/v1', '').replaceAll(/\{\w+\}/g, '1');
    for (const headers of sites) {
      const body = method === 'DELETE' ? undefined : {};
      const answer = await owner.send(method, url, body, headers);
      expect([id, answer.status, answer.body.description]).toEqual([
        id,
        403,
        expect.stringContaining('did not come from a page of this service') as string,
      ]);
    }
  }
  expect((await owner.send('GET', '/session')).body.person).not.toBeNull();
});

const reading = ['getAttributeUsage', 'searchAttributes', 'searchAudience', 'searchContacts'];
const ownViews = ['createSavedView', 'deleteSavedView', 'updateSavedView'];

// Written by hand, so that nobody widens these roles without noticing.
test.each([
  ['viewer', [...reading, ...ownViews]],
  ['privacy', [...reading, ...ownViews, 'cancelBulkChange', 'createBulkChange', 'eraseContact', 'undoForgotten']],
] as [Role, string[]][])('the operations of the role %s that are not GET are only these', (role, expected) => {
  const own: readonly Permission[] = roles[role];
  const others = walked.filter(
    ({ operation: { method, permission, alternativePermission } }) =>
      method !== 'GET' && own.some((name) => name === permission || name === alternativePermission),
  );
  expect(others.map(({ id }) => id).sort()).toEqual(expected.sort());
});

test.each([
  ['privacy', 'erase', 201],
  ['privacy', 'delete', 403],
  ['editor', 'delete', 201],
  ['editor', 'erase', 403],
  ['viewer', 'erase', 403],
] as [Role, string, number][])(
  'a person with the role %s who sends the bulk change %s gets %i',
  async (role, type, status) => {
    const email = `${role}-${type}@example.com`;
    await service.first.createContacts([{ identity: email }]);
    const [row] = await service.first.rows({
      filtering_criteria: [{ condition_details: [{ field: 'EMAIL', operation: 'equals', value: email }] }],
      output: { fields: ['contact_id'] },
    });
    const body = { contact_ids: [row!['contact_id']], action: { type }, expected_count: 1 };
    const browser = people.get(role)!;
    const answer = await browser.send('POST', '/accounts/1/bulk-changes', body);
    expect([answer.status, answer.body.action?.type ?? answer.body.status]).toEqual([
      status,
      status === 201 ? type : expect.anything(),
    ]);
    if (status !== 201) return;
    // The same permission is needed to stop it.
    const path = `/accounts/1/bulk-changes/${answer.body.bulk_change_id}/cancel`;
    const other = people.get(role === 'privacy' ? 'editor' : 'privacy')!;
    expect((await other.send('POST', path)).status).toBe(403);
    expect((await browser.send('POST', path)).status).toBe(200);
  },
);
