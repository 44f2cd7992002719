import { pipeline, Readable } from 'node:stream';
import { pageLimits } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { masksFor, type Masks } from '#features/registry/masks.ts';
import type { Context } from '#platform/context.ts';
import { presentActor } from '#platform/http/authentication/require-actor.ts';
import { decodeCursor, encodeCursor } from '#platform/http/paging/page.ts';
import { ApiError, conflict } from '#platform/errors/api-error.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { isGzip } from '#platform/http/bodies/content-encoding.ts';
import type { Service } from '#platform/http/server/service.ts';
import { enterGate } from '#platform/load/enter-gate.ts';
import { createFairGate } from '#platform/load/fair-gate.ts';
import { maskedFailures, readFailurePage } from '../run/failure-page.ts';
import { failuresCsv } from '../run/failures-file.ts';
import { importRuns, type ImportRow } from '../store/import-store.ts';
import { readContentDigest, readContentRange } from './file-part.ts';
import { importView } from '../store/import-view.ts';
import { uploadFile } from './upload-file.ts';

/**
 * Files that are sent at the same time to one process, in total and by one account. Each takes up to
 * 24 MiB of memory if the store is in S3, and as long as its client wants.
 */
export const uploadLimits = { total: 64, perKey: 8, waitingPerKey: 100, timeout: 15_000 } as const;

/**
 * Registers the operations that transfer the files of imports. `app` must be a separate scope: the
 * bodies of its requests are streamed, with any type and any size.
 */
export function importFileRoutes(app: FastifyInstance, service: Service): void {
  const { context } = service;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    (_request: FastifyRequest, body: Readable, done: (error: null, body: Readable) => void) => done(null, body),
  );
  const gate = createFairGate<number>(uploadLimits);
  serve(app, 'sendImportFile', {
    async handle({ params: { account_id: accountId, import_id: id }, incoming, disconnectSignal }) {
      const disconnected = disconnectSignal();
      const file = {
        body: incoming.body instanceof Readable ? incoming.body : Readable.from([]),
        saysGzip: isGzip(incoming.headers),
        length: lengthOf(incoming),
        part: readContentRange(incoming.headers['content-range']),
        digest: readContentDigest(incoming.headers['content-digest']?.toString()),
        checkRights: () => presentActor(service, incoming),
        disconnected,
      };
      const leave = await enterGate(gate, accountId, 'too_many_large_bodies', disconnected);
      try {
        return importView(await uploadFile(context, { accountId, id }, file), context);
      } finally {
        leave();
      }
    },
  });

  serve(app, 'getImportFailures', {
    async handle({ params: { account_id: accountId, import_id: id }, setHeader, actor }) {
      const row = await importRuns.require(context.db, { accountId, id });
      const content = await readFailures(context, row, await masksFor(context.db, actor, accountId));
      setHeader('content-type', 'text/csv; charset=utf-8');
      setHeader('content-disposition', `attachment; filename="failures-${id}.csv"`);
      setHeader('x-content-type-options', 'nosniff');
      return content;
    },
  });

  serve(app, 'listImportFailures', {
    async handle({ params: { account_id: accountId, import_id: id }, query, actor }) {
      const row = await importRuns.require(context.db, { accountId, id });
      const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, [Number.MAX_SAFE_INTEGER])[0];
      if (!hasFailures(row)) return { data: [], next_cursor: null };
      const masks = await masksFor(context.db, actor, accountId);
      const page = await readFailurePage(context, row, { limit: query.limit ?? pageLimits.default, after, masks });
      if (page === undefined) throw new ApiError('failures_missing');
      return { data: page.rows, next_cursor: page.next === undefined ? null : encodeCursor([page.next]) };
    },
  });
}

/** Returns the bytes that a body has by its `Content-Length`; undefined without this header. */
function lengthOf({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/**
 * Tells whether an import that has ended has a file of failures. Without failures, it has none.
 *
 * Throws:
 * - `conflict` when the file of failures is not written yet
 * - `failures_expired` when it was deleted
 * - `failures_missing` when it could not be written
 */
function hasFailures(row: ImportRow): boolean {
  if (row.failures_key !== null && row.finished_at !== null) return true;
  if (row.failures_expire_at !== null && row.failures_key === null) throw new ApiError('failures_expired');
  // A failed or cancelled import writes its failures after it has ended, and deletes its file last.
  if (row.finished_at === null || (row.file_key !== null && row.status !== 'completed')) {
    const state = row.finished_at === null ? row.status : 'ending';
    throw conflict(`The import is ${state}. Its failures are not complete yet. Try again when it has ended.`);
  }
  if (row.failed + row.warnings > 0) throw new ApiError('failures_missing');
  return false;
}

/** Reads the file of failures of an import that has ended. Without failures, it has only the header. */
async function readFailures(context: Context, row: ImportRow, masks: Masks | undefined): Promise<Readable> {
  if (!hasFailures(row)) {
    const { records, csv } = failuresCsv(row, Readable.from([]), true);
    return pipeline(records, csv, () => undefined);
  }
  const content = await context.exportFiles.read(row.failures_key!);
  if (content === undefined) throw new ApiError('failures_missing');
  return masks === undefined ? content : maskedFailures(content, row, masks);
}
