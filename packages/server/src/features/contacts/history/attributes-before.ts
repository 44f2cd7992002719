import type { StoredValue } from '#features/registry/registry.ts';
import type { Contact } from '../model/contact.ts';

/**
 * The values that some attributes of contacts had before the batch. The working set does not keep
 * all stored attributes, to save memory.
 */
export class AttributesBefore {
  readonly #keys: readonly string[];
  readonly #values = new Map<Contact, readonly (StoredValue | undefined)[]>();

  /** `keys`: the keys of the attributes. */
  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  /** Notes a contact. Call it before an item changes the contact. Only the first call counts. */
  note(contact: Contact): void {
    if (contact.stored === null || this.#values.has(contact)) return;
    this.#values.set(
      contact,
      this.#keys.map((key) => contact.attributes[key]),
    );
  }

  /** Returns the keys of the attributes whose values differ now. All, if the contact was not noted. */
  changedKeys(contact: Contact): readonly string[] {
    const before = this.#values.get(contact);
    if (before === undefined) return this.#keys;
    return this.#keys.filter((key, at) => contact.attributes[key] !== before[at]);
  }
}
