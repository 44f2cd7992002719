import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { opaqueFirstParameter } from '#platform/database/statements/opaque-account.ts';
import type { Write } from '#pipeline/operations/batch-model.ts';
import { contactInputs } from '#features/search/inputs/filter-inputs.ts';
import type { ChangedKeys, NamedMessages } from './changed-activities.ts';
import { erasure, type ChangedContacts } from './changed-inputs.ts';

/**
 * Changed contacts that wait to be evaluated. Without contacts: the segments with these inputs must
 * evaluate all contacts again.
 */
export interface PendingContacts extends ChangedContacts {
  readonly pendingId: string;
  readonly changedAt: Date;
}

const insertion = `
  insert into live_pending (account_id, pending_id, changed_at, inputs, contact_ids) values ($1, $2, $3, $4, $5)`;

/** Returns the statements that store changed contacts of a batch, with the time when they run. */
export function pendingWrites(
  accountId: number,
  changed: readonly ChangedContacts[],
  { newId, now }: Pick<Context, 'newId' | 'now'>,
): Write[] {
  return changed.map(({ inputs, contactIds }) => {
    const id = newId();
    return (client) =>
      client.query({ name: 'live pending', text: insertion, values: [accountId, id, now(), inputs, contactIds] });
  });
}

const keysInsertion = (): string => `
  insert into live_pending (account_id, pending_id, changed_at, inputs, contact_ids)
  select $1, $2, $3, $4, ids from (
    select array_agg(contact_id) as ids from contacts
    where account_id = ${opaqueFirstParameter()} and contact_key = any ($5::text[])
  ) found where ids is not null`;

/**
 * Returns the statements that store the contacts with some keys, whose activities changed. Keys
 * without a contact are left out: a new contact is evaluated in any case.
 */
export function pendingKeysWrites(
  accountId: number,
  changed: readonly ChangedKeys[],
  { newId, now }: Pick<Context, 'newId' | 'now'>,
): Write[] {
  return changed.map(({ inputs, keys }) => {
    const id = newId();
    return (client) =>
      client.query({ name: 'live pending keys', text: keysInsertion(), values: [accountId, id, now(), inputs, keys] });
  });
}

const namesInsertion = `
  insert into live_pending (account_id, pending_id, changed_at, inputs, contact_ids)
  select $1, $2, $3, $4, '{}' where exists (
    select from unnest($5::bigint[], $6::text[]) as given (message_id, name)
    left join message_names n on n.account_id = $1 and n.message_id = given.message_id
    where n.name is distinct from given.name and (given.name = any ($7::text[]) or n.name = any ($7::text[])))`;

/**
 * Returns the statements that note that a message gets or loses a name that a live segment asks
 * for. Earlier activities of the message can count then, or no longer. They run before the names
 * are stored.
 */
export function pendingNamesWrites(
  accountId: number,
  named: NamedMessages | undefined,
  { newId, now }: Pick<Context, 'newId' | 'now'>,
): Write[] {
  if (named === undefined) return [];
  const { wanted, messageIds, names } = named;
  const id = newId();
  const values = [accountId, id, now(), wanted.map(contactInputs.messageName), messageIds, names, wanted];
  return [(client) => client.query({ name: 'live pending names', text: namesInsertion, values })];
}

/** Returns which of some contacts wait to be evaluated because one of `inputs` changed. */
export async function pendingAmong(
  trx: Database,
  accountId: number,
  inputs: readonly string[],
  contactIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select distinct id from live_pending cross join unnest(contact_ids) as id
    where account_id = ${accountId} and (inputs is null or inputs && ${[...inputs, erasure]}::text[])
      and id = any (${contactIds}::bigint[])`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

// Rows of one step. Small requests that change one contact each make many rows.
const rowsPerStep = 1000;

/** Loads the oldest changed contacts, up to about `contacts` of them. The caller has the account locked. */
export async function loadPending(trx: Database, accountId: number, contacts: number): Promise<PendingContacts[]> {
  const { rows } = await sql<{ pending_id: string; changed_at: Date; inputs: string[] | null; ids: string }>`
    select pending_id, changed_at, inputs, array_to_json(contact_ids)::text as ids from (
      select *, sum(cardinality(contact_ids)) over (order by pending_id) - cardinality(contact_ids) as before
      from (select * from live_pending where account_id = ${accountId} order by pending_id limit ${rowsPerStep}) oldest
    ) counted where before < ${contacts} order by pending_id`.execute(trx);
  return rows.map(({ pending_id: pendingId, changed_at: changedAt, inputs, ids }) => ({
    pendingId,
    changedAt,
    inputs,
    contactIds: JSON.parse(ids) as number[],
  }));
}

/**
 * Returns which of some contacts are erased and wait to be evaluated. An erasure deletes the contact and
 * is noted in one transaction. So call this after the contacts were evaluated.
 */
export async function erasedAmong(
  trx: Database,
  accountId: number,
  contactIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (contactIds.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    select id from live_pending cross join unnest(contact_ids) as id
    where account_id = ${accountId} and inputs = array[${erasure}::text] and id = any (${[...contactIds]}::bigint[])`.execute(
    trx,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Deletes changed contacts that were evaluated. */
export async function deletePending(trx: Database, accountId: number, pendingIds: readonly string[]): Promise<void> {
  if (pendingIds.length === 0) return;
  await trx
    .deleteFrom('live_pending')
    .where('account_id', '=', accountId)
    .where((eb) => eb('pending_id', '=', eb.fn.any(eb.val([...pendingIds]))))
    .execute();
}

/** Deletes all changed contacts of an account that has no live segments any more. */
export async function deleteAllPending(trx: Database, accountId: number): Promise<void> {
  await trx.deleteFrom('live_pending').where('account_id', '=', accountId).execute();
}

/** Returns when the oldest changed contact of an account changed; undefined when none waits. */
export async function oldestPending(db: Database, accountId: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('live_pending')
    .where('account_id', '=', accountId)
    .select('changed_at')
    .orderBy('pending_id')
    .limit(1)
    .executeTakeFirst();
  return row?.changed_at;
}
