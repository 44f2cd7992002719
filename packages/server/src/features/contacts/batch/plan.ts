import type pg from 'pg';
import { ActivityLedger } from '#features/activities/ledger.ts';
import { noActivities, planActivities, type ActivityTraces } from '#features/activities/writes.ts';
import { takeContactIds } from './contact-numbers.ts';
import { addAttributes } from '#features/registry/attributes.ts';
import { awaitedOptOutWrites, loadAwaitedOptOuts } from './awaited-opt-out-store.ts';
import { AwaitedOptOuts } from './awaited-opt-outs.ts';
import { openAttributeBook, type BatchState, type ItemFailure } from './batch-state.ts';
import { fail } from '../rules/create.ts';
import { ForgottenPeople } from './forgotten-people.ts';
import { loadForgotten, rememberingWrites } from './forgotten-store.ts';
import { formerKeyWrites } from './former-key-store.ts';
import { loadContacts } from './load.ts';
import { Lookups } from '../model/lookups.ts';
import { memberWrites, writesOf, type Write } from './save.ts';
import type { WorkingSet } from './working-set.ts';
import { erasureWrites } from '#features/erasures/writes.ts';
import type { Identifier } from '../model/identifiers.ts';
import { identifiersOfContact } from '#features/people/person.ts';
import { loadBatchAccount, type BatchAccount } from '#pipeline/worker/batch-store.ts';
import type { DecodedBatch } from '#pipeline/worker/decode.ts';
import type { BatchItem, PreparedRegistryRequest } from '#app/worker/operations.ts';
import { databaseOn } from '#platform/database/connection/database.ts';
import { loadFormerKeys } from './late-records.ts';
import { Tally } from '#pipeline/worker/tally.ts';

