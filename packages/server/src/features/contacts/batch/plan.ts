import type pg from 'pg';
import { attributeKeysOf } from '#features/search/inputs/filter-inputs.ts';
import { addAttributes } from '#features/registry/add-attributes.ts';
import type { Plan, Write } from '#pipeline/operations/batch-model.ts';
import { fail, type ItemFailure } from '#pipeline/operations/item-result.ts';
import type { PipelineContext } from '#pipeline/operations/operation.ts';
import { Tally } from '#pipeline/operations/tally.ts';
import { databaseOn } from '#platform/database/connection/database.ts';
import { dayAt } from '#platform/time/days.ts';
import { identifiersOfContact, type Identifier } from '../model/identifiers.ts';
import { Lookups } from '../model/lookups.ts';
import { countWrites } from '../counts/contact-count-store.ts';
import { ContactCounts } from '../counts/contact-counts.ts';
import { openBatchAttributes } from './batch-attributes.ts';
import { awaitedOptOutWrites, loadAwaitedOptOuts } from '../awaited-opt-outs/awaited-opt-out-store.ts';
import { AwaitedOptOuts } from '../awaited-opt-outs/awaited-opt-outs.ts';
import { loadBatchAccount, type BatchAccount } from './batch-account.ts';
import { openParts, type PlannedParts } from './batch-part.ts';
import type { BatchState } from './batch-state.ts';
import { usualTables, type BatchTables } from '../model/batch-tables.ts';
import { takeContactIds } from './contact-numbers.ts';
import type { ContactItem } from './contact-request.ts';
import { ForgottenPeople } from '../forgotten/forgotten-people.ts';
import { loadForgotten, readmissionWrites } from '../forgotten/forgotten-store.ts';
import { formerKeyWrites } from '../former-keys/former-key-store.ts';
import { AttributesBefore } from '../history/attributes-before.ts';
import { ContactChanges } from '../history/contact-changes.ts';
import { ContactHistory } from '../history/contact-history.ts';
import { contactEventWrites } from '../history/contact-event-store.ts';
import { loadFormerKeys } from '../former-keys/load-former-keys.ts';
import { loadContacts } from './load.ts';
import { memberWrites, writesOf } from './save.ts';
import type { WorkingSet } from './working-set.ts';

/** The plan of a batch of items on contacts. */
interface ContactPlan extends Plan {
  readonly parts: PlannedParts;
}

/** Options of {@link planItems}. */
export interface PlanOptions {
  /** Changes the account for a plan that is never written (a dry run). */
  readonly adjust?: (account: BatchAccount) => BatchAccount;
  /** By default, the tables with their usual names. */
  readonly tables?: BatchTables;
}

/** Collects the look-ups that items need. */
export function lookupsOf(items: readonly ContactItem[], primaryKey: string): Lookups {
  const lookups = new Lookups();
  for (const { request, index } of items) request.lookups(index, primaryKey, lookups);
  return lookups;
}

/**
 * Applies items in memory, in order, and plans the writes (docs/decisions/0001-apply-in-memory.md).
 *
 * `client` can be any connection: the caller holds the lane of the account, so no other process
 * changes its contacts.
 */
