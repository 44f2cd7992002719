import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { AggregatorRegistry } from 'prom-client';
import { buildUnconnectedApp } from '#app/api/offline.ts';
import { watchProcess } from '#platform/observability/process-metrics.ts';
import { createMetrics } from '#platform/observability/metrics.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService());
const contacts = Array.from({ length: 300 }, (_, n) => ({ identity: `person.${n}@example.com` }));
await service.first.createContacts(contacts);

async function search(limit: number, headers: Record<string, string>) {
  return service.app.inject({
    method: 'POST',
    url: '/v5/contact/search',
    headers: { 'api-key': service.first.apiKey, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ output: { pagination: { page: 1, limit } } }),
  });
}

const rowsOf = (json: string) => (JSON.parse(json) as { data: unknown[] }).data;

describe('a response', () => {
  test('is compressed for a client that accepts gzip if it is large enough', async () => {
    const large = await search(300, { 'accept-encoding': 'gzip, deflate, br' });
    expect(large.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: expect.stringContaining('accept-encoding'),
    });
    expect(rowsOf(gunzipSync(large.rawPayload).toString())).toHaveLength(300);
    expect(large.rawPayload.length).toBeLessThan((await search(300, {})).rawPayload.length / 5);

    const small = await search(10, { 'accept-encoding': 'gzip' });
    expect(small.headers['content-encoding']).toBeUndefined();
    expect(rowsOf(small.payload)).toHaveLength(10);
  });

  test('is not compressed for other clients', async () => {
    for (const encoding of ['', 'identity', 'gzip;q=0']) {
      const answer = await search(300, { 'accept-encoding': encoding });
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(rowsOf(answer.payload)).toHaveLength(300);
    }
  });

  test('is compressed when it is a stream or a page of the documentation', async () => {
    const person = await service.app.inject({
      url: '/admin/v1/accounts/1/contacts/1/export',
      headers: { authorization: `Bearer ${testAdminToken}`, 'accept-encoding': 'gzip' },
    });
    expect(person.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(person.rawPayload).toString())).toMatchObject({ complete: true });
    const page = await service.app.inject({ url: '/docs/', headers: { 'accept-encoding': 'gzip' } });
    expect(page.headers['content-encoding']).toBe('gzip');
  });
});

describe('/openapi.json', () => {
  test('is compressed, has an ETag, and is not sent again while it has not changed', async () => {
    const get = (headers: Record<string, string>) => service.app.inject({ url: '/openapi.json', headers });
    const [plain, compressed] = [await get({}), await get({ 'accept-encoding': 'br;q=1.0, gzip;q=0.8' })];
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(compressed.headers['cache-control']).toBe('no-cache');
    expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.payload);
    expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
    const tag = String(compressed.headers['etag']);
    const again = await get({ 'accept-encoding': 'gzip', 'if-none-match': `"other", ${tag}` });
    expect([again.statusCode, again.payload, again.headers['etag']]).toEqual([304, '', tag]);
    expect((await get({ 'if-none-match': tag })).statusCode).toBe(200);
  });
});

describe('web pages of other origins', () => {
  test('may call the service only if their origin is configured', async () => {
    const app = await buildUnconnectedApp({ corsOrigins: ['https://app.example.com'] });
    const ask = (origin: string, method = 'POST') =>
      app.inject({
        method: 'OPTIONS',
        url: '/v5/contact/create',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'api-key, content-type',
        },
      });
    const preflight = await ask('https://app.example.com');
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': 'api-key, content-type',
      'access-control-max-age': '600',
      vary: expect.stringContaining('Origin'),
    });
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
    const refusal = await app.inject({
      method: 'POST',
      url: '/v5/contact/create',
      headers: { origin: 'https://app.example.com' },
    });
    expect(refusal.statusCode).toBe(401);
    expect(refusal.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-expose-headers': expect.stringContaining('X-Request-Id'),
    });
    for (const origin of ['https://evil.test', 'https://app.example.com.evil.test', 'null']) {
      const refused = await ask(origin);
      expect([origin, refused.statusCode]).toEqual([origin, 405]);
      expect(refused.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect((await app.inject({ method: 'OPTIONS', url: '/v5/contact/create' })).statusCode).toBe(405);
    expect((await app.inject({ method: 'OPTIONS', url: '/nowhere' })).statusCode).toBe(404);
    await app.close();
  });

  test('get no CORS headers if no origin is configured', async () => {
    const origin = 'https://app.example.com';
    const { status, headers } = await service.call('OPTIONS', '/v5/contact/create', {
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect([status, headers['access-control-allow-origin']]).toEqual([405, undefined]);
  });
});

test('the metrics include those of each process and its runtime, and the version', async () => {
  const [api, worker] = [createMetrics().registry, createMetrics().registry];
  watchProcess(api, 'api');
  watchProcess(worker, 'worker');
  const published = await Promise.all([api, worker].map((registry) => registry.getMetricsAsJSON()));
  const text = await AggregatorRegistry.aggregate(published).metrics();
  for (const name of ['api', 'worker']) {
    expect(text).toMatch(new RegExp(`process_cpu_seconds_total\\{process="${name}"\\} \\d`));
    expect(text).toMatch(new RegExp(`process_start_time_seconds\\{process="${name}"\\} \\d`));
    expect(text).toMatch(new RegExp(`nodejs_heap_size_used_bytes\\{process="${name}"\\} \\d`));
    expect(text).toMatch(new RegExp(`nodejs_eventloop_lag_p99_seconds\\{process="${name}"\\}`));
    expect(text).toMatch(new RegExp(`roster_build_info\\{version="[\\d.]+",node="\\d[\\d.]+",process="${name}"\\} 1`));
  }
});
