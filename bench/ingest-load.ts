import { cpuBetween, type CpuTime } from './cpu-time.ts';
import { person } from './people.ts';
import type { BenchService } from './support.ts';

const perRequest = 1000;
const connections = 4;

/**
 * Sends contacts over several connections, and waits until all are applied. The bodies are prepared
 * before the clock starts, as for the floor. `memory` is the maximum of the service, in MiB.
 */
export async function load(
  service: BenchService,
  order: readonly number[],
  version: number,
): Promise<{ seconds: number; memory: number; cpu: CpuTime }> {
  const bodies = bodiesOf(order, version);
  let memory = 0;
  const watch = setInterval(() => void service.memory().then((now) => (memory = Math.max(memory, now))), 500);
  const cpuBefore = await service.cpu();
  const started = performance.now();
  await send(service, bodies);
  await service.drained();
  const seconds = (performance.now() - started) / 1000;
  clearInterval(watch);
  return { seconds, memory, cpu: cpuBetween(cpuBefore, await service.cpu()) };
}

/** Returns the bodies of requests that create these contacts, 1,000 each. */
export function bodiesOf(order: readonly number[], version: number): Buffer[] {
  const bodies: Buffer[] = [];
  for (let from = 0; from < order.length; from += perRequest) {
    const contacts = order.slice(from, from + perRequest).map((n) => {
      const { lists: listIds, ...contact } = person(n, version);
      return { ...contact, audience_details: [{ audience_id: listIds, audience_type: 'list' }] };
    });
    bodies.push(Buffer.from(JSON.stringify({ data: { contact_type: 'identified', contacts } })));
  }
  return bodies;
}

/**
 * Sends bodies over several connections, to the accounts of API keys in turn. They are not applied
 * yet. Default: the first account.
 */
export async function send(
  service: BenchService,
  bodies: readonly Buffer[],
  keys: readonly string[] = [service.apiKey],
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let at = next++; at < bodies.length; at = next++) {
        await service.postAs(keys[at % keys.length]!, '/contact/create', bodies[at]);
      }
    }),
  );
}
