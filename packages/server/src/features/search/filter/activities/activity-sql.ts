import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '#features/registry/registry.ts';
import { channelNumber, kindNumber } from '#platform/database/values/activity-numbers.ts';
import type { ActivitySelection, ResolvedFilter } from '../checked-filter.ts';
import type { FieldSql } from '../field-sql.ts';
import type { OperationName } from '../operations.ts';
import { timeCondition } from '../time/time-conditions.ts';

/** What SQL on activities needs to know about the account. */
export type ActivityAccount = Pick<ResolvedFilter, 'accountId' | 'clock' | 'oldestActivity' | 'hasMoves'>;

/**
 * Makes the condition that a contact has certain activities a certain number of times.
 *
 * It is an EXISTS whose sub-select depends on the contact only in its last condition. So PostgreSQL
 * can find all contact keys once and join them to the contacts. Without moves, it can also look up
 * the activities of single contacts by index, if that is cheaper. A contact without activities
 * matches `never`, `at_most`, and `exactly` with 0.
 */
export function activityCondition(
  operation: OperationName,
  values: readonly StoredValue[],
  selection: ActivitySelection,
  account: ActivityAccount,
): RawBuilder<SqlBool> {
  const times = Number(values[0] ?? 0);
  switch (operation) {
    case 'at_least':
      return hasAtLeast(times, selection, account);
    case 'at_most':
      return sql`not ${hasAtLeast(times + 1, selection, account)}`;
    case 'never':
      return sql`not ${hasAtLeast(1, selection, account)}`;
    case 'exactly':
      return times === 0
        ? sql`not ${hasAtLeast(1, selection, account)}`
        : exists(counted(sql`count(*) = ${sql.lit(times)}`, selection, account));
    default:
      throw new Error(`the operation ${operation} is not for activities`);
  }
}

function hasAtLeast(times: number, selection: ActivitySelection, account: ActivityAccount): RawBuilder<SqlBool> {
  return times === 1
    ? exists(chosenActivities(selection, account))
    : exists(counted(sql`count(*) >= ${sql.lit(times)}`, selection, account));
}

function exists(keys: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`exists (select from (${keys}) as active where active.contact_key = contacts.contact_key)`;
}

function counted(
  condition: RawBuilder<unknown>,
  selection: ActivitySelection,
  account: ActivityAccount,
): RawBuilder<unknown> {
  return sql`select found.contact_key from (${chosenActivities(selection, account)}) as found group by found.contact_key having ${condition}`;
}

/**
 * Selects the contact key of each chosen activity, and maybe its channel and time.
 *
 * Activities of a contact with a new key are moved to it in the background, and those of a deleted
 * contact are deleted. Until then, the move decides to whom they belong (docs/decisions/0012).
 */
export function chosenActivities(
  selection: ActivitySelection,
  account: ActivityAccount,
  withTime = false,
): RawBuilder<unknown> {
  const { accountId, hasMoves } = account;
  const isChosen = conditionsOf(selection, account);
  const rest = withTime ? sql`, a.channel, a.occurred_at` : sql``;
  if (!hasMoves) return sql`select a.contact_key${rest} from activities a where ${isChosen}`;
  return sql`
    select a.contact_key${rest} from activities a
    where ${isChosen}
      and not exists (select from activity_moves m where m.account_id = ${accountId} and m.contact_key = a.contact_key)
    union all
    select m.target_key${rest} from activity_moves m join activities a on a.contact_key = m.contact_key
    where m.account_id = ${accountId} and m.target_key is not null and ${isChosen}`;
}

/** The bound on the time makes PostgreSQL leave out the partitions of other months. */
function conditionsOf(
  { activity, channel, message_id: ids, message_name: names, when }: ActivitySelection,
  { accountId, clock, oldestActivity }: ActivityAccount,
): RawBuilder<unknown> {
  const conditions = [
    sql`a.account_id = ${accountId} and a.occurred_at >= ${new Date(oldestActivity)}::timestamptz`,
    // Literals, so that the planner sees whether the index on the activities of people has them.
    ...(activity === undefined ? [] : [sql`a.activity in (${literals(activity.map(kindNumber))})`]),
    ...(channel === undefined ? [] : [sql`a.channel in (${literals(channel.map(channelNumber))})`]),
    ...(ids === undefined ? [] : [sql`a.message_id = any(${ids}::bigint[])`]),
    ...(names === undefined ? [] : [hasMessageName(accountId, names)]),
    ...(when === undefined
      ? []
      : [timeCondition(when.operation, when.value, { field: occurredAt, type: 'datetime', sqlType: moment, clock })]),
  ];
  return sql.join(
    conditions.map((condition) => sql`(${condition})`),
    sql` and `,
  );
}

/** The latest name of a message counts, and the name that the activity was recorded with. */
function hasMessageName(accountId: number, names: readonly string[]): RawBuilder<unknown> {
  return sql`a.msg_name = any(${names}::text[]) or a.message_id = any(array(
    select n.message_id from message_names n where n.account_id = ${accountId} and n.name = any(${names}::text[])))`;
}

const moment = sql`timestamptz`;
const value = sql.ref('a.occurred_at');

const occurredAt: FieldSql = {
  value,
  notNull: true,
  parameter: (given) => sql`${given}::timestamptz`,
  equalsAny: (values) => sql`${value} = any(${values}::timestamptz[])`,
  isNull: sql`false`,
  text: value,
};

function literals(numbers: readonly number[]): RawBuilder<unknown> {
  return sql.join(numbers.map((number) => sql.lit(number)));
}
