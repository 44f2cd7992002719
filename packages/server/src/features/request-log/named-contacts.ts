import { contactNamings, namedContactCharacters, type RequestFailure } from '@roster/contract';
import { kindOfKey } from '#features/contacts/model/identifiers.ts';
import { itemsOfPayload } from '#features/people/payload-items.ts';
import { mask } from '#features/registry/masking.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import { fixedField } from '#features/search/filter/fields.ts';
import type { PipelineOperation } from '#pipeline/operations/payload.ts';
import { StoredPayload } from '#pipeline/operations/stored-payload.ts';
import type { Context } from '#platform/context.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { findPayload, type RequestLogRow } from './log-store.ts';

/** The contact that an item names. */
type NamedContact = NonNullable<RequestFailure['contact']>;

/**
 * Adds to failures the contacts that their items name, as the caller may see them. Reads the stored
 * payload, which has no items of erased people.
 */
export async function withContacts(
  context: Context,
  actor: Actor,
  accountId: number,
  request: Pick<RequestLogRow, 'request_id' | 'operation'>,
  failures: readonly RequestFailure[],
): Promise<RequestFailure[]> {
  if (failures.length === 0) return [];
  const stored = await findPayload(context.db, accountId, request.request_id);
  if (stored === undefined) return [...failures];
  const registry = await loadRegistry(context.db, accountId);
  const payload = new StoredPayload(stored.payload, stored.payload_codec).whole();
  const items = itemsOfPayload(context.features, request.operation as PipelineOperation, payload, registry.primaryKey);
  const wanted = new Set(failures.map(({ index }) => index));
  const identityMask = actor.can('unmasked', accountId) ? 'none' : fixedField(registry, 'identity').masking;
  const isKey = (field: NamedContact['field']): boolean =>
    field === 'identity' || field === kindOfKey(registry.primaryKey);
  const contacts = new Map(
    items.flatMap(({ index, show }) => {
      const named = wanted.has(index) ? namedBy(show()) : undefined;
      if (named === undefined) return [];
      const { field, value } = named;
      return [[index, { field, value: isKey(field) ? mask(identityMask, value) : value }]];
    }),
  );
  return failures.map((failure) => {
    const contact = contacts.get(failure.index);
    return contact === undefined ? failure : { ...failure, contact };
  });
}

function namedBy(item: object): NamedContact | undefined {
  const values = new Map<string, unknown>(Object.entries(item));
  const field = contactNamings.find((name) => (values.get(name) ?? null) !== null);
  return field === undefined ? undefined : { field, value: String(values.get(field)).slice(0, namedContactCharacters) };
}
