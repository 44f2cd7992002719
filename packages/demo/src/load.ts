import { setTimeout as sleep } from 'node:timers/promises';
import { campaigns, createFunnel, type Activity } from './campaigns.ts';
import { createPeople, type Person } from './people.ts';
import type { DemoService } from './service.ts';

const account = '/admin/v1/accounts/1';

/** How much is loaded. */
export interface DemoSize {
  readonly contacts: number;
  readonly seed: number;
  /** End of the two months of activities. */
  readonly now: Date;
}

/** What was loaded, for the words at the end. */
export interface Loaded {
  readonly contacts: number;
  readonly activities: number;
  readonly lists: readonly number[];
  readonly segments: readonly number[];
  /** Somebody who has clicked in the campaign {@link exampleCampaign}. */
  readonly example: Person;
}

/** Fills account 1: attributes, lists, contacts, segments and the activities of two months. `report` is told what is going on. */
export async function loadDemo(service: DemoService, size: DemoSize, report: (text: string) => void): Promise<Loaded> {
  await createAttributes(service);
  const lists = await createLists(service);
  const people = await loadContacts(service, size, lists, report);
  const segments = await createSegments(service, lists);
  const { count, example } = await loadActivities(service, size, people, report);
  await untilApplied(service);
  return { contacts: people.length, activities: count, lists, segments, example: example ?? people[0]! };
}

async function createAttributes(service: DemoService): Promise<void> {
  await service.call('POST', '/v5/client/attribute/create', {
    data: [
      { name: 'LOYALTY_TIER', category: 'custom', data_type: 'text', default_value: 'bronze' },
      { name: 'ORDERS', category: 'transaction', data_type: 'number', default_value: 0 },
      { name: 'LIFETIME_VALUE', category: 'transaction', data_type: 'number', data_masking: 'full' },
      { name: 'JOINED_AT', category: 'behaviour', data_type: 'datetime' },
      { name: 'LAST_ORDER_ON', category: 'transaction', data_type: 'date' },
    ],
  });
}

async function createLists(service: DemoService): Promise<number[]> {
  const ids: number[] = [];
  for (const name of ['Newsletter', 'Offers by SMS', 'Regular customers']) {
    const { audience_id: id } = await service.call('POST', `${account}/lists`, { name });
    ids.push(id as number);
  }
  return ids;
}

async function createSegments(service: DemoService, lists: readonly number[]): Promise<number[]> {
  const condition = (field: string, operation: string, value?: unknown) => ({
    field,
    operation,
    ...(value === undefined ? {} : { value }),
  });
  const all = (...conditions: object[]) => [{ condition_operator: 'and', condition_details: conditions }];
  const ids: number[] = [];
  const create = async (name: string, filtering_criteria: object[]): Promise<number> => {
    const { audience_id: id } = await service.call('POST', `${account}/segments`, { name, filtering_criteria });
    ids.push(id as number);
    return id as number;
  };
  const gold = await create('Gold members', all(condition('LOYALTY_TIER', 'equals', ['gold'])));
  await create(
    'Gold members in India',
    all(condition('segment_id', 'equals', [gold]), condition('COUNTRY', 'equals', 'India')),
  );
  await create('Never ordered', all(condition('ORDERS', 'equals', 0), condition('list_id', 'equals', [lists[0]])));
  await create('Big spenders', all(condition('LIFETIME_VALUE', 'greater_than', 1000)));
  return ids;
}

async function loadContacts(
  service: DemoService,
  { contacts, seed, now }: DemoSize,
  lists: readonly number[],
  report: (text: string) => void,
): Promise<Person[]> {
  const makePerson = createPeople(seed, now);
  const people: Person[] = [];
  while (people.length < contacts) {
    const batch = Array.from({ length: Math.min(1000, contacts - people.length) }, (_, at) =>
      makePerson(people.length + at),
    );
    people.push(...batch);
    await service.call('POST', '/v5/contact/create', {
      data: {
        contact_type: 'identified',
        contacts: batch.map((person) => ({
          identity: person.identity,
          ...(person.mobile === undefined ? {} : { mobile: person.mobile }),
          attributes: person.attributes,
          audience_details: [{ audience_id: person.lists.map((at) => lists[at]), audience_type: 'list' }],
        })),
      },
    });
    if (people.length % 10_000 === 0) report(`${people.length.toLocaleString('en')} contacts`);
  }
  return people;
}

const activitiesPerRequest = 10_000;

/** The campaign that {@link Loaded.example} has answered to, sent 16 days before the end. */
export const exampleCampaign = 'Newsletter 7';

async function loadActivities(
  service: DemoService,
  { seed, now }: DemoSize,
  people: readonly Person[],
  report: (text: string) => void,
): Promise<{ count: number; example: Person | undefined }> {
  const react = createFunnel(seed);
  const gone = new Set<Person>();
  let waiting: Activity[] = [];
  let count = 0;
  let example: Person | undefined;
  const send = async (): Promise<void> => {
    const lines = waiting.map((activity) => JSON.stringify(activity)).join('\n');
    count += waiting.length;
    waiting = [];
    await service.call('POST', `${account}/activities`, lines);
  };
  for (const campaign of campaigns(now)) {
    for (const person of people) {
      const reached = campaign.channel === 'sms' ? person.mobile !== undefined && person.lists.includes(1) : true;
      if (!reached || gone.has(person) || (campaign.list === 2 && !person.lists.includes(2))) continue;
      const activities = react(campaign, person).filter(({ occurred_at: at }) => at <= now.toISOString());
      // Who has left gets no further mails.
      if (
        activities.some(
          ({ activity, bounce_type: bounce }) => activity === 'unsubscribe' || activity === 'spam' || bounce === 'hard',
        )
      ) {
        gone.add(person);
      }
      if (campaign.name === exampleCampaign && activities.some(({ activity }) => activity === 'click'))
        example ??= person;
      waiting.push(...activities);
      if (waiting.length >= activitiesPerRequest - 10) await send();
    }
    report(`${campaign.name}: ${(count + waiting.length).toLocaleString('en')} activities`);
  }
  if (waiting.length > 0) await send();
  return { count, example };
}

async function untilApplied(service: DemoService): Promise<void> {
  for (;;) {
    const { data } = await service.call('GET', `${account}/requests?status=accepted&limit=1`);
    if ((data as unknown[]).length === 0) return;
    await sleep(100);
  }
}
