import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { guardedEnvironment } from '../support/guarded-environment.ts';
import { listening } from '../support/listening.ts';
import { startTestService } from '../support/service.ts';

const run = promisify(execFile);
const guide = path.join(import.meta.dirname, '../../../../docs/guides/developer.md');

const service = await forFile(startTestService());
const url = await listening(service);
const page = await readFile(guide, 'utf8');
const scopes = /This\s+guide needs (.*?)\.\n/s.exec(page)![1]!.match(/[\w:-]+:[\w:-]+|export/g)!;
const key: string = (await service.first.operator('POST', '/api-keys', { name: 'Guide', scopes })).body.api_key;
// Each block with a command: lines that are indented by four spaces.
const commands = [...page.matchAll(/(?:^ {4}.*\n)+/gm)]
  .map(([block]) => block)
  .filter((block) => block.includes('curl '));

/** Runs a command of the guide with the variables of the guide, and returns the answer. */
async function answerOf(command: string): Promise<Record<string, unknown>> {
  const script = `curl() { command curl --silent --show-error --fail-with-body "$@"; }\n${command}`;
  const env = {
    ...guardedEnvironment,
    PATH: process.env['PATH'],
    URL: url,
    KEY: key,
    JSON: 'content-type: application/json',
  };
  return JSON.parse((await run('bash', ['-c', script], { env })).stdout) as Record<string, unknown>;
}

test('every command of the guide for developers works with the key of the guide', async () => {
  expect(commands.length).toBeGreaterThan(6);
  for (const command of commands) {
    const answer = await answerOf(command);
    expect(answer['code'] ?? answer['statusCode'] ?? 200, command).toBe(200);
    if (command.includes('/v5/contact/search')) expect(answer['count']).toBe(1);
    await service.settled();
  }
});

test('the command with Prefer returns the outcome that the guide explains', async () => {
  const command = commands.find((block) => block.includes('prefer: wait='));
  expect((await answerOf(command!))['outcome']).toMatchObject({
    status: 'done',
    counts: { total: 2, failed: 1 },
    failures: [{ index: 1, code: 'contact_not_found' }],
  });
});