export async function planItems(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  items: readonly ContactItem[],
  context: PipelineContext,
  { adjust, tables = usualTables() }: PlanOptions = {},
): Promise<ContactPlan> {
  const listIds = new Set<number>();
  for (const { request, index } of items) request.listIds(index, listIds);
  const stored = await loadBatchAccount(client, accountId, listIds, tables);
  const account = adjust?.(stored) ?? stored;
  const lookups = lookupsOf(items, account.registry.primaryKey);
  const formerKeys = await loadFormerKeys(client, accountId, account, items, lookups);
  const exceedsFootprint = !formerKeys.isEmpty;
  const contacts = await loadContacts(client, accountId, lookups, { items: items.length, tables });
  const awaited = account.awaitsOptOuts ? await loadAwaitedOptOuts(client, accountId, lookups.key) : [];
  const registry = openBatchAttributes(accountId, account.registry, {
    ...account,
    autoCreate: account.settings.auto_create_attributes,
  });
  const forgotten = await forgottenPeople(client, accountId, account, items, contacts);
  const awaitedOptOuts = new AwaitedOptOuts(awaited);
  const parts = openParts(context, account);
  const { lists } = account;
  const history = new ContactHistory(
    account.settings.events ? new ContactChanges(account.registry.attributes, registry) : undefined,
    account.liveInputs === null ? undefined : new AttributesBefore(attributeKeysOf(account.liveInputs)),
  );
  const { newId } = context;
  const state: BatchState = {
    contacts,
    registry,
    lists,
    awaitedOptOuts,
    formerKeys,
    forgotten,
    history,
    counts: new ContactCounts(),
    parts: parts.parts,
    keyChanged: (from, to) => parts.keyChanged(from, to),
    newId,
  };
  const tally = applyItems(items, state);
  // A dry run reserves no contact_ids.
  if (adjust === undefined) await numberNewContacts(client, accountId, contacts);
  history.addTouched(tally);
  const { created } = registry;
  const addCreated: Write = async (connection) => {
    const first = await addAttributes(databaseOn(connection), context, accountId, created, 'system');
    // The planned contacts already use the planned attribute ids.
    if (first !== created[0]!.id)
      throw new Error('the attributes of the account have changed since the batch was planned');
  };
  const {
    slots,
    registry: { primaryKey },
  } = account;
  const contactWrites = writesOf(accountId, { primaryKey, slots, tables }, contacts);
  const planned = parts.plan({ accountId, state, tally, context });
  // Statements before the contacts wait for the earlier batches, and so do the contacts.
  const canWriteEarly = planned.before.length === 0;
  return {
    writes: canWriteEarly ? [...contactWrites, ...planned.writes] : [],
    sharedWrites: [
      ...(created.length > 0 ? [addCreated] : []),
      ...(canWriteEarly ? [] : [...planned.before, ...contactWrites]),
      ...memberWrites(accountId, contacts, dayAt(context.now().getTime(), account.timeZone), tables),
      ...readmissionWrites(accountId, forgotten),
      ...formerKeyWrites(accountId, contacts, formerKeys),
      ...contactEventWrites(accountId, contacts, history.events),
      ...awaitedOptOutWrites(accountId, awaitedOptOuts),
      ...(canWriteEarly ? [] : planned.writes),
      ...planned.sharedWrites,
      // Last, because other transactions can wait for these rows.
      ...countWrites(accountId, state.counts, tables),
    ],
    tally,
    outdatesModel: created.length > 0,
    exceedsFootprint,
    parts: planned,
    isDisjointFrom: (other) => !isContactPlan(other) || planned.isDisjointFrom(other.parts),
  };
}

/** False for the plan of a whole operation. */
function isContactPlan(plan: Plan): plan is ContactPlan {
  return 'parts' in plan;
}

/** Applies items to the state, in order, and counts their outcomes. */
function applyItems(items: readonly ContactItem[], state: BatchState): Tally {
  const { forgotten, history, registry } = state;
  const tally = new Tally();
  let failures: ItemFailure[] = [];
  for (const { request, index, origin } of items) {
    history.begin(request.index, origin);
    const outcome = request.apply(index, state, failures);
    history.end(outcome);
    // This failure replaces any other, because the log does not keep items that fail with it.
    if (outcome === 'failed' && !forgotten.isEmpty && failures[0]?.code !== 'contact_forgotten') {
      const names = request.names(index, registry.primaryKey) as readonly Identifier[];
      if (forgotten.rejectsAny(names)) fail(failures, { code: 'contact_forgotten' });
    }
    tally.add(request.index, index, outcome, failures);
    if (failures.length > 0) failures = [];
  }
  return tally;
}

/** Gives new contacts their contact_ids, in the order of creation. */
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

/** Loads the forgotten people that items name. Makes no query if the account has none. */
async function forgottenPeople(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  { forgottenSalt: salt, settings: { reject_forgotten_contacts: rejects }, registry: { primaryKey } }: BatchAccount,
  items: readonly ContactItem[],
  contacts: WorkingSet,
): Promise<ForgottenPeople> {
  if (salt === null) return new ForgottenPeople([], { rejects });
  const named = new Set<Identifier>();
  for (const { request, index } of items) {
    for (const identifier of request.names(index, primaryKey) as readonly Identifier[]) named.add(identifier);
  }
  // Identifiers of existing contacts need no check. Without them, most imports compute no hash.
  for (const { id: contactId, key, email, mobile } of contacts.all) {
    for (const own of identifiersOfContact(primaryKey, { contactId, key, email, mobile })) named.delete(own);
  }
  return new ForgottenPeople(await loadForgotten(client, accountId, salt, named), { rejects });
}
