import type { NewActivity } from '@roster/client';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { campaigns, createFunnel, type Campaign } from './campaigns.ts';
import { importCustomers, listNames } from './customers.ts';
import { fillEveryPage } from './everyday.ts';
import { createPeople, type Person } from './people.ts';
import type { DemoService } from './service.ts';
import { createTeam } from './team.ts';

/** The size and the seed of the demo data. */
export interface DemoSize {
  readonly contacts: number;
  readonly seed: number;
  /** End of the year in which people signed up, and of the two months of activities. */
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
 * Fills account 1: people with different roles, contacts who signed up in the last year, two months
 * of activities, and some of everything that the console shows. Calls `report` with the progress.
 */
export async function loadDemo(service: DemoService, size: DemoSize, report: (text: string) => void): Promise<Loaded> {
  await service.account.update({ name: 'Sunrise Shop', settings: { derived_attributes: true } });
  const team = await createTeam(service);
  await createAttributes(service);
  const lists = await createLists(service);
  const people = await makePeople(service, size, report);
  const sent = campaigns(size.now);
  const record = createRecorder(service, size, people, report);
  // An opt-out counts at the day when it is recorded, or when its contact is created if that is
  // later. So the activities come first. Otherwise, all people opt out today.
  await record(sent.slice(0, -1));
  await importCustomers(team.editor, people, report);
  const { count, example } = await record(sent.slice(-1));
  const segments = await createSegments(service, lists);
  const [gold, , , bigSpenders] = segments;
  await fillEveryPage(service, team, { newsletter: lists[0]!, gold: gold!, bigSpenders: bigSpenders! });
  return { contacts: people.length, activities: count, lists, segments, example: example ?? people[0]! };
}

async function createAttributes({ roster }: DemoService): Promise<void> {
  await roster.attributes.create([
    { name: 'LOYALTY_TIER', category: 'custom', data_type: 'text', default_value: 'bronze' },
    { name: 'ORDERS', category: 'transaction', data_type: 'number', default_value: 0 },
    { name: 'LIFETIME_VALUE', category: 'transaction', data_type: 'number', data_masking: 'full' },
    { name: 'LAST_VISIT_AT', category: 'behaviour', data_type: 'datetime' },
    { name: 'LAST_ORDER_ON', category: 'transaction', data_type: 'date' },
  ]);
}

async function createLists({ account }: DemoService): Promise<number[]> {
  const ids: number[] = [];
  for (const name of listNames) {
    ids.push((await account.lists.create({ name })).audience_id);
  }
  return ids;
}

async function createSegments({ account, signal }: DemoService, lists: readonly number[]): Promise<number[]> {
  // A segment can use derived attributes as soon as they are computed the first time.
  while ((await account.activities.derived({ signal })).state === 'building') await sleep(100, undefined, { signal });
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
  await create('Engaged readers', condition('activity.engagement_score', 'greater_than_or_equal', 10));
  const activity = (operation: string, kind: 'open' | 'click', length: string) => ({
    field: 'activity',
    field_category: 'activity' as const,
    operation,
    ...(operation === 'never' ? {} : { value: [1] }),
    activity: [kind],
    when: { operation: 'in_last', value: [length] },
  });
  const quiet = await account.segments.create({
    name: 'Opened in the last 30 days and clicked nothing in 90',
    filtering_criteria: [
      { condition_details: [activity('at_least', 'open', '30 days'), activity('never', 'click', '90 days')] },
    ],
  });
  return [...ids, quiet.audience_id];
}

async function makePeople(
  { signal }: DemoService,
  { contacts, seed, now }: DemoSize,
  report: (text: string) => void,
): Promise<Person[]> {
  const makePerson = createPeople(seed, now);
  const people: Person[] = [];
  while (people.length < contacts) {
    people.push(makePerson(people.length));
    if (people.length % 10_000 > 0) continue;
    report(`${people.length.toLocaleString('en')} people`);
    // Lets Ctrl-C interrupt.
    await setImmediate();
    signal.throwIfAborted();
  }
  return people.toSorted((a, b) => a.joinedAt - b.joinedAt);
}

/** The campaign in which {@link Loaded.example} clicked. It is sent 9 days before the end. */
const exampleCampaign = 'Newsletter 7';

/**
 * Returns a function that records the activities in campaigns, and waits until they are applied. It
 * returns the number of all activities until then.
 */
function createRecorder(
  { account }: DemoService,
  { seed, now }: DemoSize,
  people: readonly Person[],
  report: (text: string) => void,
) {
  const react = createFunnel(seed);
  const unreachable = new Set<Person>();
  let count = 0;
  let example: Person | undefined;
  function* happened(sent: readonly Campaign[]): Generator<NewActivity> {
    for (const campaign of sent) {
      for (const person of people) {
        if (person.joinedAt > campaign.sentAt.getTime() || unreachable.has(person) || !isReached(campaign, person))
          continue;
        const activities = react(campaign, person).filter(({ occurred_at: at }) => at <= now.toISOString());
        // A person who opted out gets no more messages.
        if (activities.some(isOptOut)) unreachable.add(person);
        if (campaign.name === exampleCampaign && activities.some(({ activity }) => activity === 'click'))
          example ??= person;
        count += activities.length;
        yield* activities;
      }
      report(`${campaign.name}: ${count.toLocaleString('en')} activities`);
    }
  }
  return async (sent: readonly Campaign[]): Promise<{ count: number; example: Person | undefined }> => {
    const { requests } = await account.activities.record(happened(sent));
    // Requests are applied in the order of acceptance. When the last one is applied, all are.
    const last = requests.at(-1);
    if (last !== undefined) await account.requests.wait(last.request_id);
    return { count, example };
  };
}

const isReached = ({ channel, list }: Campaign, { mobile, lists }: Person): boolean =>
  channel === 'sms' ? mobile !== undefined && lists.includes(1) : list !== 2 || lists.includes(2);

const isOptOut = ({ activity, bounce_type: bounce }: NewActivity): boolean =>
  activity === 'unsubscribe' || activity === 'spam' || bounce === 'hard';
