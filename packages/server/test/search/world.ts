import { readerOf, SearchContactsBody, Faults } from '@roster/contract';
import fc from 'fast-check';
import { expect, inject } from 'vitest';
import type { Context } from '#platform/context.ts';
import { resolveFilter } from '#features/search/search.ts';
import { toStoredFilter } from '#features/search/filter/stored-filter.ts';
import { createAccount, createSegment, type StoredContact, type TestAccount } from './account.ts';
import { contacts, days, fieldModels, filter, moment, now, relativeValues, type Vocabulary } from './arbitraries.ts';
import { activities, messageNames } from './activity-arbitraries.ts';
import { storeActivities } from './activities.ts';
import type { ModelFilter, Plain, World } from './oracle.ts';

// A failure prints the seed of the run, which also determines the data.
const seed = inject('testSeed');

/** An account with random contacts, and the data that the oracle needs. */
export interface TestWorld {
  readonly account: TestAccount;
  readonly stored: readonly StoredContact[];
  readonly world: World;
  readonly vocabulary: Vocabulary;
}

/**
 * Creates an account with random contacts, their activities and three segments. Later segments may
 * use earlier ones.
 */
export async function createWorld(
  ctx: Pick<Context, 'db' | 'searchDb' | 'now'>,
  primaryKey: string,
  timeZone = 'UTC',
): Promise<TestWorld> {
  const account = await createAccount(ctx, { primaryKey, timeZone });
  // The same contacts in another account. No search may return them.
  const other = await createAccount(ctx, { primaryKey });
  const [people] = fc.sample(contacts(primaryKey), { seed, numRuns: 1 });
  const stored = await account.store(people!);
  await other.store(people!);
  const segments = new Map<number, ModelFilter>();
  const random = fc.sample(activities, { seed, numRuns: stored.length });
  // Nobody can record activities of anonymous contacts.
  const own = new Map(
    stored.flatMap(({ contact_id: id, identity }, at) => (identity === null ? [] : [[id, random[at]!]])),
  );
  await storeActivities(ctx.db, account.accountId, stored, own, {
    names: messageNames,
    moves: primaryKey !== 'MOBILE',
  });
  await storeActivities(ctx.db, other.accountId, stored, new Map([...own].map(([id, all]) => [id, [...all, ...all]])));
  // 25 months before the month of the searches.
  const oldestActivity = '2024-02-01T00:00:00.000Z';
  const world = { primaryKey, timeZone, now, segments, activities: own, messageNames, oldestActivity };
  const values: Record<string, readonly Plain[]> = {
    ...Object.fromEntries(
      Object.entries(fieldModels).map(([name, { values, spellings, kind }]) => [
        name,
        [...values, ...(spellings === moment ? days : []), ...relativeValues(kind)],
      ]),
    ),
    contact_id: stored.slice(0, 40).map(({ contact_id }) => contact_id),
    identity: stored.flatMap(({ identity }) => identity ?? []).slice(0, 40),
  };
  const vocabulary = { primaryKey, values, segments };
  for (const id of [11, 12, 13]) {
    const [segment] = fc.sample(filter(vocabulary), { seed: seed + id, numRuns: 1 });
    const scope = { ...account, unmasked: true, activities: true };
    const resolved = await resolveFilter({ ...ctx, now: () => now }, scope, read(segment!.body), null);
    await createSegment(ctx, account.accountId, id, toStoredFilter(resolved.filters[0]!));
    segments.set(id, segment!.model);
    values['segment_id'] = [...segments.keys()];
  }
  return { account, stored, world, vocabulary };
}

/** Reads a body with the reader of the contract. Expects no faults. */
export function read(body: object): SearchContactsBody {
  const faults = new Faults();
  const canonical = readerOf(SearchContactsBody)(body, faults);
  expect(faults.list).toEqual([]);
  return canonical;
}
