import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { operationTable } from '@roster/contract/operations';
import { afterAll, describe, expect, test } from 'vitest';
import { buildUnconnectedApp } from '#app/api/offline.ts';
import { renderMarkdown } from '#platform/http/documentation/markdown/markdown.ts';
import { navigation } from '#platform/http/documentation/navigation.ts';
import { addressOf, documentationRoot, readDocuments } from '#platform/http/documentation/read-documents.ts';

const documents = await readDocuments();
const app = await buildUnconnectedApp({ publicUrl: 'https://contacts.example.com/roster' });
afterAll(() => app.close());

/** Returns the pages of the reference by their addresses. */
async function referencePages(): Promise<string[]> {
  const { body } = await app.inject('/docs/api');
  return ['/docs/api', ...new Set(Array.from(body.matchAll(/href="(\/docs\/api\/[\w-]+)"/g), ([, link]) => link!))];
}

/** Returns all pages of the documentation with their addresses. */
async function allPages(): Promise<Map<string, string>> {
  const addresses = [...Array.from(documents.keys(), addressOf), ...(await referencePages())];
  return new Map(
    await Promise.all(
      addresses.map(async (address): Promise<[string, string]> => {
        const answer = await app.inject(address);
        expect(answer.statusCode, address).toBe(200);
        return [address, answer.body];
      }),
    ),
  );
}

test('/openapi.json needs no API key and names the public URL', async () => {
  const answer = await app.inject('/openapi.json');
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.json()).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url: 'https://contacts.example.com/roster' }],
    paths: { '/v5/contact/create': {} },
  });
});

test('the navigation has every document except the single decisions', () => {
  const listed = navigation.flatMap(({ paths }) => paths);
  const expected = [...documents.keys()].filter((page) => page !== '' && !page.startsWith('decisions/'));
  expect([...listed].sort()).toEqual(expected.sort());
});

