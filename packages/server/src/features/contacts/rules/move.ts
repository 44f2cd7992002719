import { fail, type ItemFailure, type Outcome } from '#pipeline/operations/item-result.ts';
import type { BatchState } from '../batch/batch-state.ts';
import { move, setType, typeState, type MoveCause } from '../model/contact-type-moves.ts';
import { noteUnblocked } from '../model/opt-outs.ts';
import { touch } from './merge.ts';

/** Blocks or unblocks a contact for an operator. */
export function applyMove(
  state: BatchState,
  at: string,
  contactId: number,
  cause: Extract<MoveCause, 'block' | 'unblock'>,
  failures: ItemFailure[],
): Outcome {
  const [contact] = state.contacts.find({ by: 'id', value: contactId });
  if (contact === undefined) return fail(failures, { code: 'contact_not_found', field: 'contact_id' });
  state.history.touch(contact, cause);
  const moved = setType(contact, move(typeState(contact), cause));
  if (moved && cause === 'unblock') noteUnblocked(contact, at);
  return touch(state, contact, moved, at);
}
