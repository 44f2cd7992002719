import { expect, test } from 'vitest';
import { forFile } from '../../support/for-file.ts';
import { startTestService } from '../../support/service.ts';

const service = await forFile(startTestService({ worker: false }));

test('GET / redirects a browser to the console', async () => {
  const answer = await service.call('GET', '/', { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect(answer).toMatchObject({ status: 302, headers: { location: 'console', vary: 'accept, sec-fetch-mode' } });
});

test('GET / redirects a program to the documentation', async () => {
  const answer = await service.call('GET', '/', { headers: { accept: '*/*' } });
  expect(answer).toMatchObject({ status: 302, headers: { location: 'docs' } });
  const page = await service.call('GET', '/docs', { headers: { accept: 'text/html' } });
  expect(page.status).toBeLessThan(400);
});
