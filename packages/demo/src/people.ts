import { Faker, base, de, en, en_IN, es, fr, it } from '@faker-js/faker';

/** A made-up person: the values of the contact, and the interest in campaigns. */
export interface Person {
  readonly identity: string;
  readonly mobile: string | undefined;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Positions of the lists that the person is in. */
  readonly lists: readonly number[];
  /** How likely the person is to open a message, from 0 to 1. */
  readonly interest: number;
  /** When the person signed up, in milliseconds since 1970. */
  readonly joinedAt: number;
}

const day = 86_400_000;

/** The countries. `share` is the weight of a country, `prefix` the beginning of mobile numbers. */
const countries = [
  { country: 'India', locale: en_IN, language: 'en', timeZone: 'Asia/Kolkata', prefix: '919', share: 40 },
  { country: 'Germany', locale: de, language: 'de', timeZone: 'Europe/Berlin', prefix: '4915', share: 15 },
  { country: 'United States', locale: en, language: 'en', timeZone: 'America/New_York', prefix: '1212', share: 20 },
  { country: 'France', locale: fr, language: 'fr', timeZone: 'Europe/Paris', prefix: '336', share: 10 },
  { country: 'Spain', locale: es, language: 'es', timeZone: 'Europe/Madrid', prefix: '346', share: 8 },
  { country: 'Italy', locale: it, language: 'it', timeZone: 'Europe/Rome', prefix: '393', share: 7 },
] as const;

const tiers = ['bronze', 'bronze', 'bronze', 'bronze', 'silver', 'silver', 'gold'] as const;

/**
 * Returns a function that creates the person with number `n`. The same seed gives the same people.
 * `now` is the end of the demo period.
 */
export function createPeople(seed: number, now: Date): (n: number) => Person {
  const makers = countries.map((country, at) => {
    const faker = new Faker({ locale: [country.locale, en, base] });
    faker.seed(seed * 31 + at);
    // Each country has a limited set of cities, as in real data.
    const cities = Array.from({ length: 120 }, () => faker.location.city());
    return { ...country, faker, cities };
  });
  const chooser = new Faker({ locale: [en, base] });
  chooser.seed(seed);
  return (n) => {
    const { faker, cities, country, language, timeZone, prefix } = chooser.helpers.weightedArrayElement(
      makers.map((value) => ({ value, weight: value.share })),
    );
    const sex = faker.person.sexType();
    const [first, last] = [faker.person.firstName(sex), faker.person.lastName(sex)];
    const joinedAt = signUpDate(chooser, now);
    const orders = Math.floor(faker.number.float({ min: 0, max: 1 }) ** 4 * 40);
    return {
      // The number makes the address unique. The domain is reserved for examples.
      identity: `${asciiLetters(first)}.${asciiLetters(last)}.${n}@example.com`,
      mobile: chooser.datatype.boolean(0.7) ? `${prefix}${faker.string.numeric(12 - prefix.length)}` : undefined,
      attributes: {
        FIRST_NAME: first,
        LAST_NAME: last,
        GENDER: sex,
        BIRTH_DATE: faker.date.birthdate({ mode: 'age', min: 18, max: 80, refDate: now }).toISOString().slice(0, 10),
        CITY: faker.helpers.arrayElement(cities),
        COUNTRY: country,
        LANGUAGE: language,
        TIME_ZONE: timeZone,
        LOYALTY_TIER: faker.helpers.arrayElement(tiers),
        ORDERS: orders,
        LIFETIME_VALUE: orders === 0 ? 0 : Number(faker.commerce.price({ min: orders * 15, max: orders * 90 })),
        LAST_VISIT_AT: faker.date.between({ from: joinedAt, to: now }).toISOString(),
        ...(orders === 0
          ? {}
          : { LAST_ORDER_ON: faker.date.between({ from: joinedAt, to: now }).toISOString().slice(0, 10) }),
      },
      lists: [0, ...(chooser.datatype.boolean(0.35) ? [1] : []), ...(orders > 10 ? [2] : [])],
      interest: chooser.number.float({ min: 0, max: 1 }) ** 1.7,
      joinedAt,
    };
  };
}

/**
 * Returns when a person signed up in the year before `now`, in milliseconds since 1970. More people
 * sign up each month, fewer at weekends, and most in the afternoon.
 */
function signUpDate({ number }: Faker, now: Date): number {
  const chance = (): number => number.float({ min: 0, max: 1 });
  for (;;) {
    const daysAgo = number.int({ min: 1, max: 365 });
    const start = now.getTime() - daysAgo * day;
    const weekday = new Date(start).getUTCDay();
    const isWeekend = weekday === 0 || weekday === 6;
    // Triples in the year. Every third Tuesday has an event.
    const isEvent = weekday === 2 && Math.floor(daysAgo / 7) % 3 === 0;
    const weight = (1 - (daysAgo / 365) * 0.67) * (isWeekend ? 0.4 : isEvent ? 1 : 0.65);
    if (chance() < weight) return start + Math.floor(((chance() + chance() + chance()) / 3) * day);
  }
}

/** Returns the letters of a name that can be in an e-mail address. */
function asciiLetters(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^a-z]/gi, '')
    .toLowerCase()
    .slice(0, 20);
}
