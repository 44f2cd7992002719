import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { stepSweep, sweepContacts } from '#features/contacts/sweeps/sweep.ts';
import { loadSweeps } from '#features/contacts/sweeps/sweep-store.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { attributeAccount, path, type AttributeAccount } from './attribute-account.ts';

const service = await forFile(startTestService());

/** Creates the contacts p00 to p09 with values of N, a number, and of FLAG. */
async function tenContacts(account: AttributeAccount): Promise<void> {
  await account.create({ name: 'N', data_type: 'number' }, { name: 'FLAG', data_type: 'boolean' });
  const contacts = Array.from({ length: 10 }, (_, at) => ({
    identity: `p0${at}@example.com`,
    attributes: { N: at * 1.5, ...(at % 2 === 0 ? { FLAG: at % 4 === 0 } : {}), CITY: 'Pune' },
  }));
  await account.createContacts(contacts);
}

const sweepAll = () => sweepContacts(service.context, new AbortController().signal);

async function stored(account: AttributeAccount): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<{ attributes: Record<string, unknown> }>`
    select attributes from contacts where account_id = ${account.accountId} order by contact_key`.execute(
    service.context.db,
  );
  return rows.map(({ attributes }) => attributes);
}

describe('removing the values of a deleted attribute', () => {
  test('the background sweep removes only the values of the deleted attribute, and updated_at stays', async () => {
    const account = await attributeAccount(service);
    await tenContacts(account);
    const before = await account.values('updated_at', 'CITY');
    await account.apply(path.delete, { data: ['N'] });
    const key = `${account.accountId}.11`;
    expect((await stored(account)).filter((attributes) => key in attributes)).toHaveLength(10);
    await sweepAll();
    expect((await stored(account)).filter((attributes) => key in attributes)).toEqual([]);
    expect(await account.values('updated_at', 'CITY')).toEqual(before);
    expect(await loadSweeps(service.context)).toEqual([]);
  });

  test('all values are removed when the sweep is interrupted and contacts are added or change their identity meanwhile', async () => {
    const account = await attributeAccount(service);
    await tenContacts(account);
    await account.apply(path.delete, { data: ['N'] });
    const [sweep] = await loadSweeps(service.context);
    // One step of three contacts. Then the worker stops.
    await stepSweep(service.context, sweep!, 3);
    const { position } = (await loadSweeps(service.context))[0]!;
    expect(position).toBeGreaterThan(0);
    await account.updateContacts([{ contact_id: position + 2, identity: 'a-first@example.com' }]);
    await account.create({ name: 'N', data_type: 'text' });
    await account.contact('p00@example.com', { N: 'new' });
    await sweepAll();
    const key = `${account.accountId}.11`;
    expect((await stored(account)).filter((attributes) => key in attributes)).toEqual([]);
    expect((await account.values('N')).filter(([value]) => value !== null)).toEqual([['new']]);
  });
});

