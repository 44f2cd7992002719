import { Readable } from 'node:stream';

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { serve } from '#platform/http/operations/serve.ts';
import { isGzip } from '#platform/http/bodies/content-encoding.ts';
import type { Service } from '#platform/http/server/service.ts';
import { importRuns } from '../store/import-store.ts';
import { readContentDigest, readContentRange } from './file-part.ts';
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
  serve(app, 'sendImportFile', {
    async handle({ params: { account_id: accountId, import_id: id }, incoming, departure }) {
      const saysGzip = isGzip(incoming.headers);
      const row = await uploadFile(
        context,
        { accountId, id },
        {
          body: incoming.body instanceof Readable ? incoming.body : Readable.from([]),
          saysGzip,
          part: readContentRange(incoming.headers['content-range']),
          digest: readContentDigest(incoming.headers['content-digest']?.toString()),
          departure: departure(),
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
