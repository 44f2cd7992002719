import { failureKinds } from '@roster/contract';
import { createRegistry, plainAttribute, type Attribute } from '#features/registry/registry.ts';
import type { BatchAccount } from '#features/contacts/batch/batch-account.ts';
import type { ContactItem as PlannedItem, ContactRequest } from '#features/contacts/batch/contact-request.ts';
import type { ItemFailure, Outcome } from '#pipeline/operations/item-result.ts';
import { contactKey } from '#features/contacts/model/identity.ts';
import { BatchTooLarge } from '#pipeline/operations/batch-model.ts';
import type { Context } from '#platform/context.ts';
import { prepareCreate, prepareUpdate } from '#features/contacts/operations/contact-operations.ts';
import { planItems } from '#features/contacts/batch/plan.ts';
import { acceptanceOf } from './apply-file.ts';
import type { ChunkFailure, ChunkKind } from './chunk-store.ts';
import type { ContactItem } from '../rows/row-mapper.ts';
import type { ImportRow } from '../store/import-store.ts';
import type { SeenKeys } from '../rows/seen-keys.ts';

/** The result that an item would have. */
export interface PlannedResult {
  readonly kind: ChunkKind;
  /** Index of the item among the items of its kind in the chunk. */
  readonly index: number;
  readonly outcome: Exclude<Outcome, 'deleted'>;
  readonly failures: readonly Pick<ChunkFailure, 'code' | 'field' | 'message' | 'warning'>[];
}

/**
 * Plans the items of a chunk as the pipeline would, and returns the results that they would have.
 *
 * A plan sees only stored contacts, not the contacts that earlier chunks would have created. `seen`
 * has the keys of those contacts, so that a row with a repeated key gets the right result.
 */
export async function planChunkItems(
  context: Context,
  row: ImportRow,
  kind: ChunkKind,
  items: readonly ContactItem[],
  seen: SeenKeys,
): Promise<PlannedResult[]> {
  if (items.length === 0) return [];
  const acceptance = acceptanceOf(row.mode, kind, items, row.account_id, context.newId());
  const outcomes: ItemOutcome[] = [];
  const facts = { index: 0, at: context.now().toISOString() };
  const prepared =
    acceptance.operation === 'contact.update'
      ? prepareUpdate(acceptance.payload, facts)
      : prepareCreate(acceptance.payload, facts);
  const request = recordingOutcomes(prepared, outcomes);
  const origin = { requestId: acceptance.requestId, acceptedAt: context.now() };
  await plan(
    context,
    row,
    items.map((_item, index) => ({ request, index, origin })),
  );
  const results = outcomes.map(({ outcome, failures }) => ({ outcome, failures: failures.map(withMessage) }));
  const keys = results.map(({ outcome }, index) =>
    outcome === 'created' && kind === 'identified' ? contactKey(row.primary_key!, items[index]!.identity!) : undefined,
  );
  const repeated = await seen.add(keys);
  return results.map((result, index) => ({
    kind,
    index,
    ...(repeated.has(index) ? resultOfRepeat(row.mode, result) : result),
  }));
}

/** Returns the result of a row whose contact an earlier row would have created. */
function resultOfRepeat(mode: ImportRow['mode'], result: Omit<PlannedResult, 'kind' | 'index'>): typeof result {
  if (mode !== 'create') return { ...result, outcome: 'updated' };
  return {
    outcome: 'failed',
    failures: [{ code: 'contact_exists', field: 'identity', ...failureKinds.contact_exists }],
  };
}

/** The outcome of an item. For forgotten people, the plan replaces its failures later. */
interface ItemOutcome {
  readonly outcome: PlannedResult['outcome'];
  readonly failures: readonly ItemFailure[];
}

/** Wraps a request so that it records the outcomes of its items. */
function recordingOutcomes(request: ContactRequest, outcomes: ItemOutcome[]): ContactRequest {
  return {
    ...request,
    apply(item, state, failures) {
      const outcome = request.apply(item, state, failures) as PlannedResult['outcome'];
      // The plan reuses an empty array for the next item, so do not keep that array.
      outcomes[item] = { outcome, failures: failures.length > 0 ? failures : [] };
      return outcome;
    },
  };
}

function withMessage({ code, field, message }: ItemFailure): PlannedResult['failures'][number] {
  const kind = failureKinds[code];
  return { code, field: field ?? null, message: message ?? kind.message, warning: kind.warning };
}

/** Plans items. Plans them in halves when their contacts do not fit into memory together. */
async function plan(context: Context, row: ImportRow, items: readonly PlannedItem[]): Promise<void> {
  try {
    await planItems(context.pool, row.account_id, items, context, {
      adjust: (account) => withNewAttributes(account, row),
    });
  } catch (error) {
    if (!(error instanceof BatchTooLarge) || items.length === 1) throw error;
    const middle = items.length >> 1;
    await plan(context, row, items.slice(0, middle));
    await plan(context, row, items.slice(middle));
  }
}

/** Adds the attributes that the import would create to the account. */
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
