import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { operationTable } from '@roster/contract/operations';
import { expect, test } from 'vitest';
import { testAdminToken } from '../support/context.ts';
import { startTestService, type Answer, type TestService } from '../support/service.ts';

const folder = path.join(import.meta.dirname, '../../../../docs/contract');

/** A request on a page, and the answer that follows it. */
interface Example {
  readonly line: number;
  readonly request: string;
  readonly answer: string;
}

/**
 * Finds the pairs of `http` blocks on a page: a request, and its answer, which begins with
 * `HTTP/1.1`.
 */
function examplesOf(page: string): Example[] {
  const blocks = [...page.matchAll(/^```http\n(.*?)^```$/gms)].map(({ 1: text, index }) => ({
    text: text!,
    line: page.slice(0, index).split('\n').length,
    isAnswer: text!.startsWith('HTTP/1.1 '),
  }));
  return blocks.flatMap(({ text, line, isAnswer }, index) => {
    if (isAnswer) return [];
    const answer = blocks[index + 1];
    if (answer?.isAnswer !== true) throw new Error(`the request in line ${line} has no answer`);
    return { line, request: text, answer: answer.text };
  });
}

/** Replaces `{name}` with the value of this name in an earlier answer of the page. */
function fillIn(text: string, seen: ReadonlyMap<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => seen.get(name) ?? place);
}

/** Stores each string and number of an answer under its name. */
function remember(value: unknown, seen: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string' || typeof inner === 'number') seen.set(name, String(inner));
    else remember(inner, seen);
  }
}

/** Escapes the special characters of regular expressions. */
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/**
 * Makes a matcher for the expected value. `…` matches any text or value, and an object may have
 * more fields.
 */
function matcherOf(expected: unknown): unknown {
  if (expected === '…') return expect.anything();
  if (typeof expected === 'string' && expected.includes('…')) {
    return expect.stringMatching(new RegExp(`^${expected.split('…').map(escaped).join('.*')}$`, 's'));
  }
  if (Array.isArray(expected)) {
    const open = expected.at(-1) === '…';
    return open ? expect.arrayContaining(expected.slice(0, -1).map(matcherOf)) : expected.map(matcherOf);
  }
  if (typeof expected !== 'object' || expected === null) return expected;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, matcherOf(value)])),
  );
}

async function send(service: TestService, request: string): Promise<Answer> {
  const [head, ...rest] = request.split('\n\n');
  const [first, ...lines] = head!.trim().split('\n');
  const [method, url] = first!.split(' ');
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  const body = rest.join('\n\n');
  await service.settled();
  return service.call(method!, url!, body === '' ? { headers } : { headers, body });
}

/**
 * Sends the request and compares the answer. A GET is repeated until the background work that it
 * shows is done.
 */
async function check(service: TestService, example: Example, seen: Map<string, string>): Promise<void> {
  const request = fillIn(
    example.request.replaceAll('rk_…', service.first.apiKey).replaceAll('Bearer …', `Bearer ${testAdminToken}`),
    seen,
  );
  const [, status, text] = /^HTTP\/1\.1 (\d+)[^\n]*\n\n?(.*)$/s.exec(example.answer)!;
  const isJson = text!.startsWith('{');
  const expected: unknown = isJson
    ? matcherOf(JSON.parse(fillIn(text!, seen).replaceAll(/(?<=[:[,]\s*)…(?=\s*[,\]}])/g, '"…"')))
    : matcherOf(text);
  const compare = async (): Promise<void> => {
    const answer = await send(service, request);
    const body: unknown = isJson ? answer.body : String(answer.body).replaceAll('\r\n', '\n');
    expect({ status: answer.status, body }, `returned ${answer.status} ${JSON.stringify(body)}`).toEqual({
      status: Number(status),
      body: expected,
    });
    if (answer.status < 300) remember(answer.body, seen);
  };
  if (request.startsWith('GET '))
    await expect.poll(() => compare().then(() => 'as shown'), { timeout: 10_000 }).toBe('as shown');
  else await compare();
}

const pages = (await readdir(folder)).filter((name) => name.endsWith('.md'));

test.each(pages)(
  'the examples of docs/contract/%s return what the page shows',
  async (name) => {
    const examples = examplesOf(await readFile(path.join(folder, name), 'utf8'));
    await using service = await startTestService();
    await using _jobs = service.startJobs();
    const seen = new Map<string, string>();
    const differences: string[] = [];
    for (const example of examples) {
      try {
        await check(service, example, seen);
      } catch (error) {
        differences.push(`docs/contract/${name}:${example.line}: ${(error as Error).message}`);
      }
    }
    expect(differences.join('\n\n')).toBe('');
  },
  120_000,
);

test('docs/contract names every operation', async () => {
  const texts = await Promise.all(pages.map((name) => readFile(path.join(folder, name), 'utf8')));
  const missing = Object.values(operationTable)
    .map(({ method, path: address }) => `${method} ${address}`)
    .filter((operation) => !texts.some((text) => text.includes(`\`${operation}`)));
  expect(missing).toEqual([]);
});

test('every link on the pages of docs/contract leads to a file', async () => {
  for (const name of pages) {
    const text = await readFile(path.join(folder, name), 'utf8');
    for (const [, target] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      await expect(access(path.join(folder, target!)), `${name} links to ${target}`).resolves.toBeUndefined();
    }
  }
});

test('an example whose answer differs is reported', async () => {
  await using service = await startTestService();
  const request = 'POST /v5/contact/search\napi-key: rk_…\n\n{"output": {"get_count": true}}';
  const compared = (answer: string): Promise<void> => check(service, { line: 1, request, answer }, new Map());
  await compared('HTTP/1.1 200 OK\n\n{"count": 0, "data": []}');
  await expect(compared('HTTP/1.1 200 OK\n\n{"count": 1}')).rejects.toThrow('returned 200');
  await expect(compared('HTTP/1.1 200 OK\n\n{"data": [{"EMAIL": null}]}')).rejects.toThrow('returned 200');
  await expect(compared('HTTP/1.1 400 Bad Request\n\n{"count": 0}')).rejects.toThrow('returned 200');
});
