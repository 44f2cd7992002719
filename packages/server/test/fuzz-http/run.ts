import '../support/loopback-only.mjs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { OpenApiDocument } from '#platform/http/openapi/document.ts';
import { readTestSeed } from '../support/seed.ts';
import { Api } from './api.ts';
import { startAttackedService, type AttackedService } from './attacked-service.ts';
import { createBystander } from './bystander.ts';
import { Connection } from './connection.ts';
import { finalChecks } from './final-checks.ts';
import { Findings } from './findings.ts';
import { hostileRequest, type Material } from './hostile-request.ts';
import { createJudge, type Judge } from './judge.ts';
import { MemoryWatch } from './memory.ts';
import { Statistics } from './statistics.ts';
import { targetsOf } from './targets.ts';
import { World } from './world.ts';

// `npm run test:fuzz` sends hostile requests to all operations of a real service. It checks each
// answer, the log, the memory and the stored data. CONTRIBUTING.md explains it.
const help = `npm run test:fuzz -- [options]

  --count N        number of requests to send (1000000; 5000 with --short)
  --seconds N      stop after N seconds of sending (3600; 30 with --short)
  --seed N         the same seed gives the same requests (random and printed; 1 with --short)
  --start N        index of the first request: continues a run, or repeats a finding
  --connections N  number of concurrent requests (32)
  --show           print each request
  --short          the form that npm test runs

  On a busy machine, ROSTER_TEST_PATIENCE=<factor> multiplies the time to wait for answers.`;
