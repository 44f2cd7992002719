import { fill, load } from './fill.ts';
import { indexAttributes } from './index-attributes.ts';
import { person } from './people.ts';
import { startBenchService } from './support.ts';

/** The attributes with an index, by state. */
const states = {
  'no index': [],
  'a number': ['SCORE'],
  'a text': ['LAST_NAME'],
  both: ['SCORE', 'LAST_NAME'],
} as const;
const slice = 10_000;

/**
 * Measures the cost of indexes for writes: inserted and updated contacts per second, with an index
 * on a number, on a text, on both and on none. The states take turns slice by slice, because the
 * table grows and the speed of a shared machine varies.
 */
export async function measureWrites(contacts: number): Promise<void> {
  await using service = await startBenchService();
  const database = await service.database();
  await fill(service, database, { contacts: slice });
  const rounds = Math.floor(contacts / slice / Object.keys(states).length);
  const rates = new Map<string, { insert: number[]; update: number[] }>();
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another state, because building and dropping an index slows down the
    // next state.
    const all = Object.entries(states);
    const turns = [...all.slice(round % all.length), ...all.slice(0, round % all.length)];
    for (const [at, [name, indexed]] of turns.entries()) {
      const wanted = (attribute: string) => (indexed as readonly string[]).includes(attribute);
      await indexAttributes(service, { SCORE: wanted('SCORE'), LAST_NAME: wanted('LAST_NAME') });
      const from = slice * (1 + round * all.length + at);
      const rate = rates.get(name) ?? { insert: [], update: [] };
      rates.set(name, rate);
      rate.insert.push(await rateOf(async () => load(service, from, from + slice)));
      rate.update.push(await rateOf(async () => load(service, from, from + slice, (n) => person(n, 1))));
    }
  }
  await database.end();
  console.log(`\n${contacts} contacts with five attributes; contacts/s`);
  console.log('| index on | insert | | update | |\n|---|---|---|---|---|');
  const none = rates.get('no index')!;
  for (const [name, { insert, update }] of rates) {
    const figures = [mean(insert), mean(insert) / mean(none.insert), mean(update), mean(update) / mean(none.update)];
    console.log(`| ${name} | ${figures.map((value, at) => value.toFixed(at % 2 === 0 ? 0 : 2)).join(' | ')} |`);
  }
}

async function rateOf(run: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await run();
  return slice / ((performance.now() - started) / 1000);
}

/** Returns the mean rate of slices of equal size: all contacts divided by all seconds. */
function mean(rates: readonly number[]): number {
  return rates.length / rates.reduce((sum, rate) => sum + 1 / rate, 0);
}
