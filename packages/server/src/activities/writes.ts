import { databaseOn } from '../db/database.ts';
import type { Write } from '../contacts/save.ts';
import type { Tally } from '../requests/tally.ts';
import { copyActivities, findStored } from './activity-store.ts';
import type { NewActivity } from './activity.ts';
import type { ActivityLedger } from './ledger.ts';
import { monthOfText } from './month.ts';
import { noteMoves } from './move-store.ts';
import { settleMoves } from './moves.ts';
import { makePartitions } from './partition-store.ts';

/** What a batch does to the activities, ready to be sent on the connection that holds the lane. Repeated records become `unchanged` in the tally. */
export function activityWrites(accountId: number, ledger: ActivityLedger, tally: Tally): Write[] {
  const { moves, recorded } = ledger;
  return [
    ...(moves.size === 0 ? [] : ([(client) => noteMoves(databaseOn(client), accountId, moves)] satisfies Write[])),
    ...(recorded.length === 0 ? [] : [storing(accountId, recorded, tally)]),
  ];
}

function storing(accountId: number, recorded: readonly NewActivity[], tally: Tally): Write {
  return async (client) => {
    const db = databaseOn(client);
    await makePartitions(db, new Set(recorded.map((one) => monthOfText(one.occurredAt))));
    await settleMoves(db, accountId, new Set(recorded.map((one) => one.key)));
    const distinct = withoutRepeats(recorded);
    const stored = new Set(await findStored(client, accountId, distinct));
    const fresh = stored.size === 0 ? distinct : distinct.filter((one) => !stored.has(one));
    const kept = new Set(fresh);
    for (const one of recorded) if (!kept.has(one)) tally.recount(one.request, 'created', 'unchanged');
    if (fresh.length > 0) await copyActivities(client, accountId, fresh);
  };
}

/** The activities without those that repeat one before them in the batch. */
function withoutRepeats(recorded: readonly NewActivity[]): readonly NewActivity[] {
  const seen = new Set<string>();
  return recorded.filter((one) => {
    if (one.recordId === null) return true;
    const size = seen.size;
    seen.add(`${one.recordId} ${one.channel} ${one.occurredAt} ${one.key}`);
    return seen.size > size;
  });
}
