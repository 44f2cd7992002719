import { setTimeout as sleep } from 'node:timers/promises';
import { cpuBetween, describeCalibration, describeCpu } from './cpu-time.ts';
import { person } from './people.ts';
import { quantile, type BenchService } from './support.ts';

const connections = 32;
const seconds = 20;

/**
 * Creates single contacts over 32 connections. Measures the rate and latency of acceptance, and the
 * lag of the pipeline.
 */
export async function singles(service: BenchService): Promise<void> {
  const latencies: number[] = [];
  const cpuBefore = await service.cpu();
  const until = performance.now() + seconds * 1000;
  let next = 0;
  let lag = 0;
  const watching = watch();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) {
        const body = bodyOf(next++);
        const started = performance.now();
        await service.post('/contact/create', body);
        latencies.push(performance.now() - started);
      }
    }),
  );
  await watching;
  await service.drained();
  const cpu = cpuBetween(cpuBefore, await service.cpu());
  console.log(
    `single creates, ${connections} connections: ${(latencies.length / seconds).toFixed(0)} accepted/s, p50 ${quantile(latencies, 0.5).toFixed(1)} ms, ` +
      `p99 ${quantile(latencies, 0.99).toFixed(1)} ms, maximum pipeline lag ${lag.toFixed(2)} s`,
  );
  console.log(describeCpu(cpu, latencies.length, 'request'));
  // The same calibration as for requests with a thousand contacts.
  const { data } = bodyOf(0);
  const contacts = Array.from({ length: 1000 }, (_, n) => bodyOf(n).data.contacts[0]);
  console.log(describeCalibration([Buffer.from(JSON.stringify({ data: { ...data, contacts } }))]));

  async function watch(): Promise<void> {
    while (performance.now() < until) {
      const body = (await (await fetch(`${service.url}/readyz`)).json()) as { pipeline: { lag_seconds: number } };
      lag = Math.max(lag, body.pipeline.lag_seconds);
      await sleep(250);
    }
  }
}

function bodyOf(n: number) {
  const { lists: listIds, ...contact } = person(n);
  const contacts = [{ ...contact, audience_details: [{ audience_id: listIds }] }];
  return { data: { contact_type: 'identified', contacts } };
}
