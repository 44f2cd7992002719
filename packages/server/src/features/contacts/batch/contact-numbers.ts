import pg from 'pg';

/**
 * Reserves `count` consecutive contact_ids of an account and returns the first. No contact_id is
 * ever reserved twice. The caller holds the lane of the account.
 *
 * A batch reserves them when it is planned, not when it is written. Otherwise two batches that are
 * written at the same time would wait for each other at this row. If a plan is never written, its
 * contact_ids are lost and leave a gap.
 */
export async function takeContactIds(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  count: number,
): Promise<number> {
  // The commit does not have to wait for the disk. The contacts come later in the write-ahead log,
  // so their commit makes this one durable, too. Inside the transaction of a batch, the setting
  // would apply to the whole batch, so it is only used with a pool.
  const unsynced = client instanceof pg.Pool ? `from set_config('synchronous_commit', 'off', true)` : '';
  const { rows } = await client.query<{ last: number }>({
    text: `
      insert into contact_numbers as n (account_id, last_contact_id) select $1::int, $2::bigint ${unsynced}
      on conflict (account_id) do update set last_contact_id = n.last_contact_id + excluded.last_contact_id
      returning last_contact_id as last`,
    values: [accountId, count],
  });
  return rows[0]!.last - count + 1;
}
