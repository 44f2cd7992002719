import { failureKinds } from '@roster/contract';
import { createRegistry, plainAttribute, type Attribute } from '#features/registry/registry.ts';
import type { BatchAccount } from '#features/contacts/batch/batch-account.ts';
import type { ContactItem as PlannedItem, ContactRequest } from '#features/contacts/batch/contact-request.ts';
import type { ItemFailure, Outcome } from '#pipeline/operations/item-result.ts';
import { contactKey } from '#features/contacts/model/identity.ts';
import { BatchTooLarge } from '#pipeline/operations/batch-model.ts';
import type { Context } from '#platform/context.ts';
import { prepareCreate, prepareUpdate } from '#features/contacts/operations.ts';
import { planItems } from '#features/contacts/batch/plan.ts';
import { acceptanceOf } from './apply-file.ts';
import type { ChunkFailure, ChunkKind } from './chunk-store.ts';
import type { ContactItem } from '../rows/compose.ts';
import type { ImportRow } from '../store/import-store.ts';
import type { SeenKeys } from '../rows/seen-keys.ts';

/** What would become of an item. */
export interface RehearsedItem {
  readonly kind: ChunkKind;
  /** Among the items of its kind in the chunk. */
  readonly index: number;
  readonly outcome: Exclude<Outcome, 'deleted'>;
  readonly failures: readonly Pick<ChunkFailure, 'code' | 'field' | 'message' | 'warning'>[];
}

/**
 * Plans the items of a chunk as the pipeline would, and answers what would become of them.
 *
 * A plan sees what is stored, and not what earlier chunks would have created: `seen` knows their keys, so that a row which repeats one of
 * them is counted for what it would be.
 */
export async function rehearseItems(
  context: Context,
  row: ImportRow,
  kind: ChunkKind,
  items: readonly ContactItem[],
  seen: SeenKeys,
): Promise<RehearsedItem[]> {
  const acceptance = acceptanceOf(row.mode, kind, items, row.account_id, context.newId());
  if (items.length === 0) return [];
  const observed: Observed[] = [];
  const facts = { index: 0, at: context.now().toISOString() };
  const prepared =
    acceptance.operation === 'contact.update'
      ? prepareUpdate(acceptance.payload, facts)
      : prepareCreate(acceptance.payload, facts);
  const request = observing(prepared, observed);
  await plan(
    context,
    row,
    items.map((_item, index) => ({ request, index })),
  );
  const results = observed.map(({ outcome, failures }) => ({ outcome, failures: failures.map(described) }));
  const keys = results.map(({ outcome }, index) =>
    outcome === 'created' && kind === 'identified' ? contactKey(row.primary_key!, items[index]!.identity!) : undefined,
  );
  const repeated = await seen.add(keys);
  return results.map((result, index) => ({
    kind,
    index,
    ...(repeated.has(index) ? ifRepeated(row.mode, result) : result),
  }));
}

/** What becomes of a row that would have created its contact, had not an earlier one done so. */
function ifRepeated(mode: ImportRow['mode'], result: Omit<RehearsedItem, 'kind' | 'index'>): typeof result {
  if (mode !== 'create') return { ...result, outcome: 'updated' };
  return {
    outcome: 'failed',
    failures: [{ code: 'contact_exists', field: 'identity', ...failureKinds.contact_exists }],
  };
}

/** What became of an item. The plan may replace the failures until it is made: of people who are forgotten it says nothing else. */
interface Observed {
  readonly outcome: RehearsedItem['outcome'];
  readonly failures: readonly ItemFailure[];
}

/** A request that notes what becomes of its items. */
function observing(request: ContactRequest, observed: Observed[]): ContactRequest {
  return {
    ...request,
    apply(item, state, failures) {
      const outcome = request.apply(item, state, failures) as RehearsedItem['outcome'];
      // A list that is empty goes on to the next item.
      observed[item] = { outcome, failures: failures.length > 0 ? failures : [] };
      return outcome;
    },
  };
}

function described({ code, field, message }: ItemFailure): RehearsedItem['failures'][number] {
  const kind = failureKinds[code];
  return { code, field: field ?? null, message: message ?? kind.message, warning: kind.warning };
}

/** Plans items, in halves where their contacts are too many or too large to be in memory together. */
async function plan(context: Context, row: ImportRow, items: readonly PlannedItem[]): Promise<void> {
  try {
    await planItems(context.pool, row.account_id, items, context, (account) => withNewAttributes(account, row));
  } catch (error) {
    if (!(error instanceof BatchTooLarge) || items.length === 1) throw error;
    const middle = items.length >> 1;
    await plan(context, row, items.slice(0, middle));
    await plan(context, row, items.slice(middle));
  }
}

/** The account with the attributes that the import would create. */
function withNewAttributes(account: BatchAccount, { account_id, columns }: ImportRow): BatchAccount {
  const created = columns.flatMap(({ new_type: dataType, name, attribute_id }, index): Attribute[] => {
    if (dataType === undefined || attribute_id !== undefined) return [];
    const id = account.lastAttributeId + index + 1;
    return [plainAttribute(account_id, id, name!, dataType)];
  });
  if (created.length === 0) return account;
  const { primaryKey, attributes } = account.registry;
  return { ...account, registry: createRegistry(primaryKey, [...attributes, ...created]) };
}
