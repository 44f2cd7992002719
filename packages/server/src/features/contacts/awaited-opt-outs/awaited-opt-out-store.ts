import type { OptOutChannel } from '@roster/contract';
import { sql } from 'kysely';
import type pg from 'pg';
import { databaseOn, type Database } from '#platform/database/connection/database.ts';
import { opaqueAccount, opaqueFirstParameter } from '#platform/database/statements/opaque-account.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import type { AwaitedOptOut, AwaitedOptOuts } from './awaited-opt-outs.ts';
import type { Write } from '#pipeline/operations/batch-model.ts';

/** Loads the awaited opt-outs of the given keys. */
export async function loadAwaitedOptOuts(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  keys: Iterable<string>,
): Promise<AwaitedOptOut[]> {
  const { rows } = await client.query<{ key: string; channel: OptOutChannel; occurred_at: Date }>({
    text: `
      select o.contact_key as key, o.channel, o.occurred_at from unnest($2::text[]) as wanted (key) cross join lateral (
        select * from awaited_opt_outs o where o.account_id = ${opaqueFirstParameter()} and o.contact_key = wanted.key) o`,
    values: [accountId, arrayLiteral(keys)],
  });
  return rows.map(({ key, channel, occurred_at }) => ({ key, channel, occurredAt: occurred_at.toISOString() }));
}

/** Returns the statements that write the awaited opt-outs that a batch added or applied. */
export function awaitedOptOutWrites(accountId: number, awaited: AwaitedOptOuts): Write[] {
  const { claimed, added } = awaited;
  const writes: Write[] = [];
  if (claimed.size > 0) writes.push((client) => remove(databaseOn(client), accountId, claimed));
  if (added.length > 0) writes.push((client) => put(databaseOn(client), accountId, added));
  return writes;
}

async function remove(trx: Database, accountId: number, keys: Iterable<string>): Promise<void> {
  await sql`delete from awaited_opt_outs where account_id = ${opaqueAccount(accountId)} and contact_key = any (${[...keys]}::text[])`.execute(
    trx,
  );
}

async function put(trx: Database, accountId: number, optOuts: readonly AwaitedOptOut[]): Promise<void> {
  await trx
    .insertInto('awaited_opt_outs')
    .values(
      optOuts.map(({ key, channel, occurredAt }) => ({
        account_id: accountId,
        contact_key: key,
        channel,
        occurred_at: occurredAt,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'contact_key', 'channel'])
        .doUpdateSet({ occurred_at: sql`greatest(awaited_opt_outs.occurred_at, excluded.occurred_at)` }),
    )
    .execute();
}
