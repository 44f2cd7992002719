import type { ContactType } from '@roster/contract';
import type { Contact } from './contact.ts';

/** The causes that can move a contact from one type to another. */
export type MoveCause = 'identity' | 'verification' | 'opt-out' | 'opt-in' | 'block' | 'unblock';

interface Move {
  /** The party that can cause the move. */
  readonly by: 'a caller' | 'the contact' | 'a caller or the contact';
  readonly from: readonly ContactType[];
  readonly to: ContactType | 'type before';
}

const reachable = ['anonymous', 'identified', 'unconfirmed', 'confirmed'] as const;

/**
 * All permitted moves between contact types, by cause. Every other move is refused.
 * A test compares this table with docs/lifecycle.md.
 */
export const moves: Readonly<Record<MoveCause, Move>> = {
  identity: { by: 'a caller', from: ['anonymous'], to: 'identified' },
  verification: { by: 'the contact', from: ['unconfirmed'], to: 'confirmed' },
  'opt-out': { by: 'a caller or the contact', from: reachable, to: 'blacklisted' },
  'opt-in': { by: 'a caller or the contact', from: ['blacklisted'], to: 'type before' },
  block: { by: 'a caller', from: reachable, to: 'blacklisted' },
  unblock: { by: 'a caller', from: ['blacklisted'], to: 'type before' },
};

/** The type of a contact, and the type that it had before it was blacklisted. */
export interface TypeState {
  readonly type: ContactType;
  readonly before: ContactType | null;
}

/**
 * Returns the state after a move, or the same state when the cause does not apply to it.
 *
 * An anonymous contact that was blacklisted stays blacklisted when it gets an identity.
 * When it leaves the blacklist, it becomes `identified` instead of `anonymous`.
 */
export function move(state: TypeState, cause: MoveCause): TypeState {
  const rule = moves[cause];
  if (cause === 'identity' && state.type === 'blacklisted' && state.before === 'anonymous') {
    return { type: 'blacklisted', before: 'identified' };
  }
  if (!rule.from.includes(state.type)) return state;
  if (rule.to === 'type before') return { type: state.before ?? 'identified', before: null };
  return { type: rule.to, before: rule.to === 'blacklisted' ? state.type : null };
}

/** Reads the type state of a contact. */
export function typeState(contact: Contact): TypeState {
  return { type: contact.type, before: contact.typeBeforeBlacklisting };
}

/** Sets the type state of a contact. Returns true when it changed. */
export function setType(contact: Contact, { type, before }: TypeState): boolean {
  if (type === contact.type && before === contact.typeBeforeBlacklisting) return false;
  contact.type = type;
  contact.typeBeforeBlacklisting = before;
  return true;
}
