import { operationTable, type Operation } from '@roster/contract/operations';
import { scopes, type Scope } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer } from '../support/service.ts';

/** Keys of account 1: with each scope, and with all scopes. */
const keys = new Map<Scope | 'all', string>();

// Some operations wait until a worker has applied their request.
const service = await forFile(startTestService());
const second = await service.createAccount({ name: 'Second' });
for (const scope of scopes) keys.set(scope, await makeKey([scope]));
keys.set('all', await makeKey([...scopes]));

async function makeKey(own: readonly Scope[]): Promise<string> {
  const { status, body } = await service.first.operator('POST', '/api-keys', { name: 'Test', scopes: own });
  expect(status).toBe(201);
  return body.api_key as string;
}

/** Calls an operation of an account with an API key. Other parts of the path do not exist. */
async function call({ method, path }: Operation, accountId: number, apiKey: string): Promise<Answer> {
  const url = path
    .replace('{account_id}', String(accountId))
    .replaceAll(/\{\w+\}/g, (name) => (/(request|import|mail|delivery)_id/.test(name) ? missingId : '999999'));
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  return service.call(method, url, { headers: { 'api-key': apiKey }, ...(body === undefined ? {} : { body }) });
}

const missingId = '01890a5d-ac96-774b-bcce-b302099a8057';
const ofAccounts = Object.entries(operationTable).filter(
  ([, { generation, path }]) => generation === 'operator' && path.includes('{account_id}'),
);

describe.each(ofAccounts)('the operation %s', (_id, operation) => {
  const permission = operation.permission as Scope;
  const isScope = scopes.includes(permission);

  test.runIf(isScope)('is served with an API key that has its scope', async () => {
    const { status, body } = await call(operation, 1, keys.get(permission)!);
    expect([401, 403], JSON.stringify(body)).not.toContain(status);
  });

  test('is refused with an API key that has all scopes except its scope', async () => {
    const { alternativePermission: alternative } = operation;
    const key = await makeKey(scopes.filter((scope) => scope !== permission && scope !== alternative));
    const { status, body } = await call(operation, 1, key);
    expect([status, body.description]).toEqual([
      403,
      `The request needs the permission ${permission}, which the caller does not have in account 1`,
    ]);
  });

  test('does not tell an API key of another account whether the account exists', async () => {
    for (const accountId of [second.accountId, 4711]) {
      const { status, body } = await call(operation, accountId, keys.get('all')!);
      expect([status, body.description]).toEqual([404, `There is no account ${accountId}`]);
    }
  });
});

test('the list of accounts has only the account of the API key', async () => {
  const { body } = await service.call('GET', '/admin/v1/accounts', { headers: { 'api-key': keys.get('lists:read')! } });
  expect(body.data.map(({ account_id }: { account_id: number }) => account_id)).toEqual([1]);
});

test('an operation of the installation is refused with an API key', async () => {
  const headers = { 'api-key': keys.get('all')! };
  const { status, body } = await service.call('POST', '/admin/v1/accounts', { headers, body: { name: 'Third' } });
  expect([status, body.errors]).toEqual([403, []]);
  expect(body.description).toContain('permission installation');
});

test('a change with an API key has the key as its author in the audit log', async () => {
  const headers = { 'api-key': keys.get('lists:write')! };
  const made = await service.call('POST', '/admin/v1/accounts/1/lists', { headers, body: { name: 'From a program' } });
  expect(made.status).toBe(201);
  const log = await service.first.operator('GET', '/audit-log?limit=1');
  expect(log.body.data[0]).toMatchObject({ action: 'list.create', actor: expect.stringMatching(/^api-key:\d+$/) });
});

test('an unknown API key gets 401, like any other wrong credential', async () => {
  const { status, body } = await service.call('GET', '/admin/v1/accounts/1/lists', {
    headers: { 'api-key': 'rk_unknown' },
  });
  expect([status, body.description]).toEqual([401, 'The request has no valid credential for the operator API']);
});
