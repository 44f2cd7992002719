import type { AttributeReference, CreateAttributesBody, UpdateAttributesBody } from '@roster/contract';
import type { Author } from '#platform/audit-log/audit-log.ts';
import type { OperationDefinitions } from '#pipeline/operations/operation.ts';
import { applyCreateAttributes } from './changes/apply-create.ts';
import { applyDeleteAttributes } from './changes/apply-delete.ts';
import { applyUpdateAttributes } from './changes/apply-update.ts';

declare module '#pipeline/operations/payload.ts' {
  interface Payloads {
    'attribute.create': { readonly attributes: CreateAttributesBody['data'] } & Actor;
    'attribute.update': { readonly attributes: UpdateAttributesBody['data'] } & Actor;
    'attribute.delete': { readonly attributes: readonly AttributeReference[] } & Actor;
  }
}

/** The sender of a request, for the audit log. */
interface Actor {
  readonly actor: Author;
  /** The sender had the permission `unmasked` when the request was accepted. */
  readonly unmasked: boolean;
}

/**
 * The pipeline operations on attributes. Each is applied as a whole: it depends on all earlier
 * requests, and all later requests depend on it.
 */
export const attributeOperations: OperationDefinitions = {
  'attribute.create': { applyWhole: applyCreateAttributes, people: undefined },
  'attribute.update': { applyWhole: applyUpdateAttributes, people: undefined },
  'attribute.delete': { applyWhole: applyDeleteAttributes, people: undefined },
};
