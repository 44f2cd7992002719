import type { Faults, PartlyRead, UpdateAttributesBody } from '@roster/contract';
import { ApiError, faultsError } from '#platform/errors/api-error.ts';
import type { Service } from '#platform/http/server/service.ts';
import type { ApiKeyRequest } from '#platform/http/operations/request.ts';
import { createFairGate, type FairGate } from '#platform/load/fair-gate.ts';
import { enterGate } from '#platform/load/enter-gate.ts';
import { acceptRequest } from '#pipeline/accept/accept-request.ts';
import { awaitResult } from '#pipeline/accept/await-result.ts';
import { loadAttributeRows, type AttributeRow } from '#features/registry/attribute-store.ts';
import { faultsOf } from './checks.ts';
import { findRow } from '../changes/registry-change.ts';

/** Milliseconds that an update may wait in total, for the gate and then for the pipeline. */
const maxWait = 30_000;

/**
 * Makes the gate that limits concurrent updates. Each update polls the database for its result. A
 * thousand updates that wait for a bulk load would cause too many queries. An account does not need
 * more than ten at a time, because the pipeline applies them one by one.
 */
export function createUpdateGate(): FairGate<number> {
  return createFairGate({ total: 60, perKey: 10, waitingPerKey: 500, timeout: maxWait });
}

/** The result of an update. */
export interface ChangedAttributes {
  readonly requestId: string;
  /** The changed attributes, in the order of the request. */
  readonly rows: AttributeRow[];
  /** All attributes of the account. */
  readonly all: AttributeRow[];
}

/** Returns the API key of a request for the audit log, and whether it has the scope `unmasked`. */
export function authorOf({ credential: { author, scopes } }: ApiKeyRequest<object>) {
  return { actor: author, unmasked: scopes.has('unmasked') };
}

/**
 * Changes attributes, and returns them in the order of the request. Leaves out attributes that
 * another request has deleted since. The returned request id is that of the first request, if this
 * is a repeat with the same `Idempotency-Key`.
 *
 * The update goes through the pipeline and waits for its result, so that it is in order with the
 * requests for contacts. It can throw these errors, and then nothing is changed:
 * - `invalid_request` with all refusals.
 * - `missing_scope` if the only problem is that the change needs the scope `unmasked`.
 * - `pipeline_busy` or `overloaded` after 30 s in total.
 *
 * If the client disconnects after the update was accepted, the update is still applied.
 */
export async function changeAttributes(
  service: Service,
  gate: FairGate<number>,
  request: ApiKeyRequest<UpdateAttributesBody>,
): Promise<ChangedAttributes> {
  service.context.databaseTurns.end();
  const until = performance.now() + maxWait;
  const signal = request.disconnectSignal();
  const leave = await enterGate(gate, request.credential.accountId, 'pipeline_busy', signal);
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
  const result = await awaitResult(context, { accountId, requestId }, { signal, timeout: until - performance.now() });
  const faults = faultsOf(result);
  if (faults.count > 0) throw faultsError(faults);
  // The worker failed, not the caller. The error is in the log of the worker.
  if (result.failures.length > 0) throw new ApiError('internal');
  const all = await loadAttributeRows(context.db, accountId);
  // Find them by id, because another request can have renamed or deleted attributes since.
  return { requestId, rows: result.attributeIds.flatMap((id) => findRow(all, { id }) ?? []), all };
}

/** Adds a fault for each item of an update that names no attribute, or nothing to change. */
export function checkChanges({ data = [] }: PartlyRead<UpdateAttributesBody>, faults: Faults): void {
  for (const [index, change] of data.entries()) {
    if (change === undefined) continue;
    const { id: _id, name: _name, ...fields } = change;
    if (!('id' in change || 'name' in change)) {
      faults.add('required', 'needs name or id, to say which attribute to change', `data[${index}]`);
    }
    // A field that could not be read is absent here, and has a fault already. Do not add another.
    const isFaulty = faults.list.some(({ field }) => field.startsWith(`data[${index}].`));
    if (Object.keys(fields).length === 0 && !isFaulty) {
      const names = 'new_name, data_type, default_value, mapping, data_masking, category';
      faults.add('required', `needs at least one of the fields that can change: ${names}`, `data[${index}]`);
    }
  }
}
