import { optOutChannels } from '@roster/contract';
import type { AttributesBefore } from '#features/contacts/history/attributes-before.ts';
import type { Contact } from '#features/contacts/model/contact.ts';
import { activityInputsOf, contactInputs } from '#features/search/inputs/filter-inputs.ts';

/** Contacts of a batch with the same changed inputs. */
export interface ChangedContacts {
  /** Null: every segment can depend on the change, because the contacts are new or deleted. */
  readonly inputs: readonly string[] | null;
  readonly contactIds: readonly number[];
}

/** The only input of contacts that were erased. */
export const erasure = 'erasure';

/** True when every segment can depend on a change, whatever its filter names. */
export function concernsEverySegment({ inputs }: ChangedContacts): boolean {
  return inputs === null || inputs[0] === erasure;
}

// With more different changes in a batch, all have the union of their inputs. So a hostile batch
// cannot write a row for each contact.
const maxGroups = 16;

/**
 * Returns the contacts of a batch that changed in something that live segments depend on, grouped by
 * what changed. `wanted`: the names of what the live segments of the account depend on.
 */
export function changedInputs(
  contacts: readonly Contact[],
  wanted: readonly string[],
  attributesBefore: AttributesBefore | undefined,
): ChangedContacts[] {
  const set = new Set(wanted);
  const groups = new Map<string | null, number[]>();
  for (const contact of contacts) {
    // A contact that the batch creates and deletes never had a contact_id.
    if (contact.id === 0) continue;
    const { stored } = contact;
    if (stored !== null && !contact.deleted && !contact.changed) continue;
    const isWhole = stored === null || contact.deleted;
    const inputs = contact.erased ? [erasure] : isWhole ? null : inputsOf(contact, stored, set, attributesBefore);
    if (inputs?.length === 0) continue;
    const key = inputs === null ? null : inputs.join('\n');
    const ids = groups.get(key);
    if (ids === undefined) groups.set(key, [contact.id]);
    else ids.push(contact.id);
  }
  const all = [...groups].map(([key, contactIds]) => ({ inputs: key?.split('\n') ?? null, contactIds }));
  if (all.length <= maxGroups) return all;
  const whole = all.filter(concernsEverySegment);
  const others = all.filter((one) => !concernsEverySegment(one));
  return [
    ...whole,
    {
      inputs: [...new Set(others.flatMap(({ inputs }) => inputs!))],
      contactIds: others.flatMap(({ contactIds }) => contactIds),
    },
  ];
}

function inputsOf(
  contact: Contact,
  stored: NonNullable<Contact['stored']>,
  wanted: ReadonlySet<string>,
  attributesBefore: AttributesBefore | undefined,
): string[] {
  const changed = [contactInputs.updatedAt as string];
  // Activities can be recorded for a key before its contact, so a new key can bring some.
  if (contact.key !== stored.key) changed.push(contactInputs.identity, ...activityInputsOf([...wanted]));
  if (contact.type !== stored.type) changed.push(contactInputs.type);
  if (contact.email !== stored.email) changed.push(contactInputs.email);
  if (contact.mobile !== stored.mobile) changed.push(contactInputs.mobile);
  if (contact.listIds !== stored.listIds) {
    changed.push(contactInputs.anyList);
    for (const id of contact.listIds) if (!stored.listIds.includes(id)) changed.push(contactInputs.list(id));
    for (const id of stored.listIds) if (!contact.listIds.includes(id)) changed.push(contactInputs.list(id));
  }
  for (const channel of optOutChannels) {
    if (contact.optedOut[channel] !== stored.optedOut[channel]) changed.push(contactInputs.optOut(channel));
  }
  for (const key of attributesBefore?.changedKeys(contact) ?? []) changed.push(contactInputs.attribute(key));
  return changed.filter((name) => wanted.has(name));
}
