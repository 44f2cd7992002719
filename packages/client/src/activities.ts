import {
  batchesOf,
  charactersPerRequest,
  sendBatches,
  type Accepted,
  type BatchOptions,
  type Items,
} from './batches.ts';
import type { AccountConnection } from './transport/connection.ts';
import type { RecordActivitiesBody } from './wire/shapes.ts';

/** Something that was sent to a person, or that the person did, such as a click. */
export type NewActivity = RecordActivitiesBody['data'][number];

const limits = { items: 10_000, characters: charactersPerRequest };

/**
 * Records any number of activities, 10,000 per request.
 *
 * A request with an unknown outcome is repeated only if all its records have an `id`, because
 * repeating such records changes nothing. Other requests are repeated only after status 429.
 */
export async function recordActivities(
  account: AccountConnection,
  activities: Items<NewActivity>,
  options: Omit<BatchOptions, 'idempotencyKey'>,
): Promise<Accepted> {
  const { signal, wait } = options;
  return sendBatches(
    batchesOf(activities, limits),
    ({ items, json }) => {
      const repeat = items.every(({ id }) => id !== undefined) ? 'harmless' : 'unsafe';
      return account.call('recordActivities', { json: `{"data":${json}}`, signal, wait, repeat });
    },
    options,
  );
}