test('no mark of Markdown is left in a page, and each anchor exists once', async () => {
  for (const [address, page] of await allPages()) {
    const text = page.replaceAll(/<(pre|code|textarea|option)\b.*?<\/\1>/gs, '');
    expect(text, address).not.toMatch(/\*\*|\]\(|```|^\||\|-/m);
    const ids = Array.from(page.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
    expect(new Set(ids).size, address).toBe(ids.length);
  }
});

test('every link of a page leads to a page of the service and to an anchor on it', async () => {
  const pages = await allPages();
  const others = new Set(['/console', '/openapi.json', '/console/icon.svg']);
  for (const [address, page] of pages) {
    for (const [, link] of page.matchAll(/ (?:href|src)="(?!https?:)([^"]*)"/g)) {
      const [target, anchor] = link!.split('#', 2);
      if (others.has(target!) || target!.startsWith('/docs/assets/') || target!.startsWith('/docs/images/')) continue;
      const page = pages.get(target === '' ? address : target!);
      expect(page, `${address} links to ${link}`).toBeDefined();
      if (anchor !== undefined) expect(page, `${address} links to ${link}`).toContain(` id="${anchor}"`);
    }
  }
});

test('the guides that pages of the console name exist', async () => {
  const pages = await allPages();
  const files = await readdir(path.join(documentationRoot, 'packages/console/src'), { recursive: true });
  const sources = await Promise.all(
    files
      .filter((file) => file.endsWith('.tsx'))
      .map((file) => readFile(path.join(documentationRoot, 'packages/console/src', file), 'utf8')),
  );
  const guides = sources.flatMap((source) => Array.from(source.matchAll(/"(\/docs[^"]*)"/g), ([, link]) => link!));
  expect(guides.length).toBeGreaterThan(10);
  for (const guide of guides) {
    const [address, anchor] = guide.split('#', 2);
    expect(pages.get(address!), guide).toContain(anchor === undefined ? '<h1' : ` id="${anchor}"`);
  }
});

test('the reference shows every operation once, with an example and its permission', async () => {
  const pages = await allPages();
  const text = [...pages]
    .filter(([address]) => address.startsWith('/docs/api/'))
    .map(([, page]) => page)
    .join('\n');
  for (const [id, { permission }] of Object.entries(operationTable)) {
    const [, section, ...more] = text.split(`<section class="operation" id="${id}"`);
    expect(more, id).toEqual([]);
    expect(section, id).toContain('curl');
    if (permission?.includes(':') === true) expect(section, id).toContain(`<code>${permission}</code>`);
  }
});

test('pages and their files come from the service, and the policy allows no other source', async () => {
  for (const [address, page] of await allPages()) {
    expect(page, address).not.toMatch(/ (?:style|on\w+)="|<style|<script(?! src="\/docs\/assets\/)/);
  }
  const answer = await app.inject('/docs');
  const policy = String(answer.headers['content-security-policy']);
  expect(policy).toMatch(/^default-src 'none'/);
  expect(policy).not.toMatch(/https?:|\*|unsafe|data:/);
  for (const file of await readdir(
    path.join(documentationRoot, 'packages/server/src/platform/http/documentation/assets'),
  )) {
    const asset = await app.inject(`/docs/assets/${file}`);
    expect(asset.statusCode).toBe(200);
    expect(asset.body).not.toMatch(/https?:\/\//);
  }
});

test.each([
  '/docs/unknown',
  '/docs/api/unknown',
  '/docs/assets/..%2fpage-frame.ts',
  '/docs/images/unknown.png',
  '/docs/..%2f',
])('%s does not exist', async (address) => {
  const answer = await app.inject(address);
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ code: 404 });
});

test('a browser gets a page of the documentation with status 404 for an address without a page', async () => {
  const headers = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-mode': 'navigate' };
  for (const url of ['/docs/nope', '/docs/api/nope', '/docs/<script>']) {
    const answer = await app.inject({ url, headers });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.body).toContain('<h1>This page does not exist</h1>');
    expect(answer.body).toContain('action="/docs/search"');
    expect(answer.body).not.toContain('<script>');
  }
});

test('a page that has not changed is not sent again', async () => {
  const { headers } = await app.inject('/docs/glossary');
  const again = await app.inject({ url: '/docs/glossary', headers: { 'if-none-match': String(headers['etag']) } });
  expect(again.statusCode).toBe(304);
  expect(again.body).toBe('');
});

describe('the search', () => {
  test('finds sections of documents and operations, those with the words in their title first', async () => {
    const { body } = await app.inject('/docs/search?q=erasure');
    const first = /<ol class="found"><li><a href="([^"]*)"/.exec(body)?.[1];
    expect(first).toMatch(/privacy|erasure/);
    expect((await app.inject('/docs/search?q=createSegment')).body).toContain('/docs/api/segments#createSegment');
  });

  test.each(['', 'x'.repeat(5000), '%3Cscript%3E', '%00', 'q%20'.repeat(300)])('takes any words', async (words) => {
    const answer = await app.inject(`/docs/search?q=${words}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).not.toContain('<script>');
  });
});

describe('Markdown becomes HTML', () => {
  const html = (text: string): string =>
    renderMarkdown(text, { resolve: (target) => ({ address: target, title: 'Title' }) })
      .toString()
      .trim();

  test.each([
    ['a <script>x</script> & "c"', '<p>a &lt;script&gt;x&lt;/script&gt; &amp; &quot;c&quot;</p>'],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['[text](page.md#a) and [page.md](page.md)', '<p><a href="page.md#a">text</a> and <a href="page.md">Title</a></p>'],
    [
      '## A `b`',
      '<h2 id="a-b">A <code>b</code><a class="anchor" href="#a-b" aria-label="Link to this section">#</a></h2>',
    ],
    ['```sh\n# no heading\n\n<x>\n```', '<pre tabindex="0"><code># no heading\n\n&lt;x&gt;</code></pre>'],
    ['<!-- left\nout -->\n\ntext', '<p>text</p>'],
  ])('%j', (text, expected) => {
    expect(html(text)).toBe(expected);
  });

  test('a table has a head, and a bar in a cell is escaped', () => {
    expect(html('| A | B |\n|---|---|\n| `x\\|y` | **z** |')).toContain(
      '<thead><tr><th scope="col">A</th><th scope="col">B</th></tr></thead>\n<tbody>\n<tr><td><code>x|y</code></td><td><strong>z</strong></td></tr>',
    );
  });
});
