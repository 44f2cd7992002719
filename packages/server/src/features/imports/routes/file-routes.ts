import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '#platform/context.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { isGzip } from '#platform/http/bodies/content-encoding.ts';
import type { Service } from '#platform/http/server/service.ts';
import { failuresCsv } from '../run/failures-file.ts';
import { importRuns, type ImportRow } from '../store/import-store.ts';
import { readContentDigest, readContentRange } from './file-part.ts';
import { importView } from '../store/import-view.ts';
import { uploadFile } from './upload-file.ts';

/**
 * Registers the operations that transfer the files of imports. `app` must be a separate scope: the
 * bodies of its requests are streamed, with any type and any size.
 */
export function importFileRoutes(app: FastifyInstance, { context }: Service): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    (_request: FastifyRequest, body: Readable, done: (error: null, body: Readable) => void) => done(null, body),
  );
  serve(app, 'sendImportFile', {
    async handle({ params: { account_id: accountId, import_id: id }, incoming, disconnectSignal }) {
      const row = await uploadFile(
        context,
        { accountId, id },
        {
          body: incoming.body instanceof Readable ? incoming.body : Readable.from([]),
          saysGzip: isGzip(incoming.headers),
          part: readContentRange(incoming.headers['content-range']),
          digest: readContentDigest(incoming.headers['content-digest']?.toString()),
          disconnected: disconnectSignal(),
        },
      );
      return importView(row, context);
    },
  });

  serve(app, 'getImportFailures', {
    async handle({ params: { account_id: accountId, import_id: id }, setHeader }) {
      const content = await readFailures(context, await importRuns.require(context.db, { accountId, id }));
      setHeader('content-type', 'text/csv; charset=utf-8');
      setHeader('content-disposition', `attachment; filename="failures-${id}.csv"`);
      setHeader('x-content-type-options', 'nosniff');
      return content;
    },
  });
}

/**
 * Reads the file of failures of an import that has ended. Without failures, it has only the header.
 *
 * Throws:
 * - `conflict` when the file of failures is not written yet
 * - `failures_expired` when it was deleted
 * - `failures_missing` when it could not be written
 */
async function readFailures(context: Context, row: ImportRow): Promise<Readable> {
  const content = row.failures_key === null ? undefined : await context.exportFiles.read(row.failures_key);
  if (content !== undefined && row.finished_at !== null) return content;
  if (row.failures_expire_at !== null && row.failures_key === null) throw new ApiError('failures_expired');
  // A failed or cancelled import writes its failures after it has ended, and deletes its file last.
  if (row.finished_at === null || (row.file_key !== null && row.status !== 'completed')) {
    const state = row.finished_at === null ? row.status : 'ending';
    const reason = `The import is ${state}. Its failures are not complete yet. Try again when it has ended.`;
    throw new ApiError('conflict', { params: { reason } });
  }
  if (row.failed + row.warnings > 0) throw new ApiError('failures_missing');
  const { records, csv } = failuresCsv(row, Readable.from([]), true);
  return records.pipe(csv);
}