/** What the pipeline needs besides the database. */
export interface PlanTools {
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Items that were applied in memory: what has to be written, and what became of them. */
export interface Plan {
  /**
   * What touches nothing but the contacts that the batch names, and new activities: two batches that name different contacts, and do not meet in
   * the activities, can do it at the same time.
   */
  readonly writes: readonly Write[];
  /** What batches have in common, such as the counts of lists; after {@link writes}, when all batches before this one are committed. */
  readonly sharedWrites: readonly Write[];
  readonly tally: Tally;
  /** The plan changes the attributes of the account, which the batches after it must see. */
  readonly changesRegistry: boolean;
  /** The plan depends on contacts, and may change some, that its items do not name: who had the keys before under which records came late. */
  readonly followsFormerKeys: boolean;
  readonly activityTraces: ActivityTraces;
}

/** What a plan has that changes no contacts. */
const contactsAside = { followsFormerKeys: false, activityTraces: noActivities } as const;

/**
 * Plans a batch: its items in memory, or its one request on the registry.
 *
 * A plan that cannot be made is one that cannot be written: why shows when that is tried, and the batch is split there.
 */
export async function planBatch(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  { items, registryRequest }: DecodedBatch,
  tools: PlanTools,
): Promise<Plan> {
  if (registryRequest !== undefined) return planRegistryRequest(accountId, registryRequest, tools);
  try {
    return await planItems(client, accountId, items, tools);
  } catch (error) {
    const refuse: Write = async () => {
      throw error;
    };
    // Its halves may well change the registry.
    return { writes: [], sharedWrites: [refuse], tally: new Tally(), changesRegistry: true, ...contactsAside };
  }
}

/** A request on the registry reads what it depends on under the lock of its account, so all of it happens when the plan is written. */
function planRegistryRequest(accountId: number, request: PreparedRegistryRequest, tools: PlanTools): Plan {
  const tally = new Tally();
  const write: Write = async (lane) => {
    const results = await request.apply(databaseOn(lane), accountId, tools);
    for (const [index, { outcome, failures, attributeId }] of results.entries()) {
      tally.add(0, index, outcome, failures);
      if (attributeId !== undefined) tally.changed(0, attributeId);
    }
  };
  return { writes: [], sharedWrites: [write], tally, changesRegistry: true, ...contactsAside };
}

/** The look-ups of contacts that items need. */
export function lookupsOf(items: readonly BatchItem[], primaryKey: string): Lookups {
  const lookups = new Lookups();
  for (const { request, index } of items) request.lookups(index, primaryKey, lookups);
  return lookups;
}

/**
 * Applies items in memory, in their order, to the contacts that they name (docs/decisions/0001-apply-in-memory.md).
 *
 * Reads through any connection: the caller holds the lane of the account, so nobody else changes its contacts. `adjust` gives the items
 * another account than the one that is stored, for a plan that is never written.
 */
export async function planItems(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  items: readonly BatchItem[],
  tools: PlanTools,
  adjust?: (account: BatchAccount) => BatchAccount,
): Promise<Plan> {
  const listIds = new Set<number>();
  for (const { request, index } of items) request.listIds(index, listIds);
  const stored = await loadBatchAccount(client, accountId, listIds);
  const account = adjust?.(stored) ?? stored;
  const lookups = lookupsOf(items, account.registry.primaryKey);
  const formerKeys = await loadFormerKeys(client, accountId, account, items, lookups);
  const followsFormerKeys = !formerKeys.isEmpty;
  const contacts = await loadContacts(client, accountId, lookups, items.length);
  const awaited = account.awaitsOptOuts ? await loadAwaitedOptOuts(client, accountId, lookups.key) : [];
  const registry = openAttributeBook(accountId, account.registry, account);
  const forgotten = await forgottenPeople(client, accountId, account, items, contacts);
  const activities = new ActivityLedger();
  const awaitedOptOuts = new AwaitedOptOuts(awaited);
  const { lists, activityRetentionMonths } = account;
  const { newId } = tools;
  const state: BatchState = {
    contacts,
    registry,
    lists,
    activities,
    activityRetentionMonths,
    awaitedOptOuts,
    formerKeys,
    forgotten,
    erasures: [],
    newId,
  };
  const tally = new Tally();
  let failures: ItemFailure[] = [];
  for (const { request, index } of items) {
    const outcome = request.apply(index, state, failures);
    // Whatever else is wrong with it: what is refused under this code is not kept (eraseRefused).
    if (outcome === 'failed' && !forgotten.isEmpty && failures[0]?.code !== 'contact_forgotten') {
      if (forgotten.rejectsAny(request.names(index, registry.primaryKey)))
        fail(failures, { code: 'contact_forgotten' });
    }
    tally.add(request.index, index, outcome, failures);
    if (failures.length > 0) failures = [];
  }
  // A plan that is never written takes no numbers.
  if (adjust === undefined) await numberNewContacts(client, accountId, contacts);
  const { created } = registry;
  const addCreated: Write = async (lane) => {
    const first = await addAttributes(databaseOn(lane), tools, accountId, created, 'system');
    // The values are written under the ids that the plan gave them.
    if (first !== created[0]!.id)
      throw new Error('the attributes of the account have changed since the batch was planned');
  };
  const contactWrites = writesOf(accountId, contacts);
  const erasing = erasureWrites(accountId, state, tools);
  const activityPlan = planActivities(accountId, activities, tally);
  return {
    writes: erasing.length > 0 ? [] : [...contactWrites, ...activityPlan.writes],
    sharedWrites: [
      ...(created.length > 0 ? [addCreated] : []),
      // Erasures come before the contacts go: what they are in the database says which files they may be in.
      ...(erasing.length > 0 ? [...erasing, ...contactWrites] : []),
      ...memberWrites(accountId, contacts),
      ...rememberingWrites(accountId, forgotten),
      ...formerKeyWrites(accountId, contacts, formerKeys),
      ...awaitedOptOutWrites(accountId, awaitedOptOuts),
      ...activityPlan.sharedWrites,
    ],
    tally,
    changesRegistry: created.length > 0,
    followsFormerKeys,
    activityTraces: activityPlan.traces,
  };
}

/** Gives the contacts that a batch creates their numbers, in the order in which it creates them. */
async function numberNewContacts(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  contacts: WorkingSet,
): Promise<void> {
  const created = contacts.all.filter(({ stored, deleted }) => stored === null && !deleted);
  if (created.length === 0) return;
  const first = await takeContactIds(client, accountId, created.length);
  for (const [index, contact] of created.entries()) contact.id = first + index;
}

/** The people whom the account has forgotten, as far as the items name them; an account that has forgotten nobody is asked nothing. */
async function forgottenPeople(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  { forgottenSalt: salt, rejectsForgotten: rejects, registry: { primaryKey } }: BatchAccount,
  items: readonly BatchItem[],
  contacts: WorkingSet,
): Promise<ForgottenPeople> {
  if (salt === null) return new ForgottenPeople([], { rejects });
  const named = new Set<Identifier>();
  for (const { request, index } of items) {
    for (const identifier of request.names(index, primaryKey)) named.add(identifier);
  }
  // What a contact has is not forgotten: most imports change contacts that are there, and hash nothing.
  for (const { id: contactId, key, email, mobile } of contacts.all) {
    for (const own of identifiersOfContact(primaryKey, { contactId, key, email, mobile })) named.delete(own);
  }
  return new ForgottenPeople(await loadForgotten(client, accountId, salt, named), { rejects });
}