describe('one sweep through the contacts', () => {
  const namesLeft = async (account: AttributeAccount, ...ids: number[]) =>
    (await stored(account)).map((attributes) => ids.filter((id) => `${account.accountId}.${id}` in attributes));
  const left = (db: TestService['context']['db'], account: AttributeAccount) =>
    db.selectFrom('sweeps').where('account_id', '=', account.accountId).select(['target_id', 'position']).execute();

  test('a sweep removes all attributes that were deleted before it began, by one request or several', async () => {
    const account = await attributeAccount(service);
    await tenContacts(account);
    await account.create({ name: 'M', data_type: 'text', default_value: 'm' }, { name: 'KEPT', data_type: 'text' });
    await account.contact('p05@example.com', { M: 'm', KEPT: 'k' });
    await account.apply(path.delete, { data: ['N'] });
    await account.apply(path.delete, { data: ['FLAG', 'M'] });
    const [sweep] = await loadSweeps(service.context);
    // Ten contacts take four steps, and a last step finds none.
    for (let step = 0; step < 5; step++) await stepSweep(service.context, sweep!, 3);
    expect((await namesLeft(account, 11, 12, 13)).flat()).toEqual([]);
    expect((await namesLeft(account, 14)).flat()).toEqual([14]);
    expect(await left(service.context.db, account)).toEqual([]);
  });

  test('an attribute deleted during a sweep is removed from the remaining contacts, and a next sweep does the rest', async () => {
    const account = await attributeAccount(service);
    await tenContacts(account);
    await account.apply(path.delete, { data: ['N'] });
    const [first] = await loadSweeps(service.context);
    await stepSweep(service.context, first!, 4);
    await account.apply(path.delete, { data: ['FLAG'] });
    await stepSweep(service.context, first!, 4);
    const flags = (await namesLeft(account, 12)).flatMap(({ length }, at) => (length > 0 ? at : []));
    expect(flags).toEqual([0, 2, 8]);
    await stepSweep(service.context, first!, 4);
    await stepSweep(service.context, first!, 4);
    expect((await namesLeft(account, 11)).flat()).toEqual([]);
    expect((await namesLeft(account, 12)).map(({ length }) => length)).toEqual([1, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    expect(await left(service.context.db, account)).toEqual([{ target_id: 12, position: 0 }]);
    // The sweep has ended. A step of it that started elsewhere does nothing.
    await stepSweep(service.context, first!, 4);
    await sweepAll();
    expect((await namesLeft(account, 11, 12)).flat()).toEqual([]);
    expect(await left(service.context.db, account)).toEqual([]);
  });
});

test('accounts take turns: the next sweep of each account is its oldest', async () => {
  const [busy, other] = [await attributeAccount(service), await attributeAccount(service)];
  await tenContacts(busy);
  await tenContacts(other);
  for (const name of ['N', 'FLAG']) await busy.apply(path.delete, { data: [name] });
  await other.apply(path.delete, { data: ['N'] });
  const next = (await loadSweeps(service.context)).map(({ account_id, target_id }) => [account_id, target_id]);
  expect(next).toEqual([
    [busy.accountId, 11],
    [other.accountId, 11],
  ]);
  await sweepAll();
  expect(await loadSweeps(service.context)).toEqual([]);
  for (const attributes of await stored(busy)) expect(Object.keys(attributes)).toEqual([`${busy.accountId}.5`]);
});

describe('number and boolean attributes that become text', () => {
  const finds = async (account: AttributeAccount, field: string, operation: string, value: unknown) =>
    (
      await account.rows({
        filtering_criteria: [{ condition_details: [{ field, operation, value }] }],
        output: { fields: ['identity'], pagination: { limit: 100 } },
      })
    ).length;

  test('values are text for every reader at once, and stored as text after the sweep', async () => {
    const account = await attributeAccount(service);
    await tenContacts(account);
    await account.update({ name: 'N', data_type: 'text' }, { name: 'FLAG', data_type: 'text' });
    const check = async (): Promise<void> => {
      const values = (await account.values('N', 'FLAG')).slice(0, 3);
      expect(values).toEqual([
        ['0', 'true'],
        ['1.5', null],
        ['3', 'false'],
      ]);
      expect(await finds(account, 'N', 'equals', ['1.5', 3, '3.0'])).toBe(2);
      expect(await finds(account, 'N', 'not_equals', '1.5')).toBe(9);
      expect(await finds(account, 'N', 'starts_with', '1')).toBe(4);
      expect(await finds(account, 'FLAG', 'equals', 'true')).toBe(3);
      expect(await finds(account, 'FLAG', 'equals', 'TRUE')).toBe(0);
      expect(await finds(account, 'FLAG', 'is_null', [])).toBe(5);
      const sorted = await account.rows({ output: { fields: ['N'], sorting: [{ field: 'N', direction: 'desc' }] } });
      expect(sorted.map(({ N }) => N).slice(0, 3)).toEqual(['9', '7.5', '6']);
    };
    await check();
    // A contact that is written meanwhile keeps its values.
    await account.contact('p01@example.com', { CITY: 'Delhi' });
    await check();
    await sweepAll();
    await check();
    const key = `${account.accountId}.11`;
    expect((await stored(account)).map((attributes) => attributes[key])).toEqual(
      Array.from({ length: 10 }, (_, at) => String(at * 1.5)),
    );
    const { widened_from: left } = await service.context.db
      .selectFrom('attributes')
      .where('account_id', '=', account.accountId)
      .where('name', '=', 'N')
      .select('widened_from')
      .executeTakeFirstOrThrow();
    expect(left).toBeNull();
  });

  test('no sweep to text runs when the attribute is deleted meanwhile', async () => {
    const account = await attributeAccount(service);
    await tenContacts(account);
    await account.update({ name: 'N', data_type: 'text' });
    await account.apply(path.delete, { data: ['N'] });
    const sweeps = await loadSweeps(service.context);
    expect(sweeps.map(({ kind }) => kind)).toEqual(['attribute']);
    await sweepAll();
  });
});

test('the audit log shows attributes that were created automatically', async () => {
  const account = await attributeAccount(service, { name: 'Auto', settings: { auto_create_attributes: true } });
  await account.contact('a@example.com', { SHOE_SIZE: 42 });
  const log = await account.operator('GET', '/audit-log?limit=1');
  expect(log.body.data[0]).toMatchObject({
    actor: 'system',
    action: 'attribute.create',
    details: { name: 'SHOE_SIZE', data_type: 'number' },
  });
});
