import { expect, test } from 'vitest';
import { startReceiver } from '../callbacks/receiver.ts';
import { follow } from '../live-segments/support.ts';
import { forFile } from '../support/for-file.ts';
import type { TestAccount } from '../support/service.ts';
import {
  accountWithEvents,
  create,
  eventsAt,
  startSendingService,
  subscribe,
  update,
  waitUntilSent,
} from './support.ts';

const service = await forFile(startSendingService());

const inUlm = { field: 'CITY', operation: 'equals', value: ['Ulm'] };
const isAda = { field: 'identity', operation: 'equals', value: ['ada@example.com'] };

/** Creates a live segment, and fills it. Returns its id. */
async function liveSegment(account: TestAccount, name: string, condition: object): Promise<number> {
  const filtering_criteria = [{ condition_details: [condition] }];
  const { body } = await account.operator('POST', '/segments', { name, live: true, filtering_criteria });
  await follow(service.context, account.accountId);
  return body.audience_id;
}

const people = (count: number) => Array.from({ length: count }, (_, at) => ({ identity: `p${at}@example.com` }));

test('contacts that enter and leave a live segment are sent, and only these', async () => {
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver();
  const segmentId = await liveSegment(account, 'In Ulm', inUlm);
  const { subscription_id: id } = await subscribe(account, receiver, {
    kinds: ['contact.entered_segment', 'contact.left_segment'],
    fields: ['EMAIL', 'CITY'],
  });
  await create(account, ...people(2));
  for (const CITY of ['Ulm', 'Bonn']) {
    await update(account, { identity: 'p1@example.com', attributes: { CITY } });
    await follow(service.context, account.accountId);
    await waitUntilSent(service.context, account, id);
  }
  const details = { segment_id: segmentId, cause: 'changed' };
  const contactOf = (CITY: string) => ({ contact: { EMAIL: 'p1@example.com', CITY } });
  expect(eventsAt(receiver)).toMatchObject([
    { kind: 'contact.entered_segment', details, ...contactOf('Ulm') },
    { kind: 'contact.left_segment', details, ...contactOf('Bonn') },
  ]);
});

test('a filter on a segment lets its entries and departures pass, and the other conditions still choose', async () => {
  const account = await accountWithEvents(service);
  await using receivers = new AsyncDisposableStack();
  const ofUlm = await liveSegment(account, 'In Ulm', inUlm);
  const ofAda = await liveSegment(account, 'Ada', isAda);
  const isIn = (...ids: number[]) => ({
    field: 'segment_id',
    field_category: 'audience',
    operation: 'equals',
    value: ids,
  });
  const and = (...conditions: object[]) => [{ condition_operator: 'and', condition_details: conditions }];
  const or = (...conditions: object[]) => [{ condition_operator: 'or', condition_details: conditions }];
  const filters = {
    segment: and(isIn(ofUlm)),
    either: and(isIn(ofAda, ofUlm)),
    segmentAndAda: and(isIn(ofUlm), isAda),
    segmentOrAda: or(isIn(ofUlm), isAda),
    other: and(isIn(ofAda)),
    notSegment: and({ ...isIn(ofUlm), operation: 'not_equals' }),
  };
  const sent = new Map<string, () => unknown[]>();
  const ids: string[] = [];
  for (const [name, filtering_criteria] of Object.entries(filters)) {
    const receiver = receivers.use(await startReceiver());
    const { subscription_id: id } = await subscribe(account, receiver, {
      kinds: ['contact.entered_segment', 'contact.left_segment'],
      filter: { filtering_criteria },
      fields: ['identity'],
    });
    ids.push(id);
    sent.set(name, () =>
      eventsAt(receiver)
        .filter(({ details }) => details['segment_id'] === ofUlm)
        .map(({ kind, contact }) => `${kind.split('.')[1]} ${String(contact?.['identity']).split('@')[0]}`),
    );
  }
  await create(account, { identity: 'ada@example.com' }, { identity: 'bob@example.com' });
  for (const CITY of ['Ulm', 'Bonn']) {
    await update(account, ...['ada', 'bob'].map((name) => ({ identity: `${name}@example.com`, attributes: { CITY } })));
    await follow(service.context, account.accountId);
    for (const id of ids) await waitUntilSent(service.context, account, id);
  }
  const [ada, bob] = ['ada', 'bob'].map((name) => [`entered_segment ${name}`, `left_segment ${name}`]);
  const mixed = [ada![0], bob![0], ada![1], bob![1]];
  expect(Object.fromEntries([...sent].map(([name, events]) => [name, events()]))).toEqual({
    segment: mixed,
    either: mixed,
    segmentAndAda: ada,
    segmentOrAda: mixed,
    other: ada,
    notSegment: [ada![1], bob![1]],
  });
});

test('a contact that was deleted leaves a segment also in a subscription with a filter on it', async () => {
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver();
  const segmentId = await liveSegment(account, 'In Ulm', inUlm);
  const isIn = { field: 'segment_id', field_category: 'audience', operation: 'equals', value: [segmentId] };
  const { subscription_id: id } = await subscribe(account, receiver, {
    kinds: ['contact.left_segment'],
    filter: { filtering_criteria: [{ condition_details: [isIn] }] },
    fields: ['identity'],
  });
  await create(account, { identity: 'ada@example.com', attributes: { CITY: 'Ulm' } });
  await follow(service.context, account.accountId);
  await account.apply('/contact/delete', { data: { contacts: [{ identity: 'ada@example.com' }] } });
  await follow(service.context, account.accountId);
  await waitUntilSent(service.context, account, id);
  expect(eventsAt(receiver)).toMatchObject([{ kind: 'contact.left_segment', contact: null }]);
});
