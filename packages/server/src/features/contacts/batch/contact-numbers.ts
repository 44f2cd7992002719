import pg from 'pg';

/**
 * Takes the next contact_ids of an account; returns the first of `count` consecutive ones. None is ever given twice.
 *
 * The caller holds the lane of the account. Numbers of a plan that is never written are lost, which leaves a gap. They are taken when a batch is
 * planned, not when it is written: two batches of one account are written at the same time, and would wait for each other at this row.
 */
export async function takeContactIds(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  count: number,
): Promise<number> {
  // The commit need not wait for the disk: that of the contacts comes later in the write-ahead log, and waits for both. In the transaction
  // of a batch the setting would hold for the batch, so it is left alone there.
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
