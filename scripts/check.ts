// Runs `npm test`: format, types, lint, structure and generated pages at the same time. If they
// pass, the tests and, at the same time, short forms of the crash and fuzz tests.
// With arguments, only vitest runs: `npm test -- search`.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { memoryDirectory } from './check/memory-directory.ts';
import { runStep, type Step, type StepResult } from './check/step.ts';

const root = path.dirname(import.meta.dirname);
// All programs below load compiled code from here, like `roster serve`.
process.env['NODE_COMPILE_CACHE'] ??= path.join(root, 'node_modules/.cache/roster');
const temporary = memoryDirectory();
if (temporary !== undefined) process.env['TMPDIR'] = temporary;
/** Programs whose short form runs beside the tests. */
const programs = [
  { name: 'crash test', file: 'packages/server/test/crash/run.ts' },
  { name: 'fuzz test', file: 'packages/server/test/fuzz-http/run.ts' },
];

/** Steps that only read files. They run at the same time. */
const staticSteps: readonly Step[] = [
  { name: 'format', program: 'oxfmt', args: ['--check', '.'], advice: 'Run `npm run format`.' },
  { name: 'types', program: 'tsc', args: ['--noEmit'] },
  { name: 'types of the console', program: 'tsc', args: ['--noEmit', '-p', 'packages/console'] },
  { name: 'types of the browser tests', program: 'tsc', args: ['--noEmit', '-p', 'packages/console/test'] },
  { name: 'lint', program: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  {
    name: 'structure',
    program: 'node',
    args: ['scripts/check-structure.ts'],
    advice: 'See the laws in ARCHITECTURE.md.',
  },
  { name: 'generated pages', program: 'node', args: ['scripts/generate.ts', '--check'] },
];

const buildSteps: readonly Step[] = ['console', 'server'].map((name) => ({
  name: `build of ${name}`,
  program: 'node',
  args: [`packages/${name}/build/build.ts`],
}));

const results: StepResult[] = [];
const tests = { passed: 0, failed: 0 };
const started = performance.now();
const passed = process.argv.length > 2 ? await buildAndTest(process.argv.slice(2)) : await runEverything();
summarize();
process.exitCode = passed ? 0 : 1;

async function runEverything(): Promise<boolean> {
  for (const result of await Promise.all(staticSteps.map((step) => runStep(step)))) report(result);
  if (results.some(({ ok }) => !ok)) return false;
  if (!(await build())) return false;
  // The programs wait a lot, so they run beside the tests.
  const found = programs.filter(({ file }) => existsSync(path.join(root, file)));
  const running = found.map(({ name, file }) => runStep({ name, program: 'node', args: [file, '--short'] }));
  await runTests([]);
  for (const result of await Promise.all(running)) report(result);
  return results.every(({ ok }) => ok);
}

async function buildAndTest(args: readonly string[]): Promise<boolean> {
  return (await build()) && runTests(args);
}

/** Builds the console, which the browser tests need, and the service, which runs from its build. */
async function build(): Promise<boolean> {
  const built = await Promise.all(buildSteps.map((step) => runStep(step)));
  built.forEach(report);
  return built.every(({ ok }) => ok);
}

async function runTests(args: readonly string[]): Promise<boolean> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-check-'));
  try {
    const file = path.join(directory, 'results.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    report(await runStep({ name: 'tests', program: 'vitest', args: ['run', ...reporters, ...args] }, { show: true }));
    // There is no file if vitest failed before it ran tests.
    const text = await readFile(file, 'utf8').catch(() => '{}');
    const counts = JSON.parse(text) as { numPassedTests?: number; numFailedTests?: number };
    tests.passed += counts.numPassedTests ?? 0;
    tests.failed += counts.numFailedTests ?? 0;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return results.at(-1)!.ok;
}

function report(result: StepResult): void {
  results.push(result);
  const { step, ok, seconds, output } = result;
  console.log(`${ok ? '✓' : '✗'} ${step.name} (${seconds.toFixed(1)} s)`);
  if (ok) return;
  if (output !== '') console.log(`\n${output}\n`);
  if (step.advice !== undefined) console.log(step.advice);
}

/** Prints the summary. The last line counts all tests, and each other step as one. */
function summarize(): void {
  const others = results.filter(({ step }) => step.name !== 'tests');
  const broken = results.filter(({ ok }) => !ok).map(({ step }) => step.name);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`\n${broken.length === 0 ? 'All checks passed' : `Failed: ${broken.join(', ')}`} (${seconds} s).`);
  const count = tests.passed + others.filter(({ ok }) => ok).length;
  // vitest can fail without a failed test, for example when a file cannot be read.
  const failed = Math.max(tests.failed + others.filter(({ ok }) => !ok).length, broken.length);
  console.log(`${count} passed, ${failed} failed`);
}
