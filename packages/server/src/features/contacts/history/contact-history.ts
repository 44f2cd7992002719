import { anonymousPrefix, optOutChannels, type ContactEventKind, type ContactType } from '@roster/contract';
import type { Outcome } from '#pipeline/operations/item-result.ts';
import type { RequestOrigin } from '#pipeline/operations/operation.ts';
import type { Tally } from '#pipeline/operations/tally.ts';
import type { Contact } from '../model/contact.ts';
import type { MoveCause } from '../model/contact-type-moves.ts';
import type { AttributesBefore } from './attributes-before.ts';
import type { ContactChanges } from './contact-changes.ts';

/** A change of a contact that its row does not keep. */
export interface ContactEvent {
  readonly contact: Contact;
  readonly kind: ContactEventKind;
  readonly details: Readonly<Record<string, string | null>>;
  readonly origin: RequestOrigin;
}

/**
 * What the items of a batch do to contacts, for their history: which requests touched them, and the
 * changes of their types, identities and opt-outs.
 *
 * It compares a contact before and after an item. So the rules need not report what they change.
 */
export class ContactHistory {
  readonly events: ContactEvent[] = [];
  readonly #touched = new Map<number, Contact[]>();
  #request = 0;
  #origin: RequestOrigin | undefined;
  #contact: Contact | undefined;
  #before: Pick<Contact, 'key' | 'type' | 'optedOut'> | undefined;
  #cause: MoveCause | undefined;
  #activity: string | undefined;
  #changeBefore: ReturnType<ContactChanges['before']> = null;
  /** Undefined when the account wants no events. */
  readonly changes: ContactChanges | undefined;

  /** Undefined when the account has no live segments. */
  readonly attributesBefore: AttributesBefore | undefined;

  /**
   * `changes`: records what the event feed shows. Absent: the account wants no events.
   * `attributesBefore`: keeps values for live segments. Absent: the account has none.
   */
  constructor(changes?: ContactChanges, attributesBefore?: AttributesBefore) {
    this.changes = changes;
    this.attributesBefore = attributesBefore;
  }

  /** Begins an item of the request with this index in the batch. */
  begin(request: number, origin: RequestOrigin): void {
    this.#request = request;
    this.#origin = origin;
    this.#contact = undefined;
    this.#cause = undefined;
    this.#activity = undefined;
  }

  /**
   * Notes the contact of the present item. Call it before the item changes the contact. `cause` is
   * only necessary when the changes do not show it.
   */
  touch(contact: Contact, cause?: MoveCause): void {
    if (this.#contact === contact) return;
    this.#watch(contact);
    this.#cause = cause;
    const touched = this.#touched.get(this.#request);
    if (touched === undefined) this.#touched.set(this.#request, [contact]);
    else touched.push(contact);
  }

  /**
   * Notes a contact that an activity may opt out. The request does not count as one that touched
   * it: the history of the contact has the activity itself.
   */
  watchActivity(contact: Contact, activity: string): void {
    this.#watch(contact);
    this.#activity = activity;
  }

  /** Ends an item: finds what it changed. */
  end(outcome: Outcome): void {
    const [contact, before] = [this.#contact, this.#before];
    if (contact === undefined || before === undefined) return;
    this.changes?.add(contact, this.#changeBefore, this.#origin!, outcome);
    if (contact.deleted) return;
    if (contact.key !== before.key) {
      this.#add('identity_changed', { from: identityOf(before.key), to: identityOf(contact.key) });
    }
    if (contact.optedOut !== before.optedOut) {
      for (const channel of optOutChannels) {
        if (contact.optedOut[channel] === before.optedOut[channel]) continue;
        this.#add(contact.optedOut[channel] ? 'opted_out' : 'opted_in', { channel });
      }
    }
    if (contact.type !== before.type) {
      const cause = this.#cause ?? causeOf(before.type, contact.type);
      this.#add('type_changed', { from: before.type, to: contact.type, cause });
    }
  }

  /** Adds the contacts that each request touched. Call it when new contacts have their numbers. */
  addTouched(tally: Tally): void {
    for (const [request, contacts] of this.#touched) {
      // A contact that the batch created and deleted never had a number.
      const ids = contacts.flatMap(({ id }) => (id > 0 ? id : []));
      if (ids.length > 0) tally.touched(request, ids);
    }
  }

  #watch(contact: Contact): void {
    this.#contact = contact;
    this.attributesBefore?.note(contact);
    if (this.changes !== undefined) this.#changeBefore = this.changes.before(contact);
    this.#before = { key: contact.key, type: contact.type, optedOut: contact.optedOut };
  }

  #add(kind: ContactEventKind, details: Readonly<Record<string, string | null>>): void {
    const activity = this.#activity === undefined ? {} : { activity: this.#activity };
    this.events.push({ contact: this.#contact!, kind, details: { ...details, ...activity }, origin: this.#origin! });
  }
}

/** Returns the cause of a move between types, unless an operator caused it. */
function causeOf(from: ContactType, to: ContactType): MoveCause {
  if (to === 'blacklisted') return 'opt-out';
  if (from === 'blacklisted') return 'opt-in';
  return to === 'confirmed' ? 'verification' : 'identity';
}

/** Null for an anonymous contact. */
function identityOf(key: string): string | null {
  return key.startsWith(anonymousPrefix) ? null : key;
}
