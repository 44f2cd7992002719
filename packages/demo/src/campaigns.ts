import { Faker, base, en } from '@faker-js/faker';
import type { NewActivity } from '@roster/client';
import type { Person } from './people.ts';

type Activity = NewActivity & { readonly id: string };

/** A message that is sent to a list at one time. */
export interface Campaign {
  readonly messageId: number;
  readonly name: string;
  readonly channel: 'email' | 'sms';
  readonly sentAt: Date;
  /** Position of the list that gets the message. */
  readonly list: number;
  readonly links: readonly string[];
}

const day = 86_400_000;
const hour = 3_600_000;

interface Device {
  readonly device: string;
  readonly os: string;
  readonly browser: string;
}

const devices: readonly { weight: number; value: Device }[] = [
  { weight: 45, value: { device: 'Mobile', os: 'Android', browser: 'Chrome' } },
  { weight: 30, value: { device: 'Mobile', os: 'iOS', browser: 'Safari' } },
  { weight: 15, value: { device: 'Desktop', os: 'Windows', browser: 'Edge' } },
  { weight: 10, value: { device: 'Desktop', os: 'macOS', browser: 'Safari' } },
];

/**
 * Returns the campaigns of the two months before `now`: a weekly newsletter, and an SMS every 14
 * days. The last newsletter was sent two days ago.
 */
export function campaigns(now: Date): Campaign[] {
  const shop = 'https://shop.example.com';
  const weekly = Array.from({ length: 8 }, (_, week) => ({
    messageId: 1000 + week,
    name: `Newsletter ${week + 1}`,
    channel: 'email' as const,
    sentAt: new Date(now.getTime() - (51 - week * 7) * day + 9 * hour),
    list: week % 4 === 3 ? 2 : 1,
    links: [`${shop}/new`, `${shop}/sale`, `${shop}/stories/${week + 1}`],
  }));
  const texts = Array.from({ length: 4 }, (_, fortnight) => ({
    messageId: 2000 + fortnight,
    name: `Offer ${fortnight + 1}`,
    channel: 'sms' as const,
    sentAt: new Date(now.getTime() - (48 - fortnight * 14) * day + 16 * hour),
    list: 2,
    links: [`${shop}/o/${fortnight + 1}`],
  }));
  return [...weekly, ...texts].toSorted((a, b) => a.sentAt.getTime() - b.sentAt.getTime());
}

/**
 * Returns a function that creates the activities of a person in a campaign. The same seed and the
 * same order of calls give the same activities.
 */
export function createFunnel(seed: number): (campaign: Campaign, person: Person) => Activity[] {
  const faker = new Faker({ locale: [en, base] });
  faker.seed(seed + 1);
  const happens = (probability: number): boolean => faker.number.float({ min: 0, max: 1 }) < probability;
  /**
   * Returns a random time after `after`: mostly about `typical` milliseconds later, sometimes days.
   */
  const later = (after: Date, typical: number): Date =>
    new Date(after.getTime() + Math.round(-Math.log(1 - faker.number.float({ min: 0, max: 0.999 })) * typical));
  return (campaign, person) => {
    const { channel, messageId, name, links } = campaign;
    const found: Activity[] = [];
    const add = (activity: Activity['activity'], at: Date, more: Partial<Activity> = {}): void => {
      found.push({
        id: `${messageId}-${person.identity}-${found.length}`,
        identity: person.identity,
        channel,
        activity,
        occurred_at: at.toISOString(),
        message_id: messageId,
        msg_name: name,
        ...more,
      });
    };
    const sent = later(campaign.sentAt, 0.2 * hour);
    add('sent', sent);
    if (happens(0.02)) {
      add('bounce', later(sent, 60_000), { bounce_type: happens(0.2) ? 'hard' : 'soft' });
      return found;
    }
    const delivered = later(sent, 30_000);
    add('delivered', delivered);
    if (channel === 'email' && happens(0.0004)) add('spam', later(delivered, 6 * hour));
    if (!happens((channel === 'email' ? 0.9 : 0.3) * person.interest)) return found;
    const reader = {
      ...faker.helpers.weightedArrayElement(devices),
      ip: faker.internet.ipv4({ network: 'test-net-3' }),
    };
    const opened = later(delivered, 5 * hour);
    if (channel === 'email') add('open', opened, reader);
    if (happens(0.25 * person.interest)) {
      add('click', later(opened, 90_000), { ...reader, link: faker.helpers.arrayElement(links) });
    }
    if (happens(0.004 * (1 - person.interest))) add('unsubscribe', later(opened, 60_000), reader);
    return found;
  };
}
