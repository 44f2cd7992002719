import { setTimeout as sleep } from 'node:timers/promises';
import { endingProblems } from './graceful-stop.ts';
import { Load } from './load.ts';
import type { Random } from './random.ts';
import type { Report } from './report.ts';
import { disturbedRound } from './round.ts';
import { SharedDatabase } from './shared-database.ts';

/** How much is done with several processes. */
export interface RolesOptions {
  readonly writers: number;
  readonly random: Random;
  readonly scale: number;
  readonly pauses: number;
  readonly longestPause: number;
}

/**
 * Runs several processes on one database: one API with several workers, then several APIs with one
 * worker. Processes are killed and stopped meanwhile.
 *
 * Each writer sends every request to another API, and any worker may serve an account. So only the
 * database can keep the order of acceptance. `scale` multiplies the number of requests.
 *
 * In the end two workers share the work, and one of them is paused `pauses` times, for up to
 * `longestPause` milliseconds.
 */
export async function roles(
  report: Report,
  { writers, random, scale, pauses, longestPause }: RolesOptions,
): Promise<void> {
  await using deployment = await SharedDatabase.start();
  report.complaints = () => deployment.complaints;
  // All start at once on an empty database. One of them must run the migrations and create the
  // first account.
  await Promise.all([deployment.add('api', 1), deployment.add('worker', 3)]);
  const load = await Load.prepare(deployment, { accounts: 3, writers, random });
  report.loads.push(load.state);

  await disturbedRound(load, report, 'one API, three workers', async () => {
    await load.accepts(scale * random.integer(60, 200));
    report.killed('one of several workers', deployment.take('worker').kill() ? 1 : 0);
    await load.accepts(scale * random.integer(40, 100));
    const ending = await deployment.take('worker').stop();
    report.check('a worker stops in time, with code 0', endingProblems(ending));
    await load.accepts(load.writers * 4);
  });

  await deployment.add('api', 2);
  await disturbedRound(load, report, 'three APIs, one worker', async () => {
    await load.accepts(scale * random.integer(60, 200));
    report.killed('one of several APIs', deployment.take('api').kill() ? 1 : 0);
    await load.accepts(scale * random.integer(40, 100));
    const ending = await deployment.take('api').stop();
    report.check('an API stops in time, with code 0', endingProblems(ending));
    await load.accepts(load.writers * 4);
  });

  await deployment.add('worker', 1);
  for (let round = 1; round <= pauses; round++) {
    await disturbedRound(load, report, `one of two workers paused, round ${round} of ${pauses}`, async () => {
      await load.accepts(random.integer(30, 100));
      // The paused worker keeps its accounts until it continues or is killed. The other worker
      // serves the rest.
      const paused = random.pick(deployment.workers).process;
      paused.pause();
      await load.accepts(random.integer(60, 200));
      await sleep(random.integer(200, longestPause));
      if (random.chance(0.7)) paused.resume();
      else {
        report.killed('a paused worker', deployment.remove(paused).kill() ? 1 : 0);
        await deployment.add('worker', 1);
      }
      await load.accepts(load.writers * 4);
    });
  }
}
