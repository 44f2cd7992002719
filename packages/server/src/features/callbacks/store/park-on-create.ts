import { attemptsPerAccount, attemptsPerReceiver } from './delivery-slots.ts';

/**
 * Tells of deliveries that one transaction makes, in their order, which of them get a job, and which are parked at once: those for which there
 * would be no place even if nobody else had any. Their jobs would only find that out, one after the other.
 *
 * None is parked without another one that has a job and the same account or receiver. That job runs when the transaction is committed, so the look
 * for others that wait, at the end of its attempt or after it was parked itself, sees all of them.
 */
export function firstPhases(
  deliveries: readonly { readonly accountId: number; readonly receiver: string }[],
): ('waiting' | 'parked')[] {
  const ofAccount = new Map<number, number>();
  const toReceiver = new Map<string, number>();
  return deliveries.map(({ accountId, receiver }) => {
    const account = ofAccount.get(accountId) ?? 0;
    const same = toReceiver.get(receiver) ?? 0;
    if (account >= attemptsPerAccount || same >= attemptsPerReceiver) return 'parked';
    ofAccount.set(accountId, account + 1);
    toReceiver.set(receiver, same + 1);
    return 'waiting';
  });
}
