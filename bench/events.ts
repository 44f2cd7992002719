/**
 * Measures events: how much an ingest costs without events, with events, and with one subscription
 * on everything; and how fast the event feed is read.
 *
 * The three ways of the ingest take turns slice by slice, each in its own account, because the speed
 * of a shared machine varies. The ingest does not wait until the subscription has caught up, but a
 * slice begins only after it has.
 *
 * `npm run bench:events -- [--contacts 300000] [--slice 50000]`
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addCpu, cpuBetween, describeCpu, noCpu } from './cpu-time.ts';
import { lists, person } from './people.ts';
import { shuffled, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: { contacts: { type: 'string', default: '300000' }, slice: { type: 'string', default: '50000' } },
});
const contacts = Number(options.contacts);
const slice = Number(options.slice);
const perRequest = 1000;
const connections = 4;

await using service = await startBenchService({ ROSTER_CALLBACK_ALLOW: '127.0.0.1' });
const database = await service.database();
const receiver = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const { port } = receiver.address() as AddressInfo;

interface Way {
  readonly name: string;
  readonly accountId: number;
  readonly apiKey: string;
  readonly subscriptionId: string | undefined;
  seconds: number;
  caughtUp: number;
  cpu: typeof noCpu;
}

async function createWay(name: string, events: boolean, subscribes: boolean): Promise<Way> {
  const made = await service.admin('POST', '/accounts', { name, settings: { events } });
  const accountId = made['account_id'] as number;
  for (let n = 1; n <= lists; n++) await service.admin('POST', `/accounts/${accountId}/lists`, { name: `List ${n}` });
  const body = { name, url: `http://127.0.0.1:${port}/`, max_events: 1000 };
  const subscription = subscribes
    ? await service.admin('POST', `/accounts/${accountId}/event-subscriptions`, body)
    : undefined;
  const subscriptionId = subscription?.['subscription_id'] as string | undefined;
  const apiKey = made['api_key'] as string;
  return { name, accountId, apiKey, subscriptionId, seconds: 0, caughtUp: 0, cpu: noCpu };
}

const ways = [
  await createWay('without events', false, false),
  await createWay('with events', true, false),
  await createWay('with a subscription', true, true),
];

const order = shuffled(contacts);
// A slice that is not counted, so that all processes are warm.
for (const way of ways) await load(way, bodiesOf(shuffled(10_000).map((n) => n + contacts)), false);
for (let from = 0, turn = 0; from < contacts; from += slice, turn++) {
  const bodies = bodiesOf(order.slice(from, from + slice));
  for (let at = 0; at < ways.length; at++) await load(ways[(at + turn) % ways.length]!, bodies, true);
}
for (const { name, seconds, caughtUp, cpu } of ways) {
  const behind = caughtUp === 0 ? '' : `; the subscription had everything after ${caughtUp.toFixed(1)} s`;
  console.log(
    `${name}: ${(contacts / seconds).toFixed(0)} contacts/s, ratio ${(ways[0]!.seconds / seconds).toFixed(2)}${behind}`,
  );
  console.log(`${name}: ${describeCpu(cpu, contacts, 'contact')}`);
}
await readFeed(ways[1]!);
await database.end();
receiver.close();
receiver.closeAllConnections();

/** Sends bodies until they are applied, and waits until the subscription has sent their events. */
async function load(way: Way, bodies: readonly Buffer[], counts: boolean): Promise<void> {
  const before = await service.cpu();
  const started = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < bodies.length) await service.postAs(way.apiKey, '/contact/create', bodies[next++]);
    }),
  );
  await service.drained();
  const applied = performance.now();
  if (counts) way.seconds += (applied - started) / 1000;
  if (way.subscriptionId !== undefined) {
    while ((await lagOf(way)) > 0) await sleep(50);
    if (counts) way.caughtUp += (performance.now() - started) / 1000;
  }
  if (counts) way.cpu = addCpu(way.cpu, cpuBetween(before, await service.cpu()));
}

/** Asks the database, because the operation of the API costs more than the query. */
async function lagOf({ subscriptionId }: Way): Promise<number> {
  const { rows } = await database.query<{ lag: number }>(
    'select (f.last_position - s.position)::int as lag from event_subscriptions s join event_feeds f using (account_id) where subscription_id = $1',
    [subscriptionId],
  );
  return rows[0]!.lag;
}

/** Reads the whole feed of an account page by page. */
async function readFeed({ accountId }: Way): Promise<void> {
  for (const limit of [1000, 10_000]) {
    const started = performance.now();
    let events = 0;
    for (let after = 0; ;) {
      const page = await service.admin('GET', `/accounts/${accountId}/event-feed?after=${after}&limit=${limit}`);
      const { length } = page['data'] as unknown[];
      if (length === 0) break;
      events += length;
      after = page['next_after'] as number;
    }
    const seconds = (performance.now() - started) / 1000;
    console.log(
      `the feed, ${limit} events a page: ${(events / seconds).toFixed(0)} events/s of ${events} by one reader`,
    );
  }
}

function bodiesOf(numbers: readonly number[]): Buffer[] {
  const bodies: Buffer[] = [];
  for (let from = 0; from < numbers.length; from += perRequest) {
    const some = numbers.slice(from, from + perRequest).map((n) => {
      const { lists: listIds, ...contact } = person(n);
      return { ...contact, audience_details: [{ audience_id: listIds, audience_type: 'list' }] };
    });
    bodies.push(Buffer.from(JSON.stringify({ data: { contact_type: 'identified', contacts: some } })));
  }
  return bodies;
}
