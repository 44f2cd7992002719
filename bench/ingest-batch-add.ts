import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { person } from './people.ts';
import { quantile, shuffled, type BenchService } from './support.ts';

const perRequest = 1000;
const connections = 4;
const slice = 20_000;

/**
 * Compares batch add (v3) with contact create (V5): slices of the same size in turn, each until it
 * is applied, with one list for every contact. A receiver in this process accepts the callbacks,
 * which are sent at the same time.
 */
export async function batchAdd(service: BenchService, contacts: number): Promise<void> {
  const seen = { jobs: 0, callbacks: 0 };
  const receiver = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      seen.callbacks++;
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const callbackurl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const ways = {
    create: { path: '/v5/contact/create', bodyOf: createBody },
    'batch add': {
      path: '/v3/contact/batchadd',
      bodyOf: (people: readonly number[], version: number) => batchBody(people, version, callbackurl),
    },
  };
  for (const [version, pass] of ['insert', 'update'].entries()) {
    const order = shuffled(contacts);
    const rates: Record<string, number[]> = { create: [], 'batch add': [] };
    for (let from = 0, round = 0; from + 2 * slice <= contacts; from += 2 * slice, round++) {
      const names = Object.keys(ways) as (keyof typeof ways)[];
      // The second slice of a round meets a larger table, so the order alternates.
      if (round % 2 === 1) names.reverse();
      for (const [at, name] of names.entries()) {
        const part = order.slice(from + at * slice, from + (at + 1) * slice);
        rates[name]!.push(slice / (await load(service, ways[name], part, version)));
        if (name === 'batch add') seen.jobs += slice / perRequest;
        // Callbacks that are still being sent would slow down the next slice.
        while (seen.callbacks < seen.jobs) await sleep(10);
      }
    }
    const pairs = rates['create']!.map((rate, at) => rates['batch add']![at]! / rate);
    const mean = (values: readonly number[]) => values.length / values.reduce((sum, rate) => sum + 1 / rate, 0);
    const [create, added] = [mean(rates['create']!), mean(rates['batch add']!)];
    console.log(
      `${pass}: ${added.toFixed(0)} contacts/s by batch add, ${create.toFixed(0)}/s by create, ratio ${(added / create).toFixed(2)} ` +
        `(ratio of the pairs of slices from ${quantile(pairs, 0.25).toFixed(2)} to ${quantile(pairs, 0.75).toFixed(2)}, median ${quantile(pairs, 0.5).toFixed(2)})`,
    );
  }
  console.log(`${seen.jobs} jobs, ${seen.callbacks} callbacks`);
  receiver.closeAllConnections();
  receiver.close();
}

interface Way {
  readonly path: string;
  readonly bodyOf: (people: readonly number[], version: number) => object;
}

/**
 * Sends contacts, and waits until all are applied. Returns the seconds. The bodies are prepared
 * before the clock starts.
 */
async function load(service: BenchService, way: Way, order: readonly number[], version: number): Promise<number> {
  const bodies: Buffer[] = [];
  for (let from = 0; from < order.length; from += perRequest) {
    bodies.push(Buffer.from(JSON.stringify(way.bodyOf(order.slice(from, from + perRequest), version))));
  }
  const headers = { 'api-key': service.apiKey, 'content-type': 'application/json' };
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < bodies.length) {
        const body = bodies[next++]!;
        const answer = await service.pool.request({ method: 'POST', path: way.path, headers, body });
        const text = await answer.body.text();
        if (answer.statusCode !== 200) throw new Error(`${way.path}: ${answer.statusCode} ${text}`);
      }
    }),
  );
  await service.drained();
  return (performance.now() - started) / 1000;
}

function createBody(people: readonly number[], version: number): object {
  const contacts = people.map((n) => {
    const { lists: _, ...contact } = person(n, version);
    return { ...contact, audience_details: [{ audience_id: [1], audience_type: 'list' }] };
  });
  return { data: { contact_type: 'identified', contacts } };
}

function batchBody(people: readonly number[], version: number, callbackurl: string): object {
  const data = people.map((n) => {
    const { identity, mobile, attributes } = person(n, version);
    return { EMAIL: identity, MOBILE: mobile, ...attributes };
  });
  return { listid: 1, notifyemail: 'bench@example.com', callbackurl, primarykey: 'email', data };
}
