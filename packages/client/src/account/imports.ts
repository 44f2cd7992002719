import type { AccountConnection, CallOptions } from '../transport/connection.ts';
import { listRows, type ListOptions } from '../transport/list-rows.ts';
import { openWithRetries } from '../transport/retry.ts';
import { waitUntil, type WaitOptions } from '../transport/waiting.ts';
import { sendImportFile, type FileSource, type SendFileOptions } from './import-file.ts';
import type { CreateImportBody, Import, ListImportFailuresQuery, ListImportsQuery } from '../wire/shapes.ts';

/** Creates the operations on the imports of an account. */
export function createImports(account: AccountConnection) {
  const pathOf = (importId: string) => ({ import_id: importId });
  return {
    list: (options?: ListOptions<ListImportsQuery>) => listRows(account, 'listImports', options),
    get: (importId: string, options?: CallOptions) => account.call('getImport', { ...options, path: pathOf(importId) }),
    /** Creates an import. Then send its file with `send`, unless the service fetches it (`source_url`). */
    create: (options: CreateImportBody, more?: CallOptions) => account.call('createImport', { ...more, body: options }),
    /** Sends the file. After a broken connection, sending continues after the last stored part. */
    send: (importId: string, file: FileSource, options: SendFileOptions = {}): Promise<Import> =>
      sendImportFile(account, pathOf(importId), file, options),
    /** Cancels an import. Rows that are already applied stay. */
    cancel: (importId: string, options?: CallOptions) =>
      account.call('cancelImport', { ...options, path: pathOf(importId) }),
    /** Waits until an import is `completed`, `failed` or `cancelled`, and returns it. */
    wait(importId: string, options: WaitOptions<Import> = {}): Promise<Import> {
      return waitUntil(
        () => this.get(importId, { signal: options.signal }),
        ({ status }) => status === 'completed' || status === 'failed' || status === 'cancelled',
        options,
      );
    },
    /** Lists the rows that failed. `limit` is the page size. */
    failedRows: (importId: string, options?: ListOptions<ListImportFailuresQuery>) =>
      listRows(account, 'listImportFailures', options, pathOf(importId)),
    /** Returns the CSV file of failed rows as a stream. */
    async failures(importId: string, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
      const signal = account.signalOf(options?.signal);
      const open = () => account.open('getImportFailures', { ...options, path: pathOf(importId) });
      const { body } = await openWithRetries(open, account.retries, signal);
      return body ?? new Blob([]).stream();
    },
  };
}
