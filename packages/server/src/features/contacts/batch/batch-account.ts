import type { AccountSettings, DataMasking } from '@roster/contract';
import type pg from 'pg';
import { summaryStateSql, type SummaryState } from '#features/accounts/store/summary-state-store.ts';
import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import { formerMasksSql, type FormerMasks } from '#features/registry/former-masks.ts';
import { attributesSql, createRegistry, type Attribute } from '#features/registry/registry.ts';
import { writtenSlotsSql, type UsedSlot } from '#features/registry/slots/slot.ts';
import type { BatchTables } from '../model/batch-tables.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';

/** Loads the primary key of an account. It cannot change while the lane of the account is held. */
export async function primaryKeyOf(client: pg.ClientBase, accountId: number): Promise<string> {
  const { rows } = await client.query<{ primary_key: string }>({
    name: 'primary key of an account',
    text: 'select primary_key from accounts where account_id = $1',
    values: [accountId],
  });
  if (rows[0] === undefined) throw new Error('the account of a waiting request does not exist');
  return rows[0].primary_key;
}

/** The data of an account that a batch needs. */
export interface BatchAccount {
  readonly registry: ReturnType<typeof createRegistry>;
  /** IANA name of the time zone of the account. */
  readonly timeZone: string;
  readonly lastAttributeId: number;
  readonly formerMasks: FormerMasks;
  /** All settings, with defaults filled in. */
  readonly settings: ReturnType<typeof effectiveSettings>;
  /** True when the account has awaited opt-outs. */
  readonly awaitsOptOuts: boolean;
  /** When a contact last changed its identity, in milliseconds since 1970; null for never. */
  readonly lastKeyChange: number | null;
  /** The lists named by the batch that exist. */
  readonly lists: ReadonlySet<number>;
  /** The slots of indexed attributes, which every write of a contact must fill. */
  readonly slots: readonly UsedSlot[];
  /** The names of what the live segments of the account depend on. Null when it has none. */
  readonly liveInputs: readonly string[] | null;
  /** What to do with the summaries of activities. */
  readonly summaries: SummaryState;
  /** The salt of the hashes of forgotten people. Null when the account has no forgotten people. */
  readonly forgottenSalt: Buffer | null;
}

/** Loads the account of a batch, its attributes, and which of the named lists exist. */
export async function loadBatchAccount(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  listIds: Iterable<number>,
  { names, suffix }: BatchTables,
): Promise<BatchAccount> {
  const { rows } = await client.query<{
    primary_key: string;
    time_zone: string;
    last_attribute_id: number;
    settings: AccountSettings;
    awaits_opt_outs: boolean;
    last_key_change: Date | null;
    attributes: Attribute[];
    former_masks: Record<string, DataMasking> | null;
    lists: number[];
    slots: UsedSlot[] | null;
    forgotten_salt: Buffer | null;
    live_inputs: string[] | null;
    summaries: SummaryState;
  }>({
    // PostgreSQL keeps the plan, because planning takes three times as long as reading. With EXISTS
    // instead of an order, the kept plan could scan the rows of all other accounts.
    name: `account of a batch${suffix}`,
    text: `
      select primary_key, time_zone, settings,
        coalesce((select last_attribute_id from ${names.account_numbers} where account_id = $1), 0) as last_attribute_id,
        coalesce((select true from ${names.awaited_opt_outs} where account_id = $1 order by contact_key limit 1), false) as awaits_opt_outs,
        (select max(changed_at) from ${names.former_keys} where account_id = $1) as last_key_change,
        case when (select true from ${names.forgotten} where account_id = $1 order by hash limit 1) then forgotten_salt end as forgotten_salt,
        ${attributesSql(names)} as attributes, ${formerMasksSql(names.former_masks)} as former_masks, ${writtenSlotsSql(names.attribute_slots)} as slots,
        (select json_agg(i) from ${names.live_segments}, unnest(coalesce(nullif(inputs, '{}'), '{""}')) as i where account_id = $1) as live_inputs,
        ${summaryStateSql(names.activity_summary_states)} as summaries,
        array(select audience_id from ${names.audiences} where account_id = $1 and audience_type = 'list' and audience_id = any ($2::int[])) as lists
      from ${names.accounts} where account_id = $1`,
    values: [accountId, arrayLiteral(listIds)],
  });
  const row = rows[0];
  if (row === undefined) throw new Error('the account of a waiting request does not exist');
  const settings = effectiveSettings(row.settings);
  return {
    registry: createRegistry(row.primary_key, row.attributes),
    timeZone: row.time_zone,
    lastAttributeId: row.last_attribute_id,
    formerMasks: new Map(Object.entries(row.former_masks ?? {})),
    settings,
    awaitsOptOuts: row.awaits_opt_outs,
    lastKeyChange: row.last_key_change?.getTime() ?? null,
    lists: new Set(row.lists),
    slots: row.slots ?? [],
    forgottenSalt: row.forgotten_salt,
    liveInputs: row.live_inputs === null ? null : [...new Set(row.live_inputs)],
    summaries: row.summaries,
  };
}
