import { Faults, inexactNumber, unknownName, type ContactChanged, type UpdateContactBody } from '@roster/contract';
import { findExistingLists } from '#features/audiences/list-store.ts';
import { coerce, isInexactText } from '#features/registry/coerce.ts';
import { looksMasked } from '#features/registry/masking.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import type { Acceptor } from '#pipeline/accept/acceptor.ts';
import { awaitResult } from '#pipeline/accept/await-result.ts';
import type { AppliedRequest } from '#pipeline/accept/result-store.ts';
import { writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import { searchTimeout, type Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError, invalidField, conflict } from '#platform/errors/api-error.ts';
import { failureKinds, type FailureCode } from '@roster/contract';
import { loadProfile, type ProfileRequest } from './profile.ts';
import { findContact } from './profile-store.ts';
import { contactNotFound } from '#features/contacts/model/contact-not-found.ts';

/** A change of one contact. */
export interface ContactChange extends ProfileRequest {
  readonly requestId: string;
  readonly author: Author;
  readonly change: UpdateContactBody;
  /** Makes the change only if the contact still has this `updated_at` (milliseconds since 1970). */
  readonly ifUpdatedAt: number | undefined;
}

/**
 * Changes a contact through the pipeline, in order with other requests, and returns it. Throws
 * `not_found`, `precondition_failed`, `conflict`, `invalid_request`, `pipeline_busy` and `timed_out`.
 *
 * The pipeline compares `ifUpdatedAt` when it applies the change. The check before only answers
 * earlier, when the contact has changed already.
 */
export async function changeContact(
  context: Context,
  acceptor: Acceptor,
  request: ContactChange,
): Promise<ContactChanged> {
  const { accountId, contactId, requestId, change, ifUpdatedAt, signal } = request;
  const before = await findContact(context.db, accountId, contactId);
  if (before === undefined) throw contactNotFound(accountId, contactId);
  if (ifUpdatedAt !== undefined && before.updated_at.getTime() !== ifUpdatedAt) {
    throw changed(await loadProfile(context, request));
  }
  const payload = {
    contacts: [{ ...change, contact_id: contactId }],
    ...(ifUpdatedAt === undefined ? {} : { if_updated_at: ifUpdatedAt }),
  };
  await acceptor.acceptWith({ accountId, requestId, operation: 'contact.update', payload, total: 1 }, (trx) =>
    writeAudit(trx, context, {
      accountId,
      actor: request.author,
      action: 'contact.update',
      subject: `contact:${contactId}`,
      details: { request_id: requestId, fields: fieldsOf(change) },
    }),
  );
  const { failures } = await awaitResult(context, { accountId, requestId }, { signal });
  const refusal = failures.find(({ code }) => !failureKinds[code].warning);
  if (refusal !== undefined) throw await errorOf(context, request, refusal);
  return {
    request_id: requestId,
    warnings: failures.map(({ code, field, message }) => ({ code, field, message })),
    contact: await loadChanged(context, request),
  };
}

/**
 * Loads the profile after the change. If the searches of the account leave no turn for it, throws
 * `timed_out`: the errors of a search would say that nothing was changed.
 */
async function loadChanged(context: Context, request: ContactChange): Promise<ContactChanged['contact']> {
  try {
    return await loadProfile(context, request);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'not_found') throw error;
    throw new ApiError('timed_out', { params: { seconds: searchTimeout / 1000 }, cause: error });
  }
}

/** The names of the changed fields, as events name them: `email`, `attributes.CITY`. */
function fieldsOf({ attributes, ...others }: UpdateContactBody): string[] {
  return [...Object.keys(others), ...Object.keys(attributes ?? {}).map((name) => `attributes.${name.toUpperCase()}`)];
}

/** Failures that another contact or setting causes, not the change itself. */
const conflicts: ReadonlySet<FailureCode> = new Set(['identity_taken', 'contact_forgotten']);

async function errorOf(
  context: Context,
  request: ContactChange,
  { code, field, message }: AppliedRequest['failures'][number],
): Promise<ApiError> {
  if (code === 'contact_changed') return changed(await loadProfile(context, request));
  if (code === 'contact_not_found') return contactNotFound(request.accountId, request.contactId);
  if (code === 'internal' || code === 'given_up' || code === 'payload_unreadable') return new ApiError('internal');
  if (conflicts.has(code)) return conflict(message);
  return invalidField('not_supported', field ?? '', message);
}

function changed(contact: ContactChanged['contact']): ApiError {
  return new ApiError('precondition_failed', {
    params: { what: `Contact ${contact.contact_id}` },
    headers: { etag: contact.version },
    current: contact,
  });
}

/**
 * Adds the faults of a change that the pipeline would only warn of: unknown attributes and lists,
 * and values that do not fit. A person who edits a contact needs all of the change, or none of it.
 */
export async function checkChange(
  db: Database,
  accountId: number,
  change: { readonly [Field in keyof UpdateContactBody]?: unknown },
  faults: Faults,
): Promise<void> {
  const { attributes, audience_details: lists } = change as UpdateContactBody;
  if (attributes !== undefined) {
    const registry = await loadRegistry(db, accountId);
    for (const [name, value] of Object.entries(attributes)) {
      const place = `attributes.${name}`;
      const attribute = registry.find(name);
      if (attribute === undefined) {
        const names = registry.attributes.map((known) => known.name);
        faults.add('unknown_field', unknownName(name, 'an attribute of the account', names), place);
      } else if (value === null || value === undefined) continue;
      else if (attribute.dataMasking !== 'none' && looksMasked(value)) {
        faults.add('not_supported', 'is a masked value, not the real one. Leave it out to keep the value.', place);
      } else if (coerce(attribute.dataType, value) === undefined) {
        const isInexact = isInexactText(attribute.dataType, value);
        const message = isInexact ? inexactNumber : `must be a value of the data type ${attribute.dataType}`;
        faults.add('invalid_format', message, place);
      }
    }
  }
  if (lists === undefined) return;
  const ids = lists.flatMap((one) => one?.audience_id ?? []);
  const known = new Set(await findExistingLists(db, accountId, ids));
  for (const [index, one] of lists.entries()) {
    const unknown = one?.audience_id?.find((id) => !known.has(id));
    if (unknown === undefined) continue;
    const place = `audience_details[${index}].audience_id`;
    faults.add('not_found', `The account has no list with the audience_id ${unknown}.`, place);
  }
}
