import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startApi } from '#app/api/api-process.ts';
import { listExport, publicUrl, startExportService } from './export-service.ts';

const size = 64 * 1024 * 1024;

test('a stop does not wait for a long download, and its client can request the rest later', async () => {
  await using exports = await startExportService();
  const { context } = exports.service;
  const requestId = await exports.accepted(listExport(1));
  const url = (await exports.ended(requestId)).file_url!;
  // More than fits into the network buffers.
  await writeFile(path.join(exports.directory, '1', `${requestId}-1.csv`), Buffer.alloc(size, 'x'));
  await context.db.updateTable('exports').where('request_id', '=', requestId).set({ file_size: size }).execute();

  const api = await startApi({ ...context.config, port: 0 });
  const request = http.get(url.replace(publicUrl, api.url));
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  expect(response.statusCode).toBe(200);
  await once(response, 'readable');

  const aborted = expect(once(response, 'end')).rejects.toThrow('aborted');
  const began = performance.now();
  const stopped = api[Symbol.asyncDispose]();
  await stopped;
  expect(performance.now() - began).toBeLessThan(9000);
  response.resume();
  await aborted;

  await using again = await startApi({ ...context.config, port: 0 });
  const rest = await fetch(url.replace(publicUrl, again.url), { headers: { range: `bytes=${size - 5}-` } });
  expect(rest.status).toBe(206);
  expect(await rest.text()).toBe('xxxxx');
});
