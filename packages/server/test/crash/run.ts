import '../support/loopback-only.mjs';
import { inspect, parseArgs } from 'node:util';
import { diskFull } from './disk-full.ts';
import { gracefulStop } from './graceful-stop.ts';
import { disturbances, killRounds } from './kill-rounds.ts';
import { Load } from './load.ts';
import { createRandom } from './random.ts';
import { Report } from './report.ts';
import { readTestSeed } from '../support/seed.ts';
import { roles } from './roles.ts';
import { clusterDisturbances, clusterRounds } from './cluster-rounds.ts';
import { isCluster } from '../support/cluster.ts';
import { CallbackReceiver } from './side-work/callbacks.ts';
import { SideWork } from './side-work/side-work.ts';
import { slowness } from './wait.ts';
import { SupervisedService } from './supervised-service.ts';

// `npm run test:crash` disturbs a service in many ways while it works. Afterwards:
// - requests that were answered with 200 must be applied once and in order
// - unanswered requests must be applied wholly or not at all
// CONTRIBUTING.md explains the test. `npm test` runs it with `--short`.
const help = `npm run test:crash -- [options]

  --rounds N    rounds: nine tenths disturb one service, one tenth fills its disk, and a tenth pauses one of two workers (200)
  --only PART   one part: kills, disk-full, workers or cluster
  --writers N   callers that write contacts at the same time (8)
  --short       one round of each kind

With ROSTER_TEST_LAYOUT=citus, all rounds disturb a service on a cluster. CONTRIBUTING.md says how.
ROSTER_TEST_SEED=<seed> makes the same choices again; when they happen depends on the machine.
ROSTER_TEST_PATIENCE=<factor> waits longer for everything, on a machine that is busy.`;
const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string' },
    writers: { type: 'string', default: '8' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}
// The long form tries different choices in every run.
const seed = readTestSeed(process.env, values.short ? undefined : 'random');
const rounds = Number(
  values.rounds ?? (values.short ? (isCluster ? clusterDisturbances.length : disturbances.length + 2) : 200),
);
const writers = Number(values.writers);
const tenth = Math.max(1, Math.floor(rounds / 10));
/** Milliseconds. In the long form this is longer than the deadline for accepting a request. */
const longestPause = values.short ? 1000 : 18_000;

const report = new Report();
const random = createRandom(seed);
const began = performance.now();
report.say(`crash test, ROSTER_TEST_SEED=${seed}, ${rounds} rounds`);
// Every wait has its own limit. This limit is for waits that have none by mistake.
const deadline = setTimeout(() => giveUp(), (300_000 + rounds * 60_000) * slowness);
const onCluster = { cluster: () => clusterRounds(report, { rounds, writers, random }) };
const onOneServer = {
  kills,
  'disk-full': () => diskFull(report, { rounds: tenth, writers, random, longest: values.short ? 1500 : 5000 }),
  workers: () => roles(report, { writers, random, scale: values.short ? 1 : 10, pauses: tenth, longestPause }),
};
const parts: Readonly<Record<string, () => Promise<void>>> = isCluster ? onCluster : onOneServer;
try {
  for (const [name, run] of Object.entries(parts)) if (values.only === undefined || values.only === name) await run();
} catch (error) {
  report.check('the test ran to its end', [inspect(error)]);
}
clearTimeout(deadline);
report.summarize((performance.now() - began) / 1000);
process.exit(report.failed === 0 ? 0 : 1);

async function kills(): Promise<void> {
  await using callbacks = await CallbackReceiver.start();
  await using service = await SupervisedService.start({ callbacksTo: callbacks.place });
  report.complaints = () => service.complaints;
  const load = await Load.prepare(service, { accounts: 2, writers, random });
  report.loads.push(load.state);
  const work = await SideWork.start(service, callbacks);
  await killRounds(service, { load, work }, report, { rounds: rounds - 2 * tenth, random, longestPause });
  await work.finish(report);
  await gracefulStop(service, load, report);
}

function giveUp(): never {
  report.check('the test ends in time', ['it does not']);
  report.summarize((performance.now() - began) / 1000);
  process.exit(1);
}
