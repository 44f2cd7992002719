import type { DeliveryDetail } from '@roster/contract';
import { sql } from 'kysely';
import { onTestFinished, vi } from 'vitest';
import type { Context } from '#platform/context.ts';
import { parseAllowList } from '#platform/config/allow-list.ts';
import { createDelivery, type NewDelivery } from '#features/callbacks/deliveries.ts';
import type { HostResolver } from '#features/callbacks/destination/resolve-host.ts';
import { until } from '../crash/wait.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

/** The id of the export that the deliveries of the tests report. */
export const sourceId = '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11';

/**
 * Resolves names under `.test` to this machine, and `inside.example.com` to a private address.
 * Other names do not exist.
 */
export const loopback: HostResolver = async (name) => {
  if (name.endsWith('.test')) return ['127.0.0.1'];
  if (name === 'inside.example.com') return ['10.0.0.1'];
  throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
};

/** Starts a service that may send callbacks to this machine. */
export async function startDeliveryService(options: Parameters<typeof startTestService>[0] = {}): Promise<TestService> {
  return startTestService({
    worker: false,
    resolveHost: loopback,
    ...options,
    config: {
      callbackAllow: parseAllowList('one.test,two.test,receiver.test,127.0.0.0/8'),
      ...options.config,
    },
  });
}

/** A POST of account 1 with a small body and no headers. `changes` replaces fields. */
export function callback(url: string, changes: Partial<NewDelivery> = {}): NewDelivery {
  return {
    accountId: 1,
    source: { kind: 'export', id: sourceId },
    method: 'POST',
    url,
    headers: [],
    body: { status: 'completed', name: 'ü' },
    ...changes,
  };
}

/** Creates a delivery of a {@link callback} in its own transaction, and returns its id. */
export async function deliver(context: Context, url: string, changes: Partial<NewDelivery> = {}): Promise<string> {
  return context.db.transaction().execute((trx) => createDelivery(trx, context, callback(url, changes)));
}

/** A delivery as operators see it. */
export async function deliveryOf(account: TestAccount, deliveryId: string): Promise<DeliveryDetail> {
  return (await account.operator('GET', `/deliveries/${deliveryId}`)).body as DeliveryDetail;
}

/** Waits until a delivery fulfils the condition `is`, and returns it. */
export async function waitForDelivery(
  account: TestAccount,
  deliveryId: string,
  is: (delivery: DeliveryDetail) => boolean,
): Promise<DeliveryDetail> {
  let seen: DeliveryDetail | undefined;
  try {
    return await until('a delivery as wanted', 25_000, async () => {
      seen = await deliveryOf(account, deliveryId);
      return is(seen) ? seen : undefined;
    });
  } catch (error) {
    throw new Error(`${String(error)}; it is ${JSON.stringify(seen)}`, { cause: error });
  }
}

/** Waits until this many attempts of a delivery have an outcome, and returns the delivery. */
export async function waitForAttempts(
  account: TestAccount,
  deliveryId: string,
  count: number,
): Promise<DeliveryDetail> {
  return waitForDelivery(
    account,
    deliveryId,
    ({ attempt_log }) => attempt_log.filter(({ duration_ms }) => duration_ms !== null).length >= count,
  );
}

/** Makes the random pauses of a test long, so that no attempt starts while the test looks. */
export function useLongPauses(): void {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.9);
  onTestFinished(() => random.mockRestore());
}

/** Ends the pause before the next attempt. */
export async function skipPause(context: Context, deliveryId: string): Promise<void> {
  await context.db
    .updateTable('deliveries')
    .where('delivery_id', '=', deliveryId)
    .where('status', '=', 'pending')
    .set({ next_attempt_at: sql<Date>`now() - interval '1 second'` })
    .execute();
  await sql`
    select roster_jobs.reschedule_jobs(array_agg(id), now()) from roster_jobs._private_jobs
    where payload->>'delivery_id' = ${deliveryId} and locked_at is null`.execute(context.db);
}

/** Deletes all deliveries and jobs of a test. */
export async function deleteDeliveries({ db }: Context): Promise<void> {
  await sql`truncate roster_jobs._private_jobs, deliveries, delivery_attempts`.execute(db);
}
