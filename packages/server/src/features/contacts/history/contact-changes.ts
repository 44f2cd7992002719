import { optOutChannels, type EventKind } from '@roster/contract';
import type { Outcome } from '#pipeline/operations/item-result.ts';
import type { RequestOrigin } from '#pipeline/operations/operation.ts';
import type { BatchAttributes } from '../batch/batch-attributes.ts';
import type { Contact } from '../model/contact.ts';

/** One change of a contact, as the event feed shows it. */
export interface ContactChange {
  readonly contact: Contact;
  readonly kind: EventKind;
  /** What changed, by name. It never has values of the contact. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly origin: RequestOrigin;
}

type Before = Pick<Contact, 'key' | 'type' | 'email' | 'mobile' | 'attributes' | 'listIds' | 'optedOut'>;

/**
 * The changes of contacts by the items of a batch, item by item, for the event feed. It compares a
 * contact before and after each item.
 *
 * Masked fields are never named. While the account has any, each item that counts as a change has a
 * `contact.updated`. Otherwise events would show whether a guessed value is right.
 */
export class ContactChanges {
  readonly all: ContactChange[] = [];
  readonly #registry: Pick<BatchAttributes, 'find' | 'created' | 'primaryKey'>;
  readonly #nameOfKey: ReadonlyMap<string, string | null>;
  readonly #hasMasks: boolean;
  readonly #created = new Set<Contact>();

  /** `attributes`: those that exist before the batch. */
  constructor(
    attributes: readonly { readonly key: string; readonly name: string; readonly dataMasking: string }[],
    registry: Pick<BatchAttributes, 'find' | 'created' | 'primaryKey'>,
  ) {
    this.#registry = registry;
    this.#hasMasks = attributes.some(({ dataMasking }) => dataMasking !== 'none');
    this.#nameOfKey = new Map(
      attributes.map(({ key, name, dataMasking }) => [key, dataMasking === 'none' ? name : null]),
    );
  }

  /** Returns the state of a contact before an item. Null: the item creates the contact. */
  before(contact: Contact): Before | null {
    if (contact.stored === null && !this.#created.has(contact)) {
      this.#created.add(contact);
      return null;
    }
    const { key, type, email, mobile, listIds, optedOut } = contact;
    return { key, type, email, mobile, listIds, optedOut, attributes: { ...contact.attributes } };
  }

  /** Adds what an item changed. */
  add(contact: Contact, before: Before | null, origin: RequestOrigin, outcome: Outcome): void {
    const push = (kind: EventKind, details: ContactChange['details'] = {}) =>
      this.all.push({ contact, kind, details, origin });
    if (contact.deleted) {
      push(contact.erased ? 'contact.erased' : 'contact.deleted');
      return;
    }
    const count = this.all.length;
    if (before === null) push('contact.created', { contact_type: contact.type });
    const listsBefore = before?.listIds ?? [];
    if (contact.listIds !== listsBefore) {
      for (const id of contact.listIds) if (!listsBefore.includes(id)) push('contact.joined_list', { list_id: id });
      for (const id of listsBefore) if (!contact.listIds.includes(id)) push('contact.left_list', { list_id: id });
    }
    for (const channel of optOutChannels) {
      const was = before?.optedOut[channel] ?? false;
      if (contact.optedOut[channel] === was) continue;
      push(was ? 'contact.opted_in' : 'contact.opted_out', { channel });
    }
    if (contact.type === 'confirmed' && before?.type !== 'confirmed') push('contact.confirmed');
    if (contact.type === 'blacklisted' && before?.type !== 'blacklisted') push('contact.blacklisted');
    if (before === null) return;
    if (before.type === 'blacklisted' && contact.type !== 'blacklisted') push('contact.unblacklisted');
    const fields = this.#changedFields(contact, before);
    const isChange = outcome === 'updated' && (this.#hasMasks || this.all.length === count);
    if (fields.length > 0 || isChange) push('contact.updated', { fields });
  }

  #changedFields(contact: Contact, before: Before): string[] {
    const fields: string[] = [];
    if (contact.key !== before.key && this.#isShown(this.#registry.primaryKey)) fields.push('identity');
    if (contact.type !== before.type) fields.push('contact_type');
    if (contact.email !== before.email && this.#isShown('EMAIL')) fields.push('email');
    if (contact.mobile !== before.mobile && this.#isShown('MOBILE')) fields.push('mobile');
    for (const key of new Set([...Object.keys(before.attributes), ...Object.keys(contact.attributes)])) {
      if (contact.attributes[key] === before.attributes[key]) continue;
      const name = this.#nameOf(key);
      if (name !== null) fields.push(`attributes.${name}`);
    }
    return fields;
  }

  #isShown(name: string): boolean {
    return (this.#registry.find(name)?.dataMasking ?? 'none') === 'none';
  }

  /** Null for a masked attribute. An attribute that the batch creates can be masked, too. */
  #nameOf(key: string): string | null {
    const known = this.#nameOfKey.get(key);
    if (known !== undefined) return known;
    const created = this.#registry.created.find((attribute) => attribute.key === key);
    return created === undefined || created.dataMasking !== 'none' ? null : created.name;
  }
}
