/** What a contact is like, as far as its requests determine it. */
export interface ContactState {
  readonly exists: boolean;
  /** Number of the last request that named the contact; each one adds 1. A deletion keeps it, so that a number is never used twice. */
  readonly sequence: number;
}

/** A contact that one writer owns: nobody else sends requests for it, so its state is known at every moment. */
export interface OwnedContact {
  readonly identity: string;
  state: ContactState;
  /** A request without an answer names it: nothing more is sent for it until the state has been looked at. */
  isUncertain: boolean;
  /** Number given by the service, when it was seen and no deletion was sent since. */
  contactId: number | undefined;
}

/** A contact as a search shows it. */
export interface SeenContact {
  readonly contactId: number;
  readonly sequence: unknown;
  readonly note: unknown;
  readonly extra: unknown;
  /** Which of the two lists of the account. */
  readonly lists: readonly number[];
}

// Neighbouring numbers differ in one membership, so each request adds the contact to one list or removes it from one, and a request that
// is left out, repeated or out of its order leaves the contact in a wrong list.
const cycle: readonly (readonly number[])[] = [[], [0], [0, 1], [1]];

/** The lists (by their index, 0 or 1) that a contact is in after the request with a number. */
export function listsAt(sequence: number): readonly number[] {
  return cycle[sequence % cycle.length]!;
}

/** The attributes that the request with a number sets; null clears. */
export function attributesAt(identity: string, sequence: number): Record<string, string | number | null> {
  return { SEQ: sequence, NOTE: noteAt(identity, sequence), EXTRA: extraAt(sequence) };
}

const noteAt = (identity: string, sequence: number): string => `${identity} — № ${sequence}`;

const extraAt = (sequence: number): string | null => (sequence % 3 === 0 ? null : 'x'.repeat((sequence * 37) % 300));

/** True when nothing of the contact contradicts the state: no attribute and no membership of another request is mixed in. */
export function matches(identity: string, state: ContactState, seen: SeenContact | undefined): boolean {
  if (seen === undefined || !state.exists) return (seen !== undefined) === state.exists;
  return (
    seen.sequence === state.sequence &&
    seen.note === noteAt(identity, state.sequence) &&
    seen.extra === extraAt(state.sequence) &&
    seen.lists.length === listsAt(state.sequence).length &&
    listsAt(state.sequence).every((list) => seen.lists.includes(list))
  );
}

/** A state for people. */
export function stateText({ exists, sequence }: ContactState): string {
  return exists ? `SEQ ${sequence} in lists [${listsAt(sequence).join()}]` : 'no contact';
}

/** A contact for people. */
export function seenText(seen: SeenContact | undefined): string {
  return seen === undefined
    ? 'no contact'
    : `SEQ ${String(seen.sequence)} in lists [${seen.lists.join()}], NOTE ${String(seen.note)}`;
}
