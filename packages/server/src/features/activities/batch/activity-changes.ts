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
 * Collects, in order, the changes of a batch to the activities of an account: new activities, and activities that
 * move or go because their contact got another identity or was deleted.
 */
export class ActivityChanges {
  #recorded: NewActivity[] = [];
  readonly #moves = new Map<string, string | null>();
  readonly #targets = new Set<string | null>();

  /** The activities to store, in the order of their requests. */
  get recorded(): readonly NewActivity[] {
    return this.#recorded;
  }

  /** Contact keys whose stored activities move to another key after the batch, or to null when the contact was deleted. */
  get moves(): ReadonlyMap<string, string | null> {
    return this.#moves;
  }

  /** Records an activity. */
  record(activity: NewActivity): void {
    this.#recorded.push(activity);
  }

  /** The contact has another identity: its activities follow it. */
  rename(from: string, to: string): void {
    // Nothing can be recorded for a contact that has no identity.
    if (from.startsWith(anonymousPrefix)) return;
    for (const activity of this.#recorded) if (activity.key === from) activity.key = to;
    this.#move(from, to);
  }

  /** The contact was deleted, and its activities with it. */
  forget(key: string): void {
    if (key.startsWith(anonymousPrefix)) return;
    this.#recorded = this.#recorded.filter((activity) => activity.key !== key);
    this.#move(key, null);
  }

  #move(from: string, to: string | null): void {
    if (this.#targets.has(from)) {
      for (const [source, target] of this.#moves) if (target === from) this.#moves.set(source, to);
    }
    this.#targets.add(to);
    // What was stored under a key that has moved before is no longer there; entries stay for that, even those that have come back.
    if (!this.#moves.has(from)) this.#moves.set(from, to);
  }
}
