import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startApi } from '#app/api/api-process.ts';
import { listExport, publicUrl, startExportService, type ExportService } from './export-service.ts';

// More than fits into the network buffers.
const size = 64 * 1024 * 1024;

test('a stop does not wait for a long download, and its client can request the rest later', async () => {
  await using exports = await startExportService();
  const { context } = exports.service;
  const url = await largeExport(exports);

  const api = await startApi({ ...context.config, port: 0 });
  const response = await beginDownload(url.replace(publicUrl, api.url));

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

test('a stop does not wait for the keep-alive connection of a download that ends during the stop', async () => {
  await using exports = await startExportService();
  const url = await largeExport(exports);
  const agent = new http.Agent({ keepAlive: true });
  try {
    const api = await startApi({ ...exports.service.context.config, port: 0 });
    const response = await beginDownload(url.replace(publicUrl, api.url), agent);
    expect(response.headers.connection).toBe('keep-alive');

    const began = performance.now();
    const stopped = api[Symbol.asyncDispose]();
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) bytes += chunk.length;
    expect(bytes).toBe(size);
    await stopped;
    expect(performance.now() - began).toBeLessThan(5000);
  } finally {
    agent.destroy();
  }
});

/** Exports a list, and replaces its file with {@link size} bytes. Returns the URL of the file. */
async function largeExport(exports: ExportService): Promise<string> {
  const requestId = await exports.accepted(listExport(1));
  const { file_url: url } = await exports.ended(requestId);
  await writeFile(path.join(exports.directory, '1', `${requestId}-1.csv`), Buffer.alloc(size, 'x'));
  const { db } = exports.service.context;
  await db.updateTable('exports').where('request_id', '=', requestId).set({ file_size: size }).execute();
  return url!;
}

/** Requests a file, and returns the response when its first bytes have arrived. */
async function beginDownload(url: string, agent?: http.Agent): Promise<http.IncomingMessage> {
  const [response] = (await once(http.get(url, { agent }), 'response')) as [http.IncomingMessage];
  expect(response.statusCode).toBe(200);
  await once(response, 'readable');
  return response;
}
