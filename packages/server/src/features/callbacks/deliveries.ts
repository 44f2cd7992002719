import type { CallbackMethod, DeliverySource } from '@roster/contract';
import { writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { type ApiError, conflict, notFound } from '#platform/errors/api-error.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { bareHost } from '#platform/config/allow-list.ts';
import type { CallbackHeader } from './destination/callback-headers.ts';
import {
  findDelivery,
  insertDeliveries,
  listAttempts,
  lockDelivery,
  restartDelivery,
  type DeliveryAttemptRow,
  type DeliveryRow,
} from './store/delivery-store.ts';
import { urlWithQuery } from './destination/query-callback.ts';

/** A callback to send. */
export interface NewDelivery {
  readonly accountId: number;
  /** What the callback reports: the `request_id` of an export, or the id of a batch job. */
  readonly source: { readonly kind: DeliverySource; readonly id: string };
  readonly method: CallbackMethod;
  /** Checked by `checkCallbackUrl`. */
  readonly url: string;
  /** The caller's headers, checked by `checkCallbackHeaders`. */
  readonly headers: readonly CallbackHeader[];
  /** Sent as JSON, or as the query of a GET callback. */
  readonly body: object;
}

/** The parts of the context that creating deliveries needs. */
type DeliveryTools = Pick<Context, 'now' | 'newId'>;

/**
 * Creates a delivery in the transaction that causes it, and returns its id. After the commit it is
 * sent at least once, and retried for 24 hours until the receiver responds with 2xx.
 */
export async function createDelivery(trx: Database, context: DeliveryTools, delivery: NewDelivery): Promise<string> {
  const [deliveryId] = await createDeliveries(trx, context, [delivery]);
  return deliveryId!;
}

/** Creates deliveries like {@link createDelivery}, and returns their ids. */
export async function createDeliveries(
  trx: Database,
  { newId, now }: DeliveryTools,
  deliveries: readonly NewDelivery[],
): Promise<string[]> {
  const at = now();
  const rows = deliveries.map(({ accountId, source, method, url, headers, body }) => ({
    account_id: accountId,
    delivery_id: newId(),
    source: source.kind,
    source_id: source.id,
    method,
    url: method === 'GET' ? urlWithQuery(url, body) : url,
    receiver: receiverOf(new URL(url)),
    headers: JSON.stringify(headers.map(({ name, value }) => [name, value])),
    body: method === 'GET' ? '' : JSON.stringify(body),
    cycle_started_at: at,
    created_at: at,
  }));
  await insertDeliveries(trx, rows);
  return rows.map((row) => row.delivery_id);
}

/**
 * Returns the host and port of a callback. The number of concurrent attempts to each is limited.
 */
function receiverOf(url: URL): string {
  return `${bareHost(url.hostname)}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;
}

/**
 * Sends a finished delivery again for an operator, with the same `X-Roster-Delivery` and another 24
 * hours of attempts. Throws `not_found`, and `conflict` while the delivery is pending.
 */
export async function replayDelivery(
  context: Context,
  accountId: number,
  deliveryId: string,
  author: Author,
): Promise<DeliveryRow> {
  return context.db.transaction().execute(async (trx) => {
    const before = await lockDelivery(trx, accountId, deliveryId);
    if (before === undefined) throw unknownDelivery(accountId, deliveryId);
    if (before.status === 'pending') {
      throw conflict('The delivery is pending. It is sent without a replay.');
    }
    const delivery = await restartDelivery(trx, accountId, deliveryId, context.now());
    await addJob(trx, 'deliver', { account_id: accountId, delivery_id: deliveryId });
    await writeAudit(trx, context, {
      accountId,
      actor: author,
      action: 'delivery.replay',
      subject: `delivery:${deliveryId}`,
      details: { status: before.status, attempts: before.attempts },
    });
    return delivery;
  });
}

/** Returns a delivery and its attempts, read in one snapshot. Throws `not_found`. */
export async function deliveryWithAttempts(
  { db }: Pick<Context, 'db'>,
  accountId: number,
  deliveryId: string,
): Promise<{ delivery: DeliveryRow; attempts: DeliveryAttemptRow[] }> {
  // Without a snapshot, an attempt that ends between the two statements could appear in only one.
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute(async (trx) => {
    const delivery = await findDelivery(trx, accountId, deliveryId);
    if (delivery === undefined) throw unknownDelivery(accountId, deliveryId);
    return { delivery, attempts: await listAttempts(trx, accountId, deliveryId) };
  });
}

function unknownDelivery(accountId: number, deliveryId: string): ApiError {
  return notFound(`delivery ${deliveryId} in account ${accountId}`);
}
