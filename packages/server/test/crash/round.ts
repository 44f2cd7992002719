import type { Load } from './load.ts';
import type { Report } from './report.ts';
import { verify } from './verify.ts';

/**
 * One round: the writers send requests while `disturb` runs. When they have stopped, everything is
 * compared.
 */
export async function disturbedRound(
  load: Load,
  report: Report,
  name: string,
  disturb: () => Promise<void>,
): Promise<void> {
  const before = { ...load.state };
  const failedBefore = report.failed;
  const began = performance.now();
  load.start();
  await disturb();
  await load.stop();
  await verify(load, report, name);
  const accepted = load.state.accepted - before.accepted;
  const unanswered = load.state.unanswered - before.unanswered;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const mark = report.failed === failedBefore ? '' : ' — FAILED';
  report.say(`${name}: ${accepted} requests accepted, ${unanswered} unanswered, ${seconds} s${mark}`);
}
