import { once } from 'node:events';
import http from 'node:http';
import { expect, test } from 'vitest';
import { ensureFirstAccount } from '#app/first-start.ts';
import { startApi } from '#app/api/api-process.ts';
import { createTestContext } from '../support/context.ts';

test('a stop answers the request under way, and does not wait until the client closes its connection', async () => {
  await using context = await createTestContext();
  const { apiKey } = (await ensureFirstAccount(context))!;
  const api = await startApi({ ...context.config, port: 0 });
  const agent = new http.Agent({ keepAlive: true });
  const body = JSON.stringify({ data: { contact_type: 'anonymous', contacts: [{}] } });
  const headers = { 'api-key': apiKey, 'content-type': 'application/json', 'content-length': body.length };
  const request = http.request(`${api.url}/v5/contact/create`, { method: 'POST', agent, headers });
  request.write(body.slice(0, 10));
  // The beginning of the request has arrived when a later request on another connection is
  // answered.
  await fetch(`${api.url}/healthz`, { headers: { connection: 'close' } });

  const began = performance.now();
  const stopped = api[Symbol.asyncDispose]();
  request.end(body.slice(10));
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  expect(response.statusCode).toBe(200);
  expect(response.headers.connection).toBe('close');
  response.resume();
  await stopped;
  expect(performance.now() - began).toBeLessThan(8000);
  agent.destroy();
});
