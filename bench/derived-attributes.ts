import { addCpu, cpuBetween, noCpu, type CpuTime } from './cpu-time.ts';
import { activityAt, recordOf, type ActivitySize } from './activity-data.ts';
import type { BenchService } from './support.ts';

const perRequest = 10_000;
const connections = 4;

interface Measured {
  readonly seconds: number;
  readonly cpu: CpuTime;
}

/**
 * Compares recording activities in an account without and in one with derived attributes. Both
 * get the same activities, slice by slice in turns, so that the state of the machine is the same.
 */
export async function compareDerived(service: BenchService, size: ActivitySize, slice: number): Promise<void> {
  const settings = { derived_attributes: true };
  const { account_id: derivedId } = (await service.admin('POST', '/accounts', { name: 'Derived', settings })) as {
    account_id: number;
  };
  const none: Measured = { seconds: 0, cpu: noCpu };
  const sums: Record<'without' | 'with', Measured> = { without: none, with: none };
  for (let from = 0, turn = 0; from < size.activities; from += slice, turn++) {
    const to = Math.min(from + slice, size.activities);
    const both = [
      ['without', 1],
      ['with', derivedId],
    ] as const;
    const measured: Partial<Record<'without' | 'with', Measured>> = {};
    for (const [name, accountId] of turn % 2 === 0 ? both : both.toReversed()) {
      const one = await recordSlice(service, accountId, from, to, size);
      measured[name] = one;
      sums[name] = { seconds: sums[name].seconds + one.seconds, cpu: addCpu(sums[name].cpu, one.cpu) };
    }
    console.log(`${to} activities: ${lineOf(measured as typeof sums, to - from)}`);
  }
  console.log(`derived attributes: ${lineOf(sums, size.activities)}`);
}

function lineOf(of: Record<'without' | 'with', Measured>, activities: number): string {
  const each = (milliseconds: number) => ((milliseconds * 1000) / activities).toFixed(1);
  const show = ({ seconds, cpu }: Measured) =>
    `${(activities / seconds).toFixed(0)}/s, CPU µs ${each(ofService(cpu))} (API ${each(cpu.API)}, worker ${each(cpu.worker)}, PostgreSQL ${each(cpu.PostgreSQL)})`;
  const rate = of.without.seconds / of.with.seconds;
  const cpu = ofService(of.with.cpu) / ofService(of.without.cpu);
  return `without ${show(of.without)}; with ${show(of.with)}; rate ${rate.toFixed(2)}, CPU ${cpu.toFixed(2)}`;
}

async function recordSlice(
  service: BenchService,
  accountId: number,
  from: number,
  to: number,
  size: ActivitySize,
): Promise<Measured> {
  const bodies: Buffer[] = [];
  for (let at = from; at < to; at += perRequest) {
    const data = Array.from({ length: Math.min(perRequest, to - at) }, (_, n) => recordOf(activityAt(at + n, size)));
    bodies.push(Buffer.from(JSON.stringify({ data })));
  }
  let next = 0;
  const before = await service.cpu();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < bodies.length) await service.admin('POST', `/accounts/${accountId}/activities`, bodies[next++]);
    }),
  );
  await service.drained();
  const seconds = (performance.now() - started) / 1000;
  return { seconds, cpu: cpuBetween(before, await service.cpu()) };
}

/** The processor time of the service, without the load generator. */
function ofService(time: CpuTime): number {
  return time.API + time.worker + time.PostgreSQL;
}
