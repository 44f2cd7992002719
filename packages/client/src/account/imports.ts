import type { CallOptions, Connection } from '../transport/connection.ts';
import { waitUntil, type WaitOptions } from '../transport/waiting.ts';
import { sendImportFile, type FileSource, type SendFileOptions } from './import-file.ts';
import { Listing, type Page } from '../wire/listing.ts';
import type { CreateImportBody, Import, ImportFailureRow } from '../wire/shapes.ts';

/** Creates the operations on the imports of one account, except their listing. */
export function importsOf(connection: Connection, accountId: number) {
  const account = { account_id: accountId };
  const pathOf = (importId: string) => ({ ...account, import_id: importId });
  return {
    get: (importId: string, options: CallOptions = {}): Promise<Import> =>
      connection.call('getImport', { ...options, path: pathOf(importId) }),
    /** Creates an import. Then send its file with `send`, unless the service fetches it (`source_url`). */
    create: (options: CreateImportBody, more: CallOptions = {}): Promise<Import> =>
      connection.call('createImport', { ...more, path: account, body: options }),
    /** Sends the file. After a broken connection, sending continues after the last stored part. */
    send: (importId: string, file: FileSource, options: SendFileOptions = {}): Promise<Import> =>
      sendImportFile(connection, pathOf(importId), file, options),
    /** Cancels an import. Rows that are already applied stay. */
    cancel: (importId: string, options: CallOptions = {}): Promise<Import> =>
      connection.call('cancelImport', { ...options, path: pathOf(importId) }),
    /** Waits until an import is `completed`, `failed` or `cancelled`, and returns it. */
    wait(importId: string, options: WaitOptions<Import> = {}): Promise<Import> {
      return waitUntil(
        () => this.get(importId, { signal: options.signal }),
        ({ status }) => status === 'completed' || status === 'failed' || status === 'cancelled',
        options,
      );
    },
    /** Lists the rows that failed. `limit` is the page size. */
    failedRows: (
      importId: string,
      { signal, limit }: CallOptions & { readonly limit?: number | undefined } = {},
    ): Listing<ImportFailureRow, Page<ImportFailureRow>> =>
      new Listing(async (cursor) => {
        const query = { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) };
        return connection.call('listImportFailures', { path: pathOf(importId), query, signal });
      }),
    /** Returns the CSV file of failed rows as a stream. */
    async failures(importId: string, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
      const { body } = await connection.open('getImportFailures', { ...options, path: pathOf(importId) });
      return body ?? new Blob([]).stream();
    },
  };
}
