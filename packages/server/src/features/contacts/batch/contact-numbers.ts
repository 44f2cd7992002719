import pg from 'pg';

/**
 * Reserves `count` consecutive contact_ids of an account and returns the first. No contact_id is
 * ever reserved twice. The caller holds the lane of the account.
 *
 * A batch reserves them when it is planned, not when it is written. Otherwise two batches that are
 * written at the same time would wait for the lock of this row. If a plan is never written, its
 * contact_ids are lost and leave a gap.
 */
export async function takeContactIds(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  count: number,
): Promise<number> {
  // With a pool, this commit does not wait for the disk. The commit of the contacts comes later in
  // the write-ahead log, so it makes this commit durable, too. Inside the transaction of a batch,
  // `synchronous_commit` would apply to the whole batch, so it is not changed there.
  const hasPool = client instanceof pg.Pool;
  const unsynced = hasPool ? `from set_config('synchronous_commit', 'off', true)` : '';
  const { rows } = await client.query<{ last: number }>({
    name: hasPool ? 'unsynced contact numbers' : 'contact numbers',
    text: `
      insert into contact_numbers as n (account_id, last_contact_id) select $1::int, $2::bigint ${unsynced}
      on conflict (account_id) do update set last_contact_id = n.last_contact_id + excluded.last_contact_id
      returning last_contact_id as last`,
    values: [accountId, count],
  });
  return rows[0]!.last - count + 1;
}
