import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildUnconnectedApp } from '#app/api/offline.ts';

let app: FastifyInstance;

beforeAll(async () => {
  app = await buildUnconnectedApp({ publicUrl: 'https://contacts.example.com/roster' });
});

afterAll(() => app.close());

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

test('the documentation page and all its files come from the service, and its policy allows no other source', async () => {
  const page = await app.inject('/docs');
  expect(page.statusCode).toBe(200);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toMatch(/^default-src 'none'/);
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  const links = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!);
  expect(links.length).toBeGreaterThan(4);
  for (const link of links) {
    expect(link).toMatch(/^\/docs\/static\//);
    expect((await app.inject(link)).statusCode, link).toBe(200);
  }
  const start = await app.inject('/docs/static/swagger-initializer.js');
  expect(start.body).toContain('"validatorUrl":null');
});

test('the documentation page shows /openapi.json, and there is no other copy of the document', async () => {
  const start = await app.inject('/docs/static/swagger-initializer.js');
  expect(start.body).toContain("url: resolveUrl('../openapi.json')");
  expect(Number(start.headers['content-length'])).toBe(Buffer.byteLength(start.body));
  for (const copy of ['/docs/json', '/docs/yaml']) {
    const answer = await app.inject(copy);
    expect(answer.statusCode).toBe(404);
    expect(answer.json().description).toContain('/openapi.json');
  }
});
