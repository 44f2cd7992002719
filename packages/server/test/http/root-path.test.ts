import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service[Symbol.asyncDispose]());

test('GET / redirects a browser to the documentation', async () => {
  const answer = await service.call('GET', '/', { headers: { accept: 'text/html' } });
  expect(answer).toMatchObject({ status: 302, headers: { location: 'docs' } });
  const page = await service.call('GET', '/docs', { headers: { accept: 'text/html' } });
  expect(page.status).toBeLessThan(400);
});
