import { maxInteger } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, notFound } from '#platform/errors/api-error.ts';
import { endDownloadsAtStop } from '#platform/http/connection/downloads.ts';
import type { Service } from '#platform/http/server/service.ts';
import { exportRuns, type ExportRow } from '../store/export-store.ts';
import { fileName, filesPath, isSigned } from '../store/file-url.ts';
import { contentTypes } from '../run/write-file.ts';
import { answerFile, sendFile, type ServedFile } from './serve-file.ts';

interface FileRequest {
  readonly Params: { readonly account_id: string; readonly file: string };
  readonly Querystring: { readonly expires?: unknown; readonly signature?: unknown };
}

/** Serves the files of exports at signed URLs. The URL is the credential. */
export function exportFileRoutes(app: FastifyInstance, { context }: Service): void {
  // A client whose download ends at a stop can continue with a range request.
  const trackDownload = endDownloadsAtStop(app);
  app.route<FileRequest>({
    // With GET alone, Fastify would read the whole file for a HEAD request too.
    method: ['GET', 'HEAD'],
    url: `${filesPath}/:account_id/:file`,
    // Content-Range and Content-Length must match the bytes of the stored file.
    compress: false,
    schema: { hide: true },
    async handler(request, reply) {
      const row = await addressedExport(request);
      const answer = answerFile(request, servedFile(row));
      return sendFile(reply, answer, async (range) => {
        const content = await context.exportFiles.read(row.file_key!, range);
        if (content !== undefined) return trackDownload(content);
        request.log.error({ export: row.request_id }, 'the file of a completed export is not in the file store');
        throw noFile();
      });
    },
  });

  /** Returns the export of a signed URL. */
  async function addressedExport({ params, query, log }: FastifyRequest<FileRequest>): Promise<ExportRow> {
    const key = exportKeyOf(params);
    const row = key === undefined ? undefined : await exportRuns.find(context.db, key);
    const path = `${filesPath}/${params.account_id}/${params.file}`;
    const expires = typeof query.expires === 'string' && /^\d{1,12}$/.test(query.expires) ? Number(query.expires) : 0;
    const signature = typeof query.signature === 'string' ? query.signature : '';
    // The response for an unknown export must take the same time and look the same. Otherwise
    // callers could find out which exports exist.
    const signed = isSigned(row?.secret ?? noSecret, path, expires, signature);
    if (row === undefined || !signed || row.place !== null || fileName(row) !== params.file) throw noFile();
    if (row.status === 'expired' || expires * 1000 <= context.now().getTime()) throw new ApiError('file_expired');
    if (row.status === 'completed') return row;
    log.warn({ export: row.request_id, status: row.status }, 'a signed URL names an export without a file');
    throw noFile();
  }
}

const noSecret = Buffer.alloc(32);

function noFile(): ApiError {
  return notFound('file at this address');
}

const fileForm = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.csv(?:\.gz)?$/;

function exportKeyOf({ account_id, file }: FileRequest['Params']) {
  const accountId = /^[1-9]\d{0,9}$/.test(account_id) ? Number(account_id) : undefined;
  const id = fileForm.exec(file)?.[1];
  if (accountId === undefined || accountId > maxInteger || id === undefined) return undefined;
  return { accountId, id };
}

function servedFile(row: ExportRow): ServedFile {
  const gzip = row.compression === 'gzip';
  const day = row.finished_at!.toISOString().slice(0, 10);
  return {
    etag: `"${row.request_id}-${row.run}"`,
    lastModified: row.finished_at!,
    size: row.file_size!,
    contentType: contentTypes[row.compression],
    name: `${row.audience_type === null ? 'contacts' : `${row.audience_type}-${row.audience_id}`}-${day}.csv${gzip ? '.gz' : ''}`,
  };
}
