import { sql } from 'kysely';
import type { TestAccount, TestService } from '../support/service.ts';
import { victim } from './junk.ts';

/** An account that receives no requests while other accounts are attacked. */
export interface Victim {
  readonly account: TestAccount;
  /** A text in the data of this account, and in no other account. */
  readonly secret: string;
  /** The contact_ids of its contacts. */
  readonly contactIds: readonly number[];
  /** Reads all stored rows of the account and its own search results, as one text. */
  snapshot(): Promise<string>;
}

/** Creates an account with contacts, a list and a segment. */
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
  await account.createContacts(contacts);
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
          await sql`select to_jsonb(t) - 'last_used_at' as row from ${sql.table(table)} t where account_id = ${account.accountId}
          order by (to_jsonb(t) - 'last_used_at')::text`.execute(service.context.db);
        stored.push(rows);
      }
      const { data, count } = (await account.v5('/contact/search', search)).body;
      const lists = (await account.operator('GET', '/lists')).body;
      return JSON.stringify({ stored, data, count, lists });
    },
  };
}
