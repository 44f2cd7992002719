import { sql } from 'kysely';
import type { TestAccount, TestService } from '../support/service.ts';
import { victim } from './junk.ts';

/** An account that nobody sends anything to while others are attacked. */
export interface Victim {
  readonly account: TestAccount;
  /** A value of its contacts that stands nowhere else. */
  readonly secret: string;
  /** Identifiers of its contacts. */
  readonly contactIds: readonly number[];
  /** Everything that is stored of it and that its own callers see, as text. */
  snapshot(): Promise<string>;
}

/** Makes an account with contacts, a list and a segment. */
export async function createVictim(service: TestService): Promise<Victim> {
  const account = await service.createAccount({ name: 'Victim' });
  const secret = 'the-secret-of-the-victim-5d1f';
  const { audience_id: list } = (await account.operator('POST', '/lists', { name: secret })).body;
  await account.operator('POST', '/segments', {
    name: secret,
    filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: secret }] }],
  });
  const contacts = victim.identities.map((identity, at) => ({
    identity,
    mobile: victim.mobiles[at],
    attributes: { FIRST_NAME: secret, CITY: secret },
    audience_details: [{ audience_id: list, audience_type: 'list' }],
  }));
  await account.apply('/contact/create', { data: { contact_type: 'identified', contacts } });
  const search = {
    output: { get_count: true, fields: ['contact_id', 'identity', 'MOBILE', 'CITY', 'list_id', 'updated_at'] },
  };
  const ids = (await account.rows(search)).map((row) => row['contact_id'] as number);
  return {
    account,
    secret,
    contactIds: ids,
    async snapshot() {
      const tables = [
        'accounts',
        'api_keys',
        'attributes',
        'audiences',
        'contacts',
        'requests',
        'request_results',
        'request_failures',
        'audit_log',
      ];
      const stored: unknown[] = [];
      for (const table of tables) {
        const { rows } =
          await sql`select to_jsonb(t) as row from ${sql.table(table)} t where account_id = ${account.accountId}
          order by to_jsonb(t)::text`.execute(service.context.db);
        stored.push(rows);
      }
      const { data, count } = (await account.v5('/contact/search', search)).body;
      const lists = (await account.operator('GET', '/lists')).body;
      return JSON.stringify({ stored, data, count, lists });
    },
  };
}
