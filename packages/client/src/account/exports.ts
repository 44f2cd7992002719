import { openExportFile, type ExportFile } from './export-file.ts';
import type { AccountConnection, CallOptions } from '../transport/connection.ts';
import { listRows, type ListOptions } from '../transport/list-rows.ts';
import { RosterError } from '../transport/roster-error.ts';
import { waitUntil, type WaitOptions } from '../transport/waiting.ts';
import type { CreateExportBody, Export, ListExportsQuery, PreviewExportBody } from '../wire/shapes.ts';

/** Creates the operations on the exports of an account. */
export function createExports(account: AccountConnection) {
  return {
    list: (options?: ListOptions<ListExportsQuery>) => listRows(account, 'listExports', options),
    get: (requestId: string, options?: CallOptions) =>
      account.call('getExport', { ...options, path: { request_id: requestId } }),
    /** Exports an audience, the contacts that match a filter, or all contacts. */
    create: (body: CreateExportBody, options?: CallOptions) => account.call('createExport', { ...options, body }),
    /** Returns the first rows of the file that an export would write. Nothing is stored. */
    preview: (body: PreviewExportBody, options?: CallOptions) => account.call('previewExport', { ...options, body }),
    cancel: (requestId: string, options?: CallOptions) =>
      account.call('cancelExport', { ...options, path: { request_id: requestId } }),
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
      if (url !== null) return await openExportFile(account, url, options.signal);
      const text = `getExport: There is no file. The export is ${status}${error === null ? '' : `: ${error}`}`;
      throw new RosterError('not_finished', text, { operation: 'getExport', requestId });
    },
  };
}
