import { expect, test } from 'vitest';
import { startApi } from '#app/api/api-process.ts';
import { createTestContext } from '../support/context.ts';

test('the URL of an API that listens on every address can be opened on its machine', async () => {
  await using context = await createTestContext();
  await using api = await startApi({ ...context.config, host: '0.0.0.0', port: 0 });
  expect(api.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
});
