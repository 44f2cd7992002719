import { anonymousPrefix } from '@roster/contract';
import type { LoggedRecord } from '../record/logged-record.ts';

/** An activity that a batch records. */
export interface NewActivity {
  /** The contact key. It changes when the contact gets another identity later in the batch. */
  key: string;
  /** Index of its request in the batch. */
  readonly request: number;
  /** When it happened, in milliseconds since 1970. */
  readonly occurredAt: number;
  readonly record: LoggedRecord;
}

/**
 * Collects the changes of a batch to the activities of an account, in order: new activities, and
 * keys whose activities must move or be deleted, because their contact got another identity or was
 * deleted.
 */
export class ActivityChanges {
  #recorded: NewActivity[] = [];
  readonly #moves = new Map<string, string | null>();
  readonly #targets = new Set<string | null>();

  /** The activities to store, in the order of their requests. */
  get recorded(): readonly NewActivity[] {
    return this.#recorded;
  }

  /** The moves of stored activities: from old key to new key, or to null for a deleted contact. */
  get moves(): ReadonlyMap<string, string | null> {
    return this.#moves;
  }

  record(activity: NewActivity): void {
    this.#recorded.push(activity);
  }

  /** Moves the activities of a contact that got another identity. */
  changeKey(from: string, to: string): void {
    // Contacts without an identity have no activities.
    if (from.startsWith(anonymousPrefix)) return;
    for (const activity of this.#recorded) if (activity.key === from) activity.key = to;
    this.#move(from, to);
  }

  /** Deletes the activities of a deleted contact. */
  deleteKey(key: string): void {
    if (key.startsWith(anonymousPrefix)) return;
    this.#recorded = this.#recorded.filter((activity) => activity.key !== key);
    this.#move(key, null);
  }

  #move(from: string, to: string | null): void {
    if (this.#targets.has(from)) {
      for (const [source, target] of this.#moves) if (target === from) this.#moves.set(source, to);
    }
    this.#targets.add(to);
    // The stored activities left this key with its first move, so a later move of the key has none.
    // An entry stays even when its target is its own key again: the next move may change that.
    if (!this.#moves.has(from)) this.#moves.set(from, to);
  }
}
