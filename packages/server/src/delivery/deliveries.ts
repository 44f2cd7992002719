import type { CallbackMethod, DeliverySource } from '@roster/contract';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { addJob } from '../jobs/jobs.ts';
import { bareHost } from './allow-list.ts';
import type { CallbackHeader } from './callback-headers.ts';
import { insertDelivery } from './delivery-store.ts';

/** A callback to send. */
export interface NewDelivery {
  readonly accountId: number;
  /** What it tells about: the `request_id` of an export, or the id of a batch job. */
  readonly source: { readonly kind: DeliverySource; readonly id: string };
  readonly method: CallbackMethod;
  /** As `checkCallbackUrl` let it pass. */
  readonly url: string;
  /** The caller's headers, as `checkCallbackHeaders` let them pass. */
  readonly headers: readonly CallbackHeader[];
  /** Sent as JSON. */
  readonly body: object;
}

/**
 * Makes a delivery in the transaction that causes it, and answers its id. It is sent once the transaction is committed, at least once, and
 * tried again for 24 hours until the receiver answers with 2xx (decisions §5).
 */
export async function createDelivery(
  trx: Database,
  context: Pick<Context, 'now' | 'newId'>,
  { accountId, source, method, url, headers, body }: NewDelivery,
): Promise<string> {
  const deliveryId = context.newId();
  await insertDelivery(trx, {
    accountId,
    deliveryId,
    source: source.kind,
    sourceId: source.id,
    method,
    url,
    receiver: receiverOf(new URL(url)),
    headers,
    body: JSON.stringify(body),
    createdAt: context.now(),
  });
  await addJob(trx, 'deliver', { account_id: accountId, delivery_id: deliveryId });
  return deliveryId;
}

/** Who gets a callback, for the limit of attempts at the same time: host and port. */
function receiverOf(url: URL): string {
  return `${bareHost(url.hostname)}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;
}
