import type pg from 'pg';
import { until } from '../crash/wait.ts';
import type { Api } from './api.ts';
import { drained, type Bystander } from './bystander.ts';
import type { World } from './world.ts';

/** A condition that must hold after all requests were sent, and the problems that were found. */
export interface FinalCheck {
  readonly name: string;
  readonly problems: readonly string[];
}

/** Checks the data after all requests. `accepted` has the request_ids of the accepted requests. */
export async function finalChecks(
  { api, database, world }: { readonly api: Api; readonly database: pg.Client; readonly world: World },
  bystander: Bystander,
  before: ReadonlyMap<string, string>,
  accepted: readonly string[],
): Promise<FinalCheck[]> {
  const waiting = await drained(database);
  const after = await bystander.snapshot();
  const changed = [...after].flatMap(([table, rows]) => (before.get(table) === rows ? [] : [`${table} changed`]));
  return [
    {
      name: 'no accepted request is still waiting',
      problems: waiting === 0 ? [] : [`${waiting} requests are waiting`],
    },
    { name: 'every accepted request was applied', problems: await unapplied(database, accepted) },
    { name: 'no request failed because of a defect', problems: await defects(database) },
    { name: 'all exports and imports have ended', problems: await unended(database) },
    { name: 'the member count of each list is right', problems: await wrongLists(database) },
    { name: 'contact_ids are unique within their account', problems: await repeatedIds(database) },
    { name: 'the data of the bystander account has not changed', problems: changed },
    { name: 'the pipeline still works', problems: await deadAccounts(api, database, world) },
  ];
}

async function unapplied(database: pg.Client, accepted: readonly string[]): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `select id::text from unnest($1::uuid[]) as id
     where not exists (select from request_results r where r.request_id = id and r.status = 'done')
     and not exists (select from exports e where e.request_id = id) limit 20`,
    [accepted],
  );
  return rows.map(({ id }) => `${id} was accepted and has no result`);
}

async function defects(database: pg.Client): Promise<string[]> {
  const { rows } = await database.query<{ code: string; operation: string; request_id: string; count: string }>(
    `select code, operation, min(request_id::text) as request_id, count(*) from request_failures join requests using (account_id, request_id)
     where code in ('internal', 'payload_unreadable', 'given_up') group by 1, 2`,
  );
  return rows.map(
    ({ code, operation, request_id, count }) =>
      `${count} items of ${operation} failed with ${code}, for example in request ${request_id}`,
  );
}

async function unended(database: pg.Client): Promise<string[]> {
  const count = async (): Promise<number> => {
    const { rows } = await database.query<{ count: string }>(
      `select (select count(*) from exports where finished_at is null)
        + (select count(*) from imports where finished_at is null and uploaded_at is not null) as count`,
    );
    return Number(rows[0]!.count);
  };
  // Only two exports run at a time, and hundreds may be waiting.
  const ended = until('all exports and imports have ended', 120_000, async () => (await count()) === 0, 250);
  return ended.then(
    () => [],
    async () => [`${await count()} have not ended`],
  );
}

async function wrongLists(database: pg.Client): Promise<string[]> {
  const { rows } = await database.query<{
    account_id: number;
    audience_id: number;
    member_count: string;
    members: string;
  }>(
    `with members as (select account_id, list, count(*) as members from contacts, unnest(list_ids) as list group by 1, 2)
     select a.account_id, audience_id, member_count, coalesce(members, 0) as members
     from audiences a left join members m on m.account_id = a.account_id and m.list = audience_id
     where audience_type = 'list' and member_count is distinct from coalesce(members, 0) limit 20`,
  );
  return rows.map(
    (row) =>
      `list ${row.audience_id} of account ${row.account_id} has the member count ${row.member_count} but ${row.members} members`,
  );
}

async function repeatedIds(database: pg.Client): Promise<string[]> {
  const { rows } = await database.query<{ account_id: number; contact_id: string }>(
    'select account_id, contact_id from contacts group by 1, 2 having count(*) > 1 limit 20',
  );
  return rows.map((row) => `contact_id ${row.contact_id} occurs more than once in account ${row.account_id}`);
}

async function deadAccounts(api: Api, database: pg.Client, world: World): Promise<string[]> {
  await world.keepUsable();
  const problems: string[] = [];
  for (const account of world.accounts) {
    const identity = { EMAIL: 'alive@example.com', MOBILE: '919899999999' }[account.primaryKey] ?? 'alive';
    const contacts = [{ identity }];
    await api.v5(account.apiKey, '/contact/create', { data: { contact_type: 'identified', contacts } });
    await drained(database, account.accountId);
    const condition = { field: 'identity', operation: 'equals', value: [identity] };
    const { data } = await api.v5(account.apiKey, '/contact/search', {
      filtering_criteria: [{ condition_details: [condition] }],
    });
    if (data.length !== 1)
      problems.push(`account ${account.accountId} does not have the contact that was just created`);
  }
  return problems;
}
