import { expect, test } from 'vitest';
import { campaigns, createFunnel } from '../src/campaigns.ts';
import { createPeople } from '../src/people.ts';

const now = new Date('2026-06-15T00:00:00Z');
const day = 86_400_000;

function people(seed: number, count = 500) {
  const make = createPeople(seed, now);
  return Array.from({ length: count }, (_, n) => make(n));
}

function activities(seed: number) {
  const crowd = people(seed);
  const funnel = createFunnel(seed);
  return campaigns(now).flatMap((campaign) => crowd.map((person) => funnel(campaign, person)));
}

test('the same seed makes the same people and activities, and another seed makes others', () => {
  expect(people(1)).toEqual(people(1));
  expect(people(2)).not.toEqual(people(1));
  expect(activities(1)).toEqual(activities(1));
});

test('people have different identities and valid values', () => {
  const crowd = people(1);
  expect(new Set(crowd.map(({ identity }) => identity)).size).toBe(crowd.length);
  for (const { identity, mobile, attributes } of crowd) {
    expect(identity).toMatch(/^[a-z]+\.[a-z]+\.\d+@example\.com$/);
    expect(mobile ?? '919812345678').toMatch(/^\d{11,12}$/);
    expect(Date.parse(attributes['LAST_VISIT_AT'] as string)).toBeLessThanOrEqual(now.getTime());
  }
  const countries = Map.groupBy(crowd, ({ attributes }) => attributes['COUNTRY']);
  expect(countries.size).toBe(6);
});

test('more people sign up each month, and fewer at weekends, all in the year before the end', () => {
  const dates = people(1).map(({ joinedAt }) => joinedAt);
  expect(Math.min(...dates)).toBeGreaterThanOrEqual(now.getTime() - 365 * day);
  expect(Math.max(...dates)).toBeLessThan(now.getTime());
  const inDays = (from: number, to: number): number =>
    dates.filter((at) => at >= now.getTime() - from * day && at < now.getTime() - to * day).length;
  expect(inDays(90, 0)).toBeGreaterThan(inDays(180, 90));
  expect(inDays(180, 90)).toBeGreaterThan(inDays(270, 180));
  const weekend = dates.filter((at) => new Date(at).getUTCDay() % 6 === 0).length;
  expect(weekend / 2).toBeLessThan((dates.length - weekend) / 5);
});

test('activities form a funnel in the last two months, and are in a plausible order', () => {
  const all = activities(1);
  const count = (wanted: string) => all.flat().filter(({ activity }) => activity === wanted).length;
  const steps = ['sent', 'delivered', 'open', 'click', 'unsubscribe'].map(count);
  expect(steps.every((step) => step > 0)).toBe(true);
  expect(steps).toEqual(steps.toSorted((a, b) => b - a));
  for (const happened of all) {
    const moments = happened.map(({ occurred_at: at }) => Date.parse(at));
    expect(moments[0]).toBeGreaterThan(now.getTime() - 62 * day);
    expect(Math.max(...moments)).toBeLessThan(now.getTime());
    const first = happened.map(({ activity }) => activity)[0];
    expect(first).toBe('sent');
    expect(Math.min(...moments)).toBe(moments[0]);
  }
  const ids = all.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
