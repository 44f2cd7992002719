import { anonymousPrefix } from '@roster/contract';
import { RecordedActivities, type NewActivity } from './recorded.ts';

/**
 * What a batch does to the activities of an account, in order: the ones that it records, and what becomes of those that contacts have
 * when contacts get other identities or are deleted.
 */
export class ActivityLedger {
  /** The activities to store. */
  readonly recorded = new RecordedActivities();
  readonly #moves = new Map<string, string | null>();
  readonly #targets = new Set<string | null>();

  /** Whose activities stored before the batch belong to another key after it; to none (null) when the contact was deleted. */
  get moves(): ReadonlyMap<string, string | null> {
    return this.#moves;
  }

  /** Records an activity. */
  record(activity: NewActivity): void {
    this.recorded.add(activity);
  }

  /** The contact has another identity: its activities follow it. */
  rename(from: string, to: string): void {
    // Nothing can be recorded for a contact that has no identity.
    if (from.startsWith(anonymousPrefix)) return;
    this.recorded.move(from, to);
    this.#move(from, to);
  }

  /** The contact was deleted, and its activities with it. */
  forget(key: string): void {
    if (key.startsWith(anonymousPrefix)) return;
    this.recorded.move(key, null);
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
