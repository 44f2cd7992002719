import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RosterProcess } from '../crash/roster-process.ts';
import { operationTable } from '@roster/contract/operations';
import { freePort } from '@roster/embedded-postgres';
import { temporaryDirectory, until } from '../../../embedded-postgres/test/support.ts';
import { guardedEnvironment } from '../support/guarded-environment.ts';

const root = path.join(import.meta.dirname, '../../../..');
const apiKey = 'rk_the-key-that-the-first-start-of-this-test-would-print';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let service: RosterProcess;
let port: number;
/** The commands of the README and of the tour, in order, as one shell script. */
let script: string;

beforeAll(async () => {
  directory = await temporaryDirectory();
  port = await freePort();
  // A reader runs the commands in the checkout. The test runs them in a separate directory with the
  // same layout.
  await mkdir(path.join(directory.path, 'data'));
  await symlink(path.join(root, 'node_modules'), path.join(directory.path, 'node_modules'));
  service = new RosterProcess({
    ROSTER_DATA_DIR: path.join(directory.path, 'data'),
    ROSTER_API_KEY: apiKey,
    PORT: String(port),
    LOG_LEVEL: 'warn',
  });
  const url = `http://127.0.0.1:${port}`;
  await until(
    async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true || service.hasEnded,
    150_000,
  );
  const texts = await Promise.all(['README.md', 'docs/tour.md'].map((name) => readFile(path.join(root, name), 'utf8')));
  const blocks = [...texts.join('\n').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);
  script = blocks
    .join('\n')
    .replaceAll(/KEY=rk_\S+/g, `KEY=${apiKey}`)
    .replaceAll('http://127.0.0.1:8080', url);
}, 180_000);
afterAll(async () => {
  await service.stop();
  await directory[Symbol.asyncDispose]();
});

/**
 * Runs the commands. A status of 400 or above fails its command, and a failed command ends the run.
 */
async function runCommands(): Promise<{ code: number; output: string }> {
  const strict = `set -euo pipefail\ncurl() { command curl --silent --show-error --fail-with-body "$@"; echo; }\n`;
  const child = spawn('bash', ['-c', strict + script], {
    cwd: directory.path,
    env: { ...guardedEnvironment, PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

describe('the commands of the README and of the tour', () => {
  test.each(['the first time', 'a second time'])(
    'work in order when they run %s',
    async () => {
      const { code, output } = await runCommands();
      expect(output).not.toMatch(/"code":(4|5)\d\d|curl: \(/);
      expect({ code, end: code === 0 ? '' : output.slice(-2000) }).toEqual({ code: 0, end: '' });
      expect(output).toMatch(/"outcome":\{"status":"done",.*?"counts":\{/);
      expect(output).toContain('"EMAIL":"asha@example.com","CITY":"Pune"');
      expect(output).toContain('"EMAIL":"asha@example.com","CITY":"Mumbai","sms_opted_out":true');
      // The second run records the same activity again.
      expect(output.match(/"msg_name":"Winter offers"/g)).toHaveLength(1);
      expect(await readFile(path.join(directory.path, 'list.csv'), 'utf8')).toContain('omar@example.net');
      expect(await readFile(path.join(directory.path, 'person.json'), 'utf8')).toContain('visitor-');
    },
    120_000,
  );

  // The tour says that it uses all of them.
  test.each(
    Object.values(operationTable)
      .filter(({ generation }) => generation !== 'operator' && generation !== 'sign-in')
      .map(({ path }) => path.replace(/\{.*/, '')),
  )('show the operation %s', (operation) => {
    expect(script).toContain(operation);
  });
});
