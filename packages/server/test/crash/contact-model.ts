/** The state of a contact that its requests determine. */
export interface ContactState {
  readonly exists: boolean;
  /**
   * The number of the last request that named the contact. Each request adds 1. A delete keeps the
   * number, so no number is used twice.
   */
  readonly sequence: number;
}

/**
 * A contact of one writer. No other writer sends requests for it, so its state is known at every
 * moment.
 */
export interface OwnedContact {
  readonly identity: string;
  state: ContactState;
  /**
   * A request without an answer names the contact. Nothing more is sent for it until its state is
   * checked.
   */
  isUncertain: boolean;
  /** The contact_id, if it was seen and no delete was sent since. */
  contactId: number | undefined;
}

/** A contact as a search shows it. */
export interface SeenContact {
  readonly contactId: number;
  readonly sequence: unknown;
  readonly note: unknown;
  readonly extra: unknown;
  /** The indexes of the lists that it is in: 0 or 1. */
  readonly lists: readonly number[];
}

// Successive numbers differ in one membership, so each request adds the contact to one list or
// removes it from one. A request that is lost, repeated or out of order leaves the contact in a
// wrong list.
const cycle: readonly (readonly number[])[] = [[], [0], [0, 1], [1]];

/** The lists (by index, 0 or 1) of a contact after the request with this number. */
export function listsAt(sequence: number): readonly number[] {
  return cycle[sequence % cycle.length]!;
}

/** The attributes that the request with this number sets. Null clears an attribute. */
export function attributesAt(identity: string, sequence: number): Record<string, string | number | null> {
  return { SEQ: sequence, NOTE: noteAt(identity, sequence), EXTRA: extraAt(sequence) };
}

const noteAt = (identity: string, sequence: number): string => `${identity} — № ${sequence}`;

const extraAt = (sequence: number): string | null => (sequence % 3 === 0 ? null : 'x'.repeat((sequence * 37) % 300));

/**
 * Whether the contact has exactly the state, with no attribute or membership of another request.
 */
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

/** Describes a state in a report. */
export function stateText({ exists, sequence }: ContactState): string {
  return exists ? `SEQ ${sequence} in lists [${listsAt(sequence).join()}]` : 'no contact';
}

/** Describes a contact in a report. */
export function seenText(seen: SeenContact | undefined): string {
  return seen === undefined
    ? 'no contact'
    : `SEQ ${String(seen.sequence)} in lists [${seen.lists.join()}], NOTE ${String(seen.note)}`;
}
