import { openExportFile, type ExportFile } from './export-file.ts';
import type { CallOptions, Connection } from '../transport/connection.ts';
import { RosterError } from '../transport/roster-error.ts';
import { waitUntil, type WaitOptions } from '../transport/waiting.ts';
import { Listing, type Page } from '../wire/listing.ts';
import type { CreateExportBody, Export, ExportPreview, ListExportsQuery, PreviewExportBody } from '../wire/shapes.ts';

/** Creates the operations on the exports of an account. */
export function createExports(connection: Connection, account: { readonly account_id: number }) {
  return {
    list: ({ signal, ...query }: Pick<CallOptions, 'signal'> & Omit<ListExportsQuery, 'cursor'> = {}): Listing<
      Export,
      Page<Export>
    > =>
      new Listing((cursor) =>
        connection.call('listExports', { path: account, query: { ...query, ...(cursor && { cursor }) }, signal }),
      ),
    get: (requestId: string, options: CallOptions = {}): Promise<Export> =>
      connection.call('getExport', { ...options, path: { ...account, request_id: requestId } }),
    /** Exports an audience, the contacts that match a filter, or all contacts. */
    create: (body: CreateExportBody, options: CallOptions = {}): Promise<Export> =>
      connection.call('createExport', { ...options, path: account, body }),
    /** Returns the first rows of the file that an export would write. Nothing is stored. */
    preview: (body: PreviewExportBody, options: CallOptions = {}): Promise<ExportPreview> =>
      connection.call('previewExport', { ...options, path: account, body }),
    cancel: (requestId: string, options: CallOptions = {}): Promise<Export> =>
      connection.call('cancelExport', { ...options, path: { ...account, request_id: requestId } }),
    /** Waits until an export is `completed`, `failed` or `cancelled`, and returns it. */
    wait(requestId: string, options: WaitOptions<Export> = {}): Promise<Export> {
      return waitUntil(
        () => this.get(requestId, { signal: options.signal }),
        ({ status }) => status !== 'accepted' && status !== 'running',
        options,
      );
    },
    /**
     * Opens the file of a completed export as a stream. After a broken connection, the stream
     * continues where it was. Throws `not_finished` if there is no file.
     */
    async open(requestId: string, options: CallOptions = {}): Promise<ExportFile> {
      const { file_url: url, status, error } = await this.get(requestId, options);
      if (url !== null) return await openExportFile(connection, url, options.signal);
      const text = `getExport: There is no file. The export is ${status}${error === null ? '' : `: ${error}`}`;
      throw new RosterError('not_finished', text, { operation: 'getExport', requestId });
    },
  };
}
