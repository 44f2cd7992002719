import type pg from 'pg';
import { victim } from '../fuzz/junk.ts';
import type { Api } from './api.ts';

/** An account that no hostile request is sent for. Its data must not change or leak. */
export interface Bystander {
  /** A text in all data of this account, and in no data of other accounts. */
  readonly secret: string;
  /** Reads all stored rows of the account, as one text for each table. */
  snapshot(): Promise<ReadonlyMap<string, string>>;
}

const secret = 'the-secret-of-the-bystander-5d1f';

// Hostile requests with the operator token use small account ids, and may change those accounts.
// This id is far from them.
const accountNumber = 1_234_567_891;

// Tables whose rows change as time passes.
const changing = new Set(['batch_days']);

/** Creates an account with data of every kind. */
export async function createBystander(api: Api, database: pg.Client): Promise<Bystander> {
  const { rows: last } = await database.query<{ next: number }>(
    'select coalesce(max(account_id), 0) + 1 as next from accounts',
  );
  await database.query(`alter table accounts alter account_id restart with ${accountNumber}`);
  const account = await api.operator('POST', '/accounts', { name: 'Bystander' });
  await database.query(`alter table accounts alter account_id restart with ${last[0]!.next}`);
  const { account_id: accountId } = account;
  const { api_key: apiKey } = await api.newKey(accountId);
  const at = `/accounts/${accountId}`;
  const { audience_id: list } = await api.operator('POST', `${at}/lists`, { name: secret });
  const filter = [{ condition_details: [{ field: 'CITY', operation: 'equals', value: [secret] }] }];
  await api.operator('POST', `${at}/segments`, { name: secret, filtering_criteria: filter });
  await api.operator('POST', `${at}/imports`, { file_name: `${secret}.csv` });
  await api.operator('GET', `${at}/signing-secret`);
  const contacts = victim.identities.map((identity, number) => ({
    identity,
    mobile: victim.mobiles[number],
    attributes: { FIRST_NAME: secret, CITY: secret },
    audience_details: [{ audience_id: [list], audience_type: 'list' }],
  }));
  await api.v5(apiKey, '/contact/create', { data: { contact_type: 'identified', contacts } });
  await api.operator('POST', `${at}/activities`, {
    data: victim.identities.map((identity, number) => ({
      identity,
      channel: 'email',
      activity: 'sent',
      occurred_at: new Date().toISOString(),
      id: `evt-${number}`,
      msg_name: secret,
    })),
  });
  await drained(database, accountId);
  return {
    secret,
    async snapshot() {
      const { rows: tables } = await database.query<{ name: string }>(
        `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attname = 'account_id'
         order by 1`,
      );
      const stored = new Map<string, string>();
      for (const { name } of tables) {
        if (changing.has(name)) continue;
        // The last use of an API key is stored some seconds later.
        const { rows } = await database.query<{ rows: string | null }>(
          `select string_agg(content, e'\\n' order by content) as rows
           from ${name} t, lateral (select (to_jsonb(t) - 'last_used_at')::text) _ (content) where account_id = ${accountId}`,
        );
        stored.set(name, rows[0]!.rows ?? '');
      }
      return stored;
    },
  };
}

/**
 * Waits until the queue of an account is empty, or that of all accounts. Returns how many requests
 * are left.
 */
export async function drained(database: pg.Client, accountId?: number): Promise<number> {
  const condition = accountId === undefined ? '' : ` where account_id = ${accountId}`;
  for (let patience = 1200; ; patience--) {
    const { rows } = await database.query<{ waiting: string }>(
      `select count(*) as waiting from request_queue${condition}`,
    );
    const waiting = Number(rows[0]!.waiting);
    if (waiting === 0 || patience === 0) return waiting;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
