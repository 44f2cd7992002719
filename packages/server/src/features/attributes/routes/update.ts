import type { Faults, PartlyRead, UpdateAttributesBody } from '@roster/contract';
import { ApiError, refusalOf } from '#platform/errors/api-error.ts';
import type { Service } from '#platform/http/server/service.ts';
import type { ApiKeyRequest } from '#platform/http/operations/request.ts';
import { createFairGate, type FairGate } from '#platform/load/fair-gate.ts';
import { waitForTurn } from '#platform/load/wait-for-turn.ts';
import { acceptRequest } from '#pipeline/accept/accept-request.ts';
import { awaitResult } from '#pipeline/accept/await-result.ts';
import { loadAttributeRows, type AttributeRow } from '#features/registry/attribute-store.ts';
import { faultsOf } from './checks.ts';
import { findRow } from '../changes/registry-change.ts';

/** Milliseconds that an update waits in all: for its place, then for its turn in the pipeline. */
const patience = 30_000;

/**
 * Makes the gate that updates go through. Each looks for its result again and again until its turn in the pipeline has come: a thousand that
 * wait behind a bulk load would keep the database busy with that. An account gains nothing from more, they are applied one by one.
 */
export function createUpdateGate(): FairGate<number> {
  return createFairGate({ total: 60, perKey: 10, waitingPerKey: 500, patience });
}

/** What an update has done. */
export interface ChangedAttributes {
  readonly requestId: string;
  /** The changed attributes, in the order of the request. */
  readonly rows: AttributeRow[];
  /** All attributes of the account. */
  readonly all: AttributeRow[];
}

/** Who changes attributes, as the audit log names it, and whether masks bind the key. */
export function authorOf({ credential: { apiKeyId, scopes } }: ApiKeyRequest<object>) {
  return { actor: `api-key:${apiKeyId}` as const, unmasked: scopes.has('unmasked') };
}

/**
 * Changes attributes and answers what they are then, in the order of the request, with the identifier of the request that
 * did it: for a repeat with the same `Idempotency-Key`, the first. One that another request has deleted since is left out.
 *
 * The update goes through the pipeline like every other change of the account and the call waits for it, so that it has a place among the
 * contacts that are in flight. Throws `invalid_request` with every refusal, `missing_scope` when all that is wrong is that a mask would be
 * taken away, and after 30 s in all `pipeline_busy` or `overloaded`: then nothing is changed.
 */
export async function changeAttributes(
  service: Service,
  gate: FairGate<number>,
  request: ApiKeyRequest<UpdateAttributesBody>,
): Promise<ChangedAttributes> {
  const until = Date.now() + patience;
  const signal = request.departure();
  const leave = await waitForTurn(gate, request.credential.accountId, 'pipeline_busy', signal);
  try {
    return await change(service, request, signal, until);
  } finally {
    leave();
  }
}

async function change(
  service: Service,
  request: ApiKeyRequest<UpdateAttributesBody>,
  signal: AbortSignal,
  until: number,
): Promise<ChangedAttributes> {
  const { context } = service;
  const { accountId } = request.credential;
  const changes = request.body.data;
  const payload = { attributes: changes, ...authorOf(request) };
  const requestId = await acceptRequest(service, request, 'attribute.update', payload, changes.length);
  const result = await awaitResult(context, { accountId, requestId }, { signal, timeout: until - Date.now() });
  const faults = faultsOf(result);
  if (faults.count > 0) throw refusalOf(faults);
  // Nothing that the caller did wrong: the log of the worker says what the database refused.
  if (result.failures.length > 0) throw new ApiError('internal');
  const all = await loadAttributeRows(context.db, accountId);
  // By number: another request can have given the names to other attributes since, or deleted some.
  return { requestId, rows: result.attributeIds.flatMap((id) => findRow(all, { id }) ?? []), all };
}

/** Checks what an update shows by itself, as far as it could be read: each item names an attribute and something to change. Adds every fault. */
export function checkChanges({ data = [] }: PartlyRead<UpdateAttributesBody>, faults: Faults): void {
  for (const [index, change] of data.entries()) {
    if (change === undefined) continue;
    const { id: _id, name: _name, ...fields } = change;
    if (!('id' in change || 'name' in change)) {
      faults.add('required', 'needs name or id, which says which attribute to change', `data[${index}]`);
    }
    // What it wanted to change may be what is wrong with it.
    const isFaulty = faults.list.some(({ field }) => field.startsWith(`data[${index}].`));
    if (Object.keys(fields).length === 0 && !isFaulty) {
      const names = 'new_name, data_type, default_value, mapping, data_masking, category';
      faults.add('required', `needs at least one of the fields that can change: ${names}`, `data[${index}]`);
    }
  }
}
