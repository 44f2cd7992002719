import type { ContactType } from '@roster/contract';
import type { Contact } from './contact.ts';

/** What can move a contact from one type to another (decisions §3). */
export type MoveCause = 'identity' | 'verification' | 'opt-out' | 'opt-in' | 'block' | 'unblock';

/** The moves between contact types: for each cause, from which types it moves, and to which. Everything else is refused. */
export const moves: Readonly<
  Record<MoveCause, { readonly from: readonly ContactType[]; readonly to: ContactType | 'type before' }>
> = {
  identity: { from: ['anonymous'], to: 'identified' },
  verification: { from: ['unconfirmed'], to: 'confirmed' },
  'opt-out': { from: ['anonymous', 'identified', 'unconfirmed', 'confirmed'], to: 'blacklisted' },
  block: { from: ['anonymous', 'identified', 'unconfirmed', 'confirmed'], to: 'blacklisted' },
  'opt-in': { from: ['blacklisted'], to: 'type before' },
  unblock: { from: ['blacklisted'], to: 'type before' },
};

/** The type and the type before blacklisting of a contact. */
export interface TypeState {
  readonly type: ContactType;
  readonly before: ContactType | null;
}

/**
 * The state after a cause; the same state when the cause moves nothing from there.
 *
 * A blacklisted contact that gets an identity stays blacklisted, and returns to `identified` later instead of `anonymous`.
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

/** The type state of a contact. */
export function typeState(contact: Contact): TypeState {
  return { type: contact.type, before: contact.typeBeforeBlacklisting };
}
