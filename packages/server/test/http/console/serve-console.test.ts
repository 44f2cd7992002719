import { mkdir, mkdtempDisposable, rename, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { forFile } from '../../support/for-file.ts';
import { startTestService } from '../../support/service.ts';

const script = 'export const answer = 42;\n'.repeat(200);
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-mode': 'navigate' };

const { path: folder } = await forFile(mkdtempDisposable(path.join(os.tmpdir(), 'roster-console-')));
const consoleDirectory = path.join(folder, 'dist');
const assets = path.join(consoleDirectory, 'assets');
await mkdir(assets, { recursive: true });
const files: Record<string, string | Buffer> = {
  '../outside.js': 'secret',
  'index.html': '<!doctype html><style nonce="__CSP_NONCE__"></style><script src="/console/assets/app-1.js"></script>',
  'first-paint.js': 'void 0;',
  '.sources': 'hash',
  'assets/app-1.js': script,
  'assets/app-1.js.br': brotliCompressSync(script),
  'assets/app-1.js.gz': gzipSync(script),
  'assets/plain-1.css': 'a{}',
};
for (const [name, content] of Object.entries(files)) await writeFile(path.join(consoleDirectory, name), content);
const service = await forFile(startTestService({ worker: false, consoleDirectory }));

test('every address below /console is the same page for a browser', async () => {
  for (const address of ['/console', '/console/', '/console/accounts/1/contacts', '/console/set-up?x=a.b']) {
    const answer = await service.call('GET', address, { headers: browser });
    expect(answer, address).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });
    expect(answer.body).toContain('/console/assets/app-1.js');
  }
});

test('a page has a strict policy, and a new nonce in each response', async () => {
  const nonces = new Set<string>();
  for (let times = 0; times < 3; times++) {
    const { headers, body } = await service.call('GET', '/console', { headers: browser });
    const policy = String(headers['content-security-policy']);
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)![1]!;
    expect(body).toContain(`nonce="${nonce}"`);
    expect(body).not.toContain('__CSP_NONCE__');
    expect(policy).not.toMatch(/unsafe|data:|blob:|\*|https?:/);
    for (const part of [
      "default-src 'self'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ]) {
      expect(policy.split('; ')).toContain(part);
    }
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(3);
});

test('pages and files have the security headers', async () => {
  for (const address of ['/console', '/console/assets/app-1.js']) {
    expect((await service.call('GET', address, { headers: browser })).headers, address).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()') as string,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  }
});

test('a file with a hash in its name may be cached for ever', async () => {
  const file = await service.call('GET', '/console/assets/plain-1.css');
  expect(file).toMatchObject({
    status: 200,
    headers: { 'cache-control': 'public, max-age=31536000, immutable', 'content-type': 'text/css; charset=utf-8' },
    body: 'a{}',
  });
});

test('a file without a hash in its name is checked before each use', async () => {
  const file = await service.call('GET', '/console/first-paint.js');
  expect(file).toMatchObject({ status: 200, headers: { 'cache-control': 'no-cache' } });
  const again = await service.call('GET', '/console/first-paint.js', {
    headers: { 'if-none-match': String(file.headers['etag']) },
  });
  expect(again.status).toBe(304);
});

test('the form that was compressed in advance is sent to a browser that accepts it', async () => {
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ] as const) {
    const { status, headers } = await service.call('GET', '/console/assets/app-1.js', {
      headers: { 'accept-encoding': accepted },
    });
    expect(status).toBe(200);
    expect(headers['content-encoding'], accepted).toBe(encoding);
    expect(headers['content-type']).toBe('application/javascript; charset=utf-8');
    expect(headers['vary']).toContain('accept-encoding');
  }
});

test('HEAD has the headers of GET and no body', async () => {
  for (const address of ['/console', '/console/assets/plain-1.css']) {
    const got = await service.call('GET', address, { headers: browser });
    const head = await service.call('HEAD', address, { headers: browser });
    expect(head.status).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers['content-type']).toBe(got.headers['content-type']);
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
  }
});

test('a missing file is 404 and may not be cached, also for a browser', async () => {
  for (const address of [
    '/console/assets/app-2.js',
    '/console/assets/',
    '/console/assets/..%2Findex.html',
    '/console/assets/..%2F..%2Foutside.js',
    '/console/assets/%2e%2e/%2e%2e/outside.js',
    '/console/assets/.hidden.js',
    '/console/missing.js',
  ]) {
    const answer = await service.call('GET', address, { headers: browser });
    expect(answer.status, address).toBe(404);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toMatchObject({ request_id: expect.any(String) as string });
  }
});

test('a program gets 404 for an address that is not a file', async () => {
  const headers = { accept: 'application/json' };
  expect((await service.call('GET', '/console/accounts/1', { headers })).status).toBe(404);
  const fetched = { accept: 'text/html', 'sec-fetch-mode': 'cors' };
  expect((await service.call('GET', '/console/accounts/1', { headers: fetched })).status).toBe(404);
  expect((await service.call('GET', '/console/.sources', { headers })).status).toBe(404);
});

test('other methods than GET and HEAD are refused', async () => {
  expect((await service.call('POST', '/console', { body: {}, headers: browser })).status).toBe(405);
});

test('the page loads again by itself while the console is being built', async () => {
  const away = path.join(folder, 'away');
  await rename(consoleDirectory, away);
  try {
    const answer = await service.call('GET', '/console/accounts/1', { headers: browser });
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2', refresh: '2', 'content-type': 'text/html; charset=utf-8' },
      body: expect.stringContaining('The console is being built') as string,
    });
    expect((await service.call('GET', '/console/assets/app-1.js')).status).toBe(404);
  } finally {
    await rename(away, consoleDirectory);
  }
  expect((await service.call('GET', '/console/accounts/1', { headers: browser })).status).toBe(200);
});
