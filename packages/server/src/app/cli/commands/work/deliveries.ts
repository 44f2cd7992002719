import type { Delivery, DeliveryDetail } from '@roster/client';
import { deliveryStatuses } from '@roster/contract';
import { given } from '#platform/given.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { writeListing, writeRecord, writeRows, type LimitOptions } from '../../terminal/records.ts';

interface FilterOptions extends LimitOptions {
  readonly status?: Delivery['status'];
}

/** Adds `roster deliveries` and `roster signing-secret`: callbacks and the secret that signs them. */
export function addDeliveryCommands(program: RosterCommand): void {
  const deliveries = program.command('deliveries').description('callbacks with all attempts to send them');
  const onOne = (name: string) => deliveries.command(name).argument('<delivery_id>', 'identifier of the delivery');

  deliveries
    .command('list')
    .limited()
    .choice('--status <status>', 'only deliveries of this status', deliveryStatuses)
    .described('list the newest deliveries', 'roster deliveries list --status failed')
    .onAccount<FilterOptions>(({ account, output, options: { limit, status } }) =>
      writeListing(output, given({ limit }), (page) => account.deliveries.list({ ...page, ...given({ status }) }), {
        DELIVERY: (one) => one.delivery_id,
        CREATED: (one) => one.created_at,
        SOURCE: (one) => one.source,
        STATUS: (one) => one.status,
        ATTEMPTS: (one) => one.attempts,
        URL: (one) => one.url,
      }),
    );

  onOne('show')
    .described('show a delivery with every attempt', 'roster deliveries show 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11')
    .onAccount<object, [string]>(async ({ account, output }, id) => {
      const found = await account.deliveries.get(id);
      if (output.json) return await writeRecord(output, found);
      const { attempt_log: attempts, ...rest } = found;
      await writeRecord(output, rest);
      await writeRows<DeliveryDetail['attempt_log'][number]>(output, attempts, {
        ATTEMPT: (one) => one.started_at,
        STATUS: (one) => one.status_code,
        ERROR: (one) => one.error?.message,
      });
    });

  onOne('replay')
    .described(
      'send a delivered or failed callback again',
      'roster deliveries replay 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11',
    )
    .onAccount<object, [string]>(async ({ account, output }, id) => {
      const again = await account.deliveries.replay(id);
      await output.result(again, () => `Delivery ${again.delivery_id} is ${again.status}.`);
    });

  const secret = program.command('signing-secret').description('the secret that signs callbacks');

  secret
    .command('show')
    .described('write the secret to standard output', 'roster signing-secret show')
    .onAccount(async ({ account, output }) => {
      const found = await account.signingSecret.get();
      await output.result(found, () => found.secret);
    });

  secret
    .command('rotate')
    .confirmed()
    .described(
      'make a new secret; callbacks are signed with both secrets for 24 hours',
      'roster signing-secret rotate --yes',
    )
    .onAccount(async ({ account, output, confirm }) => {
      await confirm(`Make a new signing secret for account ${account.accountId}?`);
      const made = await account.signingSecret.rotate();
      await output.result(made, () => made.secret);
      if (!output.json) await output.note(`The former secret works until ${made.previous?.expires_at ?? 'now'}.`);
    });
}
