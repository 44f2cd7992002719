import { Readable } from 'node:stream';
import { Import } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { Service } from '#platform/http/server/service.ts';
import { failuresByOperation } from '#app/worker/failures.ts';
import { requireImport } from './cancel-import.ts';
import { failuresBody, fileBodies } from './examples.ts';
import { readContentDigest, readContentRange } from './file-part.ts';
import { importParams, importTag } from './import-routes.ts';
import { importView } from '../store/import-view.ts';
import { readFailures } from './read-failures.ts';
import { uploadFile } from './upload-file.ts';

/** The files of imports; `app` must be a scope of its own, because its bodies are streamed, whatever their type and size. */
export function importFileRoutes(app: FastifyInstance, { context }: Service): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    (_request: FastifyRequest, body: Readable, done: (error: null, body: Readable) => void) => done(null, body),
  );
  serveAdmin(app, {
    method: 'PUT',
    path: '/accounts/:account_id/imports/:import_id/file',
    operationId: 'sendImportFile',
    tag: importTag,
    summary: 'Send the file of an import',
    description: [
      'The body is the file: CSV or NDJSON, in UTF-8, in UTF-16 with a byte order mark, or in the `encoding` that the import names; it may be packed with gzip, with or without `Content-Encoding`. Its `Content-Type` does not matter. It is streamed, and may have as many bytes as `ROSTER_IMPORT_FILE_MB` allows.',
      'A file can be sent in parts, so that an upload that breaks off goes on behind the last part: each part has a `Content-Range`, such as `bytes 0-8388607/20000000`, or `bytes 0-8388607/*` while the size is not known. A part must begin at `received_bytes` of the import, and all parts that state the size of the file must state the same one, else the answer is 409. The part that ends the file begins the import. `Content-Digest: sha-256=:…:` makes the service check what arrived.',
      'The answer says whether the import can run: `accepted`, or `failed` when the beginning of the file tells that it cannot. An upload that breaks off leaves nothing, and can be repeated; a file that was taken cannot be replaced.',
      'Rows become requests of the account, a thousand each, among its other requests, and fail for the same reasons.',
    ].join('\n\n'),
    params: importParams,
    rawBodies: fileBodies,
    failures: [...new Set([...failuresByOperation['contact.create'], ...failuresByOperation['contact.update']])],
    answer: Import,
    errors: [
      'conflict',
      'malformed_request',
      'unsupported_content_encoding',
      'file_too_large',
      'storage_unavailable',
      'storage_full',
    ],
    async handle({ params: { account_id: accountId, import_id: importId }, incoming, departure }) {
      const encoding = incoming.headers['content-encoding']?.trim().toLowerCase() ?? '';
      if (!['', 'identity', 'gzip', 'x-gzip'].includes(encoding)) throw new ApiError('unsupported_content_encoding');
      const row = await uploadFile(
        context,
        { accountId, importId },
        {
          body: incoming.body instanceof Readable ? incoming.body : Readable.from([]),
          saysGzip: encoding.endsWith('gzip'),
          part: readContentRange(incoming.headers['content-range']),
          digest: readContentDigest(incoming.headers['content-digest']?.toString()),
          departure: departure(),
        },
      );
      return importView(row, context);
    },
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/imports/:import_id/failures',
    operationId: 'getImportFailures',
    tag: importTag,
    summary: 'Get the rows that failed',
    description: [
      'A CSV file (RFC 4180, UTF-8) of the rows that were not applied, and of those of which a value was left out, once the import has ended: the line of the imported file, the column, the reason code and the reason, and then the cells of the row, so that the file can be mended and imported again. A row with several reasons stands there several times. Without failures it has the header alone.',
      'It is kept for `ROSTER_IMPORT_FAILURES_DAYS` days.',
    ].join('\n\n'),
    params: importParams,
    answer: { description: 'The file.', type: 'string' },
    answerBodies: failuresBody,
    errors: ['conflict', 'failures_expired', 'failures_missing', 'storage_unavailable'],
    async handle({ params: { account_id: accountId, import_id: importId }, setHeader }) {
      const content = await readFailures(context, await requireImport(context.db, { accountId, importId }));
      setHeader('content-type', 'text/csv; charset=utf-8');
      setHeader('content-disposition', `attachment; filename="failures-${importId}.csv"`);
      setHeader('x-content-type-options', 'nosniff');
      return content;
    },
  });
}
