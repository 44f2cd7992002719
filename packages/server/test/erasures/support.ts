import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import { StoredPayload } from '#pipeline/operations/stored-payload.ts';
import type { TestAccount, TestService } from '../support/service.ts';

/** The contact_id of the contact with this identity. */
export async function contactId(account: TestAccount, identity: string): Promise<number> {
  const [row] = await account.rows({
    filtering_criteria: [{ condition_details: [{ field: 'identity', operation: 'equals', value: identity }] }],
    output: { fields: ['contact_id'] },
  });
  if (row === undefined) throw new Error(`there is no contact ${identity}`);
  return row['contact_id'] as number;
}

/** Creates a contact and returns its contact_id. */
export async function created(
  account: TestAccount,
  contact: { readonly identity: string; readonly [field: string]: unknown },
  type = 'identified',
): Promise<number> {
  await account.apply('/contact/create', { data: { contact_type: type, contacts: [contact] } });
  return contactId(account, contact.identity);
}

/** Requests the erasure of a contact, which must be accepted. */
export async function erased(
  account: TestAccount,
  id: number,
): Promise<{ request_id: string; [field: string]: unknown }> {
  const answer = await account.operator('DELETE', `/contacts/${id}?mode=erase`);
  if (answer.status !== 200) throw new Error(`not erased: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Returns an erasure when it is finished. Jobs must be running. */
export async function finished(account: TestAccount, requestId: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { body } = await account.operator('GET', `/erasures/${requestId}`);
    if (body.status === 'done') return body;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Resolves when no job of an erasure waits or runs. */
export async function idle({ context }: TestService): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from roster_jobs.jobs where task_identifier like 'erase%' limit 1`.execute(
      context.db,
    );
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Every stored row of an account as text, with the name of its table. Payloads of requests are
 * decoded.
 */
async function* everything({ db }: Context, accountId: number): AsyncGenerator<{ table: string; text: string }> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'roster_jobs')`.execute(db);
  for (const { schema, name } of tables) {
    const table = sql.table(`${schema}.${name}`);
    const { rows } = await sql<{ text: string }>`select t::text as text from ${table} t`.execute(db);
    for (const { text } of rows) {
      // Every table of the service has the account in its first column.
      if (schema !== 'public' || text.startsWith(`(${accountId},`)) yield { table: name.replace(/_\d+$/, ''), text };
    }
  }
  const requests = await db
    .selectFrom('requests')
    .where('account_id', '=', accountId)
    .select(['payload', 'payload_codec'])
    .execute();
  for (const { payload, payload_codec: codec } of requests) {
    yield { table: 'payload', text: new StoredPayload(payload, codec).wholeText() };
  }
}

/**
 * Finds texts in everything that is stored of an account, in any letter case. Returns `table:
 * text`.
 */
export async function mentions(
  { context }: TestService,
  { accountId }: TestAccount,
  texts: readonly string[],
): Promise<string[]> {
  const found = new Set<string>();
  for await (const { table, text } of everything(context, accountId)) {
    const lower = text.toLowerCase();
    for (const wanted of texts) if (lower.includes(wanted.toLowerCase())) found.add(`${table}: ${wanted}`);
  }
  return [...found].sort();
}
