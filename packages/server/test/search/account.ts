import type { AccountSettings, ContactType } from '@roster/contract';
import { attributeKey, loadRegistry, type Registry, type StoredValue } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import type { DataType } from '@roster/contract';

/** An activity in the summary of a contact in the search tests. */
export interface TestActivity {
  readonly channel: 'email' | 'sms';
  readonly kind: 'open' | 'click';
  readonly at: string;
}

/** A contact in the search tests. Attributes are by name. `null` or absent means no value. */
export interface TestContact {
  readonly identity: string | null;
  readonly contact_type: ContactType;
  readonly email: string | null;
  readonly mobile: string | null;
  readonly attributes: Readonly<Record<string, StoredValue | null>>;
  readonly lists: readonly number[];
  /** What the person did, as its summary has it. */
  readonly activities: readonly TestActivity[];
  readonly email_opted_out: boolean;
  readonly sms_opted_out: boolean;
  readonly whatsapp_opted_out: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A contact with its contact_id. */
export type StoredContact = TestContact & { readonly contact_id: number };

/** Returns a contact with only an identity, and the fields of `parts`. */
export function contact(identity: string | null, parts: Partial<TestContact> = {}): TestContact {
  return {
    identity,
    contact_type: identity === null ? 'anonymous' : 'identified',
    email: null,
    mobile: null,
    attributes: {},
    lists: [],
    activities: [],
    email_opted_out: false,
    sms_opted_out: false,
    whatsapp_opted_out: false,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...parts,
  };
}

/** One attribute of every data type, and two masked ones. */
const testAttributes = {
  CITY: 'text',
  NICKNAME: 'text',
  NOTES: 'long_text',
  AGE: 'number',
  VIP: 'boolean',
  BIRTH_DATE: 'date',
  LAST_SEEN: 'datetime',
  CARD: 'text',
  SECRET: 'number',
} as const satisfies Record<string, DataType>;

const masked: Record<string, 'partial' | 'full'> = { CARD: 'partial', SECRET: 'full' };

/** An account with the attributes of {@link testAttributes} and lists 1 to 5. */
export interface TestAccount {
  readonly accountId: number;
  readonly registry: Registry;
  /** Stores contacts, and returns them with their contact_ids. */
  readonly store: (contacts: readonly TestContact[]) => Promise<StoredContact[]>;
}

/**
 * Creates an account. `primaryKey` is EMAIL (default), MOBILE or the name of an attribute, which is
 * then created too.
 */
export async function createAccount(
  ctx: Pick<Context, 'db'>,
  options: { primaryKey?: string; timeZone?: string; masking?: 'partial' | 'full' } = {},
): Promise<TestAccount> {
  const { db } = ctx;
  const { primaryKey = 'EMAIL', timeZone = 'UTC' } = options;
  const now = new Date('2026-01-01T00:00:00.000Z');
  const stamps = { created_at: now, updated_at: now };
  const { account_id: accountId } = await db
    .insertInto('accounts')
    .values({
      name: 'Test',
      primary_key: primaryKey,
      time_zone: timeZone,
      settings: JSON.stringify({} satisfies AccountSettings),
      ...stamps,
    })
    .returning('account_id')
    .executeTakeFirstOrThrow();
  const custom = primaryKey === 'EMAIL' || primaryKey === 'MOBILE' ? {} : { [primaryKey]: 'text' as const };
  const attributeKeys = new Map<string, string>();
  for (const [index, [name, dataType]] of Object.entries({ ...testAttributes, ...custom }).entries()) {
    attributeKeys.set(name, attributeKey(accountId, index + 1));
    const data_masking = name === primaryKey ? (options.masking ?? 'none') : (masked[name] ?? 'none');
    await db
      .insertInto('attributes')
      .values({ account_id: accountId, attribute_id: index + 1, name, data_type: dataType, data_masking, ...stamps })
      .execute();
  }
  for (let id = 1; id <= 5; id++) {
    await db
      .insertInto('audiences')
      .values({ account_id: accountId, audience_id: id, audience_type: 'list', name: `List ${id}`, ...stamps })
      .execute();
  }
  await db
    .insertInto('activity_summary_states')
    .values({ account_id: accountId, wanted: true, usable: true, requested_at: now })
    .execute();
  let lastContactId = 0;
  return {
    accountId,
    registry: await loadRegistry(db, accountId),
    async store(contacts) {
      const stored: StoredContact[] = [];
      for (let at = 0; at < contacts.length; at += 500) {
        const chunk = contacts.slice(at, at + 500);
        const keys = chunk.map(({ identity }, index) => identity ?? `anonymous/${crypto.randomUUID()}/${at + index}`);
        const rows = await db
          .insertInto('contacts')
          .values(
            chunk.map((given, index) => ({
              account_id: accountId,
              contact_id: (lastContactId += 1),
              contact_key: keys[index]!,
              contact_type: given.contact_type,
              email: given.email === keys[index] ? '' : given.email,
              mobile: given.mobile === keys[index] ? '' : given.mobile,
              attributes: JSON.stringify(
                Object.fromEntries(
                  Object.entries(given.attributes).flatMap(([name, value]) =>
                    value === null ? [] : [[attributeKeys.get(name), value]],
                  ),
                ),
              ),
              list_ids: [...given.lists],
              email_opted_out: given.email_opted_out,
              sms_opted_out: given.sms_opted_out,
              whatsapp_opted_out: given.whatsapp_opted_out,
              created_at: new Date(given.created_at),
              updated_at: new Date(given.updated_at),
            })),
          )
          .returning(['contact_id', 'contact_key'])
          .execute();
        for (const [index, { activities }] of chunk.entries()) {
          if (activities.length > 0) await storeSummary(ctx, accountId, keys[index]!, activities);
        }
        const numbers = new Map(rows.map((row) => [row.contact_key, row.contact_id]));
        stored.push(...chunk.map((given, index) => ({ ...given, contact_id: numbers.get(keys[index]!)! })));
      }
      return stored;
    },
  };
}

/** Stores the summary of the activities of a contact, as the pipeline keeps it. */
async function storeSummary(
  { db }: Pick<Context, 'db'>,
  accountId: number,
  key: string,
  activities: readonly TestActivity[],
): Promise<void> {
  const ordered = activities.toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const columns: Record<string, unknown> = { first_seen: ordered[0]!.at, last_seen: ordered.at(-1)!.at };
  for (const { channel, kind, at } of ordered) {
    columns[`${channel}_${kind}_at`] = at;
    const minutes = (columns[`${channel}_${kind}_minutes`] ??= []) as number[];
    minutes.push(Math.floor(Date.parse(at) / 60_000));
  }
  await db
    .insertInto('activity_summaries')
    .values({ account_id: accountId, contact_key: key, ...columns })
    .execute();
}

/** Creates a segment with a stored filter. */
export async function createSegment(
  ctx: Pick<Context, 'db'>,
  accountId: number,
  audienceId: number,
  filter: object,
): Promise<void> {
  const now = new Date('2026-01-01T00:00:00.000Z');
  await ctx.db
    .insertInto('audiences')
    .values({
      account_id: accountId,
      audience_id: audienceId,
      audience_type: 'segment',
      name: `Segment ${audienceId}`,
      filter: JSON.stringify(filter),
      created_at: now,
      updated_at: now,
    })
    .execute();
}
