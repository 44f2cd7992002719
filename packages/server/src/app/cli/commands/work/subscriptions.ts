import type { CreateEventSubscriptionBody, EventDelivery, UpdateEventSubscriptionBody } from '@roster/client';
import { eventDeliveryStatuses } from '@roster/contract';
import type { RosterCommand } from '../../terminal/command.ts';
import { CommandError, exitCodes } from '../../terminal/exit-codes.ts';
import { fileOrInput, readObject } from '../../terminal/input.ts';
import { writeAll, writeListing, writeRecord, type LimitOptions } from '../../terminal/records.ts';
import { readPosition } from './events.ts';

/** Adds `roster subscriptions`: receivers of the events of an account. */
export function addSubscriptionCommands(program: RosterCommand): void {
  const { terminal } = program;
  const subscriptions = program.command('subscriptions').description('receivers of events');
  const onOne = (name: string) =>
    subscriptions.command(name).argument('<subscription_id>', 'identifier of the subscription');
  const id = '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11';

  subscriptions
    .command('list')
    .described('list the subscriptions with their lag', 'roster subscriptions list')
    .onAccount(({ account, output }) =>
      writeAll(output, (page) => account.eventSubscriptions.list(page), {
        SUBSCRIPTION: (one) => one.subscription_id,
        NAME: (one) => one.name,
        STATUS: (one) => one.status,
        'LAG (EVENTS)': (one) => one.lag.events,
        'LAG (SECONDS)': (one) => one.lag.seconds,
        'DEAD LETTERS': (one) => one.dead_letters,
      }),
    );

  onOne('show')
    .described('show a subscription', `roster subscriptions show ${id} --json`)
    .onAccount<object, [string]>(async ({ account, output }, subscriptionId) =>
      writeRecord(output, await account.eventSubscriptions.get(subscriptionId)),
    );

  subscriptions
    .command('create')
    .argument('[file]', `JSON, as in docs/contract/event-subscriptions.md: ${fileOrInput}`)
    .described(
      'create a subscription from JSON, and show its secret once',
      `echo '{"name": "Warehouse", "url": "https://hooks.example.com/events"}' | roster subscriptions create`,
    )
    .onAccount<object, [string | undefined]>(async ({ account, output }, file) => {
      const made = await account.eventSubscriptions.create(
        await readObject<CreateEventSubscriptionBody>(terminal, file),
      );
      await output.result(
        made,
        () => `Created the subscription ${made.subscription_id}. Its secret is shown only now:\n${made.secret}`,
      );
    });

  onOne('update')
    .argument('[file]', `JSON with the fields to change: ${fileOrInput}`)
    .described(
      'change a subscription; fields that are absent stay',
      `echo '{"kinds": ["contact.created"]}' | roster subscriptions update ${id}`,
    )
    .onAccount<object, [string, string | undefined]>(async ({ account, output }, subscriptionId, file) => {
      const change = await readObject<UpdateEventSubscriptionBody>(terminal, file);
      await writeRecord(output, await account.eventSubscriptions.update(subscriptionId, change));
    });

  for (const [name, paused, description] of [
    ['pause', true, 'stop sending events'],
    ['resume', false, 'send events again, from the last delivered one'],
  ] as const) {
    onOne(name)
      .described(description, `roster subscriptions ${name} ${id}`)
      .onAccount<object, [string]>(async ({ account, output }, subscriptionId) =>
        writeRecord(output, await account.eventSubscriptions.update(subscriptionId, { paused })),
      );
  }

  onOne('delete')
    .confirmed()
    .described('delete a subscription and its dead letters', `roster subscriptions delete ${id} --yes`)
    .onAccount<object, [string]>(async ({ account, output, confirm }, subscriptionId) => {
      await confirm(`Delete the subscription ${subscriptionId}?`);
      await account.eventSubscriptions.delete(subscriptionId);
      await output.result(
        { subscription_id: subscriptionId, deleted: true },
        () => `Deleted the subscription ${subscriptionId}.`,
      );
    });

  onOne('rotate-secret')
    .confirmed()
    .described(
      'make a new secret; the old one stays valid for 24 hours',
      `roster subscriptions rotate-secret ${id} --yes`,
    )
    .onAccount<object, [string]>(async ({ account, output, confirm }, subscriptionId) => {
      await confirm(`Make a new secret for the subscription ${subscriptionId}?`);
      const rotated = await account.eventSubscriptions.rotateSecret(subscriptionId);
      await output.result(
        rotated,
        () =>
          `The old secret is valid until ${rotated.previous_expires_at}. The new one is shown only now:\n${rotated.secret}`,
      );
    });

  onOne('replay')
    .confirmed()
    .requiredOption('--after <position>', 'the next event is the one after this position', readPosition)
    .described(
      'send events again from a position, or leave events out',
      `roster subscriptions replay ${id} --after 1200 --yes`,
    )
    .onAccount<{ readonly after: number }, [string]>(async ({ account, output, options, confirm }, subscriptionId) => {
      await confirm(`Send the events after ${options.after} to ${subscriptionId}?`);
      await writeRecord(output, await account.eventSubscriptions.replay(subscriptionId, options.after));
    });

  onOne('test')
    .described('send a test event, and show the response of the receiver', `roster subscriptions test ${id}`)
    .onAccount<object, [string]>(async ({ account, output }, subscriptionId) => {
      const tested = await account.eventSubscriptions.test(subscriptionId);
      await writeRecord(output, tested);
      if (!tested.delivered) throw new CommandError(exitCodes.failed, 'The test event was not delivered.');
    });

  onOne('deliveries')
    .limited()
    .choice('--status <status>', 'only deliveries of this status', eventDeliveryStatuses)
    .described(
      'list deliveries, newest first; failed ones are dead letters',
      `roster subscriptions deliveries ${id} --status failed`,
    )
    .onAccount<LimitOptions & { readonly status?: EventDelivery['status'] }, [string]>(
      ({ account, output, options }, subscriptionId) =>
        writeListing(
          output,
          options,
          (page) =>
            account.eventSubscriptions.deliveries(subscriptionId, {
              ...page,
              ...(options.status === undefined ? {} : { status: options.status }),
            }),
          {
            DELIVERY: (one) => one.delivery_id,
            FROM: (one) => one.first_position,
            TO: (one) => one.last_position,
            EVENTS: (one) => one.events,
            STATUS: (one) => one.status,
            ATTEMPTS: (one) => one.attempts,
            ERROR: (one) => one.error?.code,
            'NEXT ATTEMPT': (one) => one.next_attempt_at,
          },
        ),
    );

  onOne('replay-delivery')
    .argument('<delivery_id>', 'identifier of the dead letter')
    .described(
      'send a dead letter again',
      `roster subscriptions replay-delivery ${id} 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a12`,
    )
    .onAccount<object, [string, string]>(async ({ account, output }, subscriptionId, deliveryId) =>
      writeRecord(output, await account.eventSubscriptions.replayDelivery(subscriptionId, deliveryId)),
    );
}
