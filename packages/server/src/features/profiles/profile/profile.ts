import { anonymousPrefix, optOutChannels, type ContactProfile } from '@roster/contract';
import { listNames } from '#features/audiences/list-store.ts';
import { formerKeys } from '#features/contacts/former-keys/former-key-store.ts';
import { lastContactEvents, type LastEvent } from '#features/contacts/history/contact-event-store.ts';
import { widenedText } from '#features/registry/coerce.ts';
import { mask } from '#features/registry/masking.ts';
import { loadRegistry, type Registry } from '#features/registry/registry.ts';
import { fixedField } from '#features/search/filter/fields.ts';
import { reportingTimeout } from '#features/search/search.ts';
import { entityTag } from '#platform/http/operations/entity-tag.ts';
import type { Context } from '#platform/context.ts';
import { derivedValues } from './derived-values.ts';
import { matchedSegments, type MatchedSegments } from './matched-segments.ts';
import { findContact, type ContactRow } from './profile-store.ts';
import { contactNotFound } from '#features/contacts/model/contact-not-found.ts';

/** Names a contact, and says whether the caller may see masked values. */
export interface ProfileRequest {
  readonly accountId: number;
  readonly contactId: number;
  readonly unmasked: boolean;
  /** True: the caller may see activities, and so derived attributes. */
  readonly activity: boolean;
  /** Aborted when the caller does not wait for the profile anymore. */
  readonly signal: AbortSignal;
}

/**
 * Loads the profile of a contact of an existing account. Throws `not_found`, and the errors of a
 * search that waited or ran too long.
 */
export async function loadProfile(
  context: Pick<Context, 'db' | 'now' | 'searches'>,
  request: ProfileRequest,
): Promise<ContactProfile> {
  const { db, now } = context;
  const { accountId, contactId, unmasked, activity, signal } = request;
  const contact = await findContact(db, accountId, contactId);
  if (contact === undefined) throw contactNotFound(request.accountId, request.contactId);
  const registry = await loadRegistry(db, accountId);
  const [lists, segments, former, events, derived] = await Promise.all([
    listNames(db, accountId, contact.list_ids),
    segmentsOf(context, { accountId, registry, contactId, now: now() }, signal),
    formerKeys(db, accountId, contactId),
    lastContactEvents(db, accountId, contactId),
    activity ? derivedValues(db, registry, { accountId, contactId, now: now() }) : [],
  ]);
  const identityMask = unmasked ? 'none' : fixedField(registry, 'identity').masking;
  const key = contact.contact_key;
  return {
    contact_id: contact.contact_id,
    identity: key.startsWith(anonymousPrefix) ? null : mask(identityMask, key),
    email: contact.email,
    mobile: contact.mobile,
    attributes: attributesOf(contact, registry, unmasked),
    derived_attributes: derived,
    lists,
    segments: [...segments.matched],
    unusable_segments: [...segments.unusable],
    opt_outs: optOutsOf(contact, events),
    lifecycle: lifecycleOf(contact, events),
    former_identities: former.map((one) => ({
      identity: mask(identityMask, one.contact_key),
      changed_at: one.changed_at.toISOString(),
    })),
    created_at: contact.created_at.toISOString(),
    updated_at: contact.updated_at.toISOString(),
    version: entityTag(contact.updated_at),
  };
}

/** Finds the segments of a contact, when the account has a turn for a search. */
async function segmentsOf(
  { searches }: Pick<Context, 'searches'>,
  contact: Parameters<typeof matchedSegments>[1],
  signal: AbortSignal,
): Promise<MatchedSegments> {
  return searches.run(contact.accountId, signal, (db) => reportingTimeout(() => matchedSegments(db, contact)));
}

/** Returns all attributes except a custom primary key, whose value is the identity. */
function attributesOf(contact: ContactRow, registry: Registry, unmasked: boolean): ContactProfile['attributes'] {
  return registry.attributes
    .filter(({ name }) => name !== registry.primaryKey)
    .map(({ id, key, name, dataType, dataMasking, mapping, widenedFrom }) => {
      const stored = contact.attributes[key] ?? null;
      // After a change of the data type to text, old values are converted in the background.
      const value = stored === null || widenedFrom === null ? stored : widenedText(stored);
      return {
        attribute_id: id,
        name,
        data_type: dataType,
        data_masking: dataMasking,
        mapping,
        value: unmasked ? value : mask(dataMasking, value),
      };
    });
}

function optOutsOf(contact: ContactRow, events: readonly LastEvent[]): ContactProfile['opt_outs'] {
  return optOutChannels.map((channel) => {
    const event = events.find((one) => one.channel === channel);
    const optedOut = contact[`${channel}_opted_out`];
    // An opt-in before Roster stored events is in the contact itself.
    const optedInAt = optedOut ? null : (contact.opted_in_at?.[channel] ?? null);
    return {
      channel,
      opted_out: optedOut,
      since: event?.occurred_at.toISOString() ?? optedInAt,
      activity: activityOf(event),
      request_id: event?.request_id ?? null,
    };
  });
}

function lifecycleOf(contact: ContactRow, events: readonly LastEvent[]): ContactProfile['lifecycle'] {
  const { contact_type: type, type_before_blacklisting } = contact;
  const event = events.find(({ kind, to }) => kind === 'type_changed' && to === type);
  const common = { contact_type: type, type_before_blacklisting };
  if (event !== undefined) {
    return {
      ...common,
      since: event.occurred_at.toISOString(),
      cause: event.details['cause'] as ContactProfile['lifecycle']['cause'],
      activity: activityOf(event),
      request_id: event.request_id,
    };
  }
  // No contact begins as one of these types. The change was made before Roster stored events.
  const isUnknown = type === 'blacklisted' || type === 'confirmed';
  return {
    ...common,
    since: isUnknown ? null : contact.created_at.toISOString(),
    cause: isUnknown ? null : 'created',
    activity: null,
    request_id: null,
  };
}

function activityOf(event: LastEvent | undefined): ContactProfile['lifecycle']['activity'] {
  return (event?.details['activity'] ?? null) as ContactProfile['lifecycle']['activity'];
}