const { values } = parseArgs({
  options: {
    count: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
    start: { type: 'string', default: '0' },
    connections: { type: 'string', default: '32' },
    show: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  say(help);
  process.exit(0);
}
const seed =
  values.seed === undefined ? readTestSeed(process.env, values.short ? undefined : 'random') : Number(values.seed);
const start = Number(values.start);
const count = Number(values.count ?? (values.short ? 5000 : 1_000_000));
const seconds = Number(values.seconds ?? (values.short ? 30 : 3600));

/** After this many requests, the accounts are made usable again. */
const usableFor = 10_000;

const findings = new Findings(seed, say);
const statistics = new Statistics();
const accepted: string[] = [];
/** Index of the next request. */
let next = start;
/** Aborted when no more requests must be sent. */
const stopping = new AbortController();
/** Number of log lines that were checked. */
let errorsNoted = 0;
process.once('SIGINT', () => stopping.abort());

say(`fuzz test: seed ${seed}, requests ${start} to ${start + count - 1}, up to ${seconds} s`);
await using service = await startAttackedService();
const began = performance.now();
await attack(service);
for (const line of statistics.lines()) say(line);
for (const line of findings.list()) say(`found ${line}`);
const passed = ((performance.now() - began) / 1000).toFixed(0);
say(
  `${(next - start).toLocaleString('en')} requests, ${accepted.length.toLocaleString('en')} accepted for the pipeline, ${findings.size} findings, ${passed} s`,
);
process.exitCode = findings.size === 0 ? 0 : 1;

async function attack(service: AttackedService): Promise<void> {
  const api = new Api(service.url, service.adminToken);
  const document = (await api.get('/openapi.json')) as OpenApiDocument;
  const targets = targetsOf(document);
  const bystander = await createBystander(api, service.database);
  const world = await World.prepare(api, document, service.receiverUrl);
  const before = await bystander.snapshot();
  const memory = new MemoryWatch(service);
  const material: Material = { document, targets, world, seed, host: `127.0.0.1:${service.port}` };
  const judge = createJudge(document, bystander.secret);
  say(`${targets.length} targets, ${targets.filter(({ isDescribed }) => isDescribed).length} of them described`);

  const ending = new AbortController();
  const sendingBegan = performance.now();
  const watching = watch(service, memory, sendingBegan, ending.signal);
  const senders = Array.from({ length: Number(values.connections) }, () =>
    send(service.port, material, judge, sendingBegan),
  );
  await Promise.all(senders);
  const rate = (next - start) / ((performance.now() - sendingBegan) / 1000);
  ending.abort();
  await watching;
  say(`${rate.toFixed(0)} requests/s; checking the stored data`);
  const missed = targets.filter(({ name }) => !statistics.targets.has(name)).map(({ name }) => name);
  if (count >= 100_000 && missed.length > 0) findings.addGeneral(`no request was sent to ${missed.join(', ')}`, next);
  for (const { name, problems } of await finalChecks(
    { api, database: service.database, world },
    bystander,
    before,
    accepted,
  )) {
    for (const problem of problems) findings.addGeneral(`${name}: ${problem}`, next);
  }
  for (const problem of memory.growth()) findings.addGeneral(problem, next);
  noteErrors(service);
  say(`memory, median of each quarter: ${memory.course()}`);
  if (next < start + count)
    say(
      `stopped early; continue with: npm run test:fuzz -- --seed ${seed} --start ${next} --count ${start + count - next}`,
    );
}

/** Sends requests one after the other on a connection, until the run ends. */
async function send(port: number, material: Material, judge: Judge, sendingBegan: number): Promise<void> {
  using connection = new Connection(port);
  while (next < start + count && !stopping.signal.aborted && !findings.isFull) {
    if (performance.now() - sendingBegan > seconds * 1000) return;
    const index = next++;
    if (index > start && index % usableFor === 0) await material.world.keepUsable();
    const request = hostileRequest(material, index);
    const { method, isTorn, closes } = request.draft;
    if (values.show)
      say(
        `${index} ${request.target.name}, changed: ${request.draft.changes.join(', ')}\n${request.bytes.toString()}\n`,
      );
    const outcome = await connection.exchange(request.bytes, { method, isTorn, closes });
    if (outcome.kind === 'unsent') await sleep(1000);
    statistics.add(request, outcome);
    for (const problem of judge(request, outcome)) findings.add(request, problem);
    if (outcome.kind !== 'answered') continue;
    const isRevoked = outcome.status === 401 && request.draft.isIntact && request.target.credential === 'apiKey';
    if (isRevoked) await material.world.renewKey(request.account);
    if (outcome.status === 200) noteAccepted(request.draft.method, outcome.body);
  }
}

/** Records the request_id of an answer that accepts a request for the pipeline. */
function noteAccepted(method: string, body: Buffer): void {
  if (method !== 'POST' || body.length > 500) return;
  const text = body.toString();
  const id = /"(?:request_id|message)":"([0-9a-f-]{36})"/.exec(text)?.[1];
  if (id !== undefined && /accepted|"status":200/.test(text)) accepted.push(id);
}

/** Checks the processes every second, and prints the progress every ten seconds. */
async function watch(
  service: AttackedService,
  memory: MemoryWatch,
  sendingBegan: number,
  signal: AbortSignal,
): Promise<void> {
  for (let second = 1; !signal.aborted; second++) {
    for (const problem of await memory.sample()) findings.addGeneral(problem, next);
    if (service.hasEnded) {
      findings.addGeneral('the service has ended', next);
      stopping.abort();
    }
    noteErrors(service);
    if (second % 10 === 0) say(progress(memory, sendingBegan));
    await sleep(1000, undefined, { signal }).catch(() => undefined);
  }
}

function progress(memory: MemoryWatch, sendingBegan: number): string {
  const sent = next - start;
  const rate = sent / ((performance.now() - sendingBegan) / 1000);
  const minutes = ((count - sent) / rate / 60).toFixed(0);
  return (
    `${sent.toLocaleString('en')} of ${count.toLocaleString('en')} (${((100 * sent) / count).toFixed(0)}%), ${rate.toFixed(0)}/s, ` +
    `${minutes} min left; ${findings.size} findings; ${memory.now}; resume with --seed ${seed} --start ${Math.max(start, next - Number(values.connections))}`
  );
}

function noteErrors({ errorLines }: AttackedService): void {
  for (; errorsNoted < errorLines.length; errorsNoted++) {
    const line = errorLines[errorsNoted]!;
    findings.addGeneral(`an error in the log: ${line.slice(0, 1000)}`, next);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
