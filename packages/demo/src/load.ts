import type { NewActivity, NewContact } from '@roster/client';
import { campaigns, createFunnel } from './campaigns.ts';
import { createPeople, type Person } from './people.ts';
import type { DemoService } from './service.ts';

/** The size and the seed of the demo data. */
export interface DemoSize {
  readonly contacts: number;
  readonly seed: number;
  /** End of the two months of activities. */
  readonly now: Date;
}

/** The loaded data, for the examples that are printed at the end. */
export interface Loaded {
  readonly contacts: number;
  readonly activities: number;
  readonly lists: readonly number[];
  readonly segments: readonly number[];
  /** A person who clicked in the campaign {@link exampleCampaign}. */
  readonly example: Person;
}

/**
 * Fills account 1 with attributes, lists, contacts, segments and two months of activities. Calls
 * `report` with the progress.
 */
export async function loadDemo(service: DemoService, size: DemoSize, report: (text: string) => void): Promise<Loaded> {
  await createAttributes(service);
  const lists = await createLists(service);
  const people = await loadContacts(service, size, lists, report);
  const { count, example, last } = await loadActivities(service, size, people, report);
  await service.account.requests.wait(last);
  // Segments use attributes, which exist only after their request is applied.
  const segments = await createSegments(service, lists);
  return { contacts: people.length, activities: count, lists, segments, example: example ?? people[0]! };
}

async function createAttributes({ roster }: DemoService): Promise<void> {
  await roster.attributes.create([
    { name: 'LOYALTY_TIER', category: 'custom', data_type: 'text', default_value: 'bronze' },
    { name: 'ORDERS', category: 'transaction', data_type: 'number', default_value: 0 },
    { name: 'LIFETIME_VALUE', category: 'transaction', data_type: 'number', data_masking: 'full' },
    { name: 'JOINED_AT', category: 'behaviour', data_type: 'datetime' },
    { name: 'LAST_ORDER_ON', category: 'transaction', data_type: 'date' },
  ]);
}

async function createLists({ account }: DemoService): Promise<number[]> {
  const ids: number[] = [];
  for (const name of ['Newsletter', 'Offers by SMS', 'Regular customers']) {
    ids.push((await account.lists.create({ name })).audience_id);
  }
  return ids;
}

async function createSegments({ account }: DemoService, lists: readonly number[]): Promise<number[]> {
  const condition = (field: string, operation: string, ...value: (string | number)[]) => ({ field, operation, value });
  const ids: number[] = [];
  const create = async (name: string, ...condition_details: ReturnType<typeof condition>[]): Promise<number> => {
    const { audience_id: id } = await account.segments.create({ name, filtering_criteria: [{ condition_details }] });
    ids.push(id);
    return id;
  };
  const gold = await create('Gold members', condition('LOYALTY_TIER', 'equals', 'gold'));
  await create(
    'Gold members in India',
    condition('segment_id', 'equals', gold),
    condition('COUNTRY', 'equals', 'India'),
  );
  await create('Never ordered', condition('ORDERS', 'equals', 0), condition('list_id', 'equals', lists[0]!));
  await create('Big spenders', condition('LIFETIME_VALUE', 'greater_than', 1000));
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
  function* made(): Generator<NewContact> {
    while (people.length < contacts) {
      const person = makePerson(people.length);
      people.push(person);
      yield {
        identity: person.identity,
        ...(person.mobile === undefined ? {} : { mobile: person.mobile }),
        attributes: person.attributes,
        audience_details: [{ audience_id: person.lists.map((at) => lists[at]!), audience_type: 'list' }],
      };
    }
  }
  await service.roster.contacts.create(made(), {
    onAccepted({ first, count }) {
      const sent = first + count;
      if (sent % 10_000 === 0) report(`${sent.toLocaleString('en')} contacts`);
    },
  });
  return people;
}

/** The campaign in which {@link Loaded.example} clicked. It is sent 16 days before the end. */
const exampleCampaign = 'Newsletter 7';

async function loadActivities(
  service: DemoService,
  { seed, now }: DemoSize,
  people: readonly Person[],
  report: (text: string) => void,
): Promise<{ count: number; example: Person | undefined; last: string }> {
  const react = createFunnel(seed);
  const unreachable = new Set<Person>();
  let made = 0;
  let example: Person | undefined;
  function* happened(): Generator<NewActivity> {
    for (const campaign of campaigns(now)) {
      for (const person of people) {
        const reached = campaign.channel === 'sms' ? person.mobile !== undefined && person.lists.includes(1) : true;
        if (!reached || unreachable.has(person) || (campaign.list === 2 && !person.lists.includes(2))) continue;
        const activities = react(campaign, person).filter(({ occurred_at: at }) => at <= now.toISOString());
        // A person who opted out gets no more messages.
        if (activities.some(isOptOut)) unreachable.add(person);
        if (campaign.name === exampleCampaign && activities.some(({ activity }) => activity === 'click'))
          example ??= person;
        made += activities.length;
        yield* activities;
      }
      report(`${campaign.name}: ${made.toLocaleString('en')} activities`);
    }
  }
  const { count, requests } = await service.account.activities.record(happened());
  // Requests are applied in the order of acceptance. When the last one is applied, all are.
  return { count, example, last: requests.at(-1)!.request_id };
}

const isOptOut = ({ activity, bounce_type: bounce }: NewActivity): boolean =>
  activity === 'unsubscribe' || activity === 'spam' || bounce === 'hard';
