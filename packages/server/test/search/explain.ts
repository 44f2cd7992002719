import type { CompiledQuery } from 'kysely';
import type { Context } from '#platform/context.ts';

/**
 * Runs EXPLAIN of a statement about the contacts of an account, on the table with these contacts. On a
 * cluster, that is a shard on a node; the result has the usual names. A JSON plan is returned as text.
 */
export async function explain(
  { servers }: Pick<Context, 'servers'>,
  accountId: number,
  { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
  options = '',
): Promise<string> {
  const shard = await servers.shardOf(accountId);
  const { contacts } = await shard.tables(['contacts']);
  const explaining = `explain ${options} ${sql.replaceAll(/\bcontacts\b/g, contacts)}`;
  const { rows } = await shard.server.pool.query<{ 'QUERY PLAN': unknown }>(explaining, [...parameters]);
  const lines = rows.map(({ 'QUERY PLAN': plan }) => (typeof plan === 'string' ? plan : JSON.stringify(plan)));
  const plan = lines.join('\n');
  const number = contacts.slice('contacts'.length);
  // The indexes of a shard also have its number at the end.
  return number === '' ? plan : plan.replaceAll(number, '');
}
