import { parseArgs } from 'node:util';
import { gracefulStop } from './graceful-stop.ts';
import { killRounds } from './kill-rounds.ts';
import { Load } from './load.ts';
import { createRandom } from './random.ts';
import { Report } from './report.ts';
import { readTestSeed } from '../support/seed.ts';
import { roles } from './roles.ts';
import { killKinds, SupervisedService } from './supervised-service.ts';

// `npm run test:crash`: kills the service in every way while it works, and checks that what was answered with 200 is applied exactly once
// and in order, and what was not answered wholly or not at all. `--short` is the form for `npm test`.
const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    /** Rounds of kills; by default one of each kind in the short form, and four times as many in the long one. */
    rounds: { type: 'string' },
    /** Callers that send requests at the same time. */
    writers: { type: 'string', default: '8' },
  },
});
// The same seed makes the same choices; when they happen depends on the machine. The long form is there to explore.
const seed = readTestSeed(process.env, values.short ? undefined : 'random');
const rounds = Number(values.rounds ?? (values.short ? killKinds.length : 4 * killKinds.length));
const writers = Number(values.writers);

const report = new Report();
const random = createRandom(seed);
const began = performance.now();
report.say(`crash test, ROSTER_TEST_SEED=${seed}`);
// Nothing here waits for long; this is for what nobody thought of.
const deadline = setTimeout(() => giveUp(), 120_000 + rounds * 60_000);
try {
  await killsAndStop();
  await roles(report, { writers, random, scale: values.short ? 1 : 10 });
} catch (error) {
  report.check('the test ran to its end', [error instanceof Error ? (error.stack ?? error.message) : String(error)]);
}
clearTimeout(deadline);
report.summarize((performance.now() - began) / 1000);
process.exit(report.failed === 0 ? 0 : 1);

async function killsAndStop(): Promise<void> {
  await using service = await SupervisedService.start();
  report.complaints = () => service.complaints;
  const load = await Load.prepare(service, { accounts: 2, writers, random });
  report.loads.push(load.state);
  await killRounds(service, load, report, { rounds, random });
  await gracefulStop(service, load, report);
}

function giveUp(): never {
  report.check('the test ends in time', ['it does not']);
  report.summarize((performance.now() - began) / 1000);
  process.exit(1);
}
