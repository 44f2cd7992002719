import { exactlyCountedContacts, sampledContacts, type AttributeValues } from '@roster/contract';
import type { Attribute } from '#features/registry/registry.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { countAll, countSample, countStart, lastContactId, type ValueCounts } from './value-store.ts';

/** Which values to return. */
export interface ValuesWanted {
  readonly limit: number;
  /** Only values that contain this text, in any letter case. */
  readonly contains: string | undefined;
}

/**
 * Returns the most frequent values of an attribute.
 *
 * Counts all contacts of a small account. In a large one, it uses the index of a text attribute to
 * find values that begin with the wanted text. If there is no index, or too many contacts have such
 * a value, it counts a sample. The sample is always the same, so suggestions do not flicker.
 */
export async function frequentValues(
  db: Database,
  accountId: number,
  attribute: Attribute,
  wanted: ValuesWanted,
): Promise<AttributeValues> {
  const last = await lastContactId(db, accountId);
  if (last <= exactlyCountedContacts) return exact(await countAll(db, accountId, attribute, wanted));
  const { contains } = wanted;
  // The index has parts of words, so it cannot find a text that begins with another character.
  const canUseIndex = attribute.dataType === 'text' && attribute.slot !== null;
  if (contains !== undefined && canUseIndex && /^[\p{L}\p{N}]/u.test(contains)) {
    const counts = await countStart(db, accountId, attribute, wanted, sampledContacts);
    if (counts !== undefined) return { ...exact(counts), match: 'starts_with' };
  }
  const { found, ...counts } = await countSample(db, accountId, attribute, wanted, { last, size: sampledContacts });
  // Most contacts that ever existed were deleted, so the account is small now.
  if ((found / sampledContacts) * last <= exactlyCountedContacts) {
    return exact(await countAll(db, accountId, attribute, wanted));
  }
  const scaled = (count: number): number => Math.round((count * last) / sampledContacts);
  return {
    data: counts.values.map(({ value, count }) => ({ value, count: scaled(count) })),
    contacts_with_value: scaled(counts.contacts),
    distinct_values: counts.distinct,
    match: 'contains',
    estimated: true,
    sample_size: found,
  };
}

function exact({ values, contacts, distinct }: ValueCounts): AttributeValues {
  return {
    data: [...values],
    contacts_with_value: contacts,
    distinct_values: distinct,
    match: 'contains',
    estimated: false,
    sample_size: null,
  };
}
