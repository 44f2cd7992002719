import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { SentField } from '#features/registry/derived/derived-fields.ts';
import { channelNumber } from '#platform/database/values/activity-numbers.ts';
import { startOfWindow } from '../time/windows.ts';
import { chosenActivities, type ActivityAccount } from './activity-sql.ts';

/** Returns the column of {@link sentValues} with a derived attribute. */
export function sentColumn({ name }: { readonly name: string }): string {
  return name.replaceAll('.', '_');
}

/**
 * Selects derived attributes about messages that were sent, from the activities: one row for each
 * contact key with such activities. It groups by the contact key. So PostgreSQL can compute all rows,
 * or that of one contact when a condition names its key. `where`: a condition on `found`.
 */
export function sentValues(
  fields: readonly SentField[],
  account: ActivityAccount,
  where?: RawBuilder<SqlBool>,
): RawBuilder<unknown> {
  const { clock, oldestActivity } = account;
  const isOnly = fields.length === 1;
  const startOf = ({ value }: SentField) =>
    value.kind === 'last_sent' ? oldestActivity : Math.max(oldestActivity, startOfWindow(value.days, clock));
  const from = Math.min(...fields.map(startOf));
  const values = fields.map((field) => {
    const { kind, channel } = field.value;
    const conditions = [
      ...(channel === undefined ? [] : [sql`found.channel = ${sql.lit(channelNumber(channel))}`]),
      ...(startOf(field) === from ? [] : [sql`found.occurred_at >= ${new Date(startOf(field))}::timestamptz`]),
    ];
    const filter = isOnly || conditions.length === 0 ? sql`` : sql` filter (where ${sql.join(conditions, sql` and `)})`;
    const value = kind === 'last_sent' ? sql`max(found.occurred_at)` : sql`count(*)`;
    return sql`${value}${filter} as ${sql.ref(sentColumn(field))}`;
  });
  const channels = fields.flatMap(({ value }) => value.channel ?? []);
  const selection = {
    activity: ['sent'] as const,
    ...(channels.length === fields.length ? { channel: channels } : {}),
  };
  const found = chosenActivities(selection, { ...account, oldestActivity: from }, true);
  return sql`
    select found.contact_key, ${sql.join(values)} from (${found}) as found
    ${where === undefined ? sql`` : sql`where ${where}`} group by found.contact_key`;
}
