import type { CreateImportBody, Import } from '@roster/client';
import { useQueryClient } from '@tanstack/react-query';
import { useAccount } from '#shell/account/use-account.ts';
import { upload, type UploadState } from './upload.ts';
import { useUpload } from './use-upload.ts';

/** The state of creating an import and sending its file. */
export interface ImportRunState {
  readonly upload: UploadState | undefined;
  readonly error: unknown;
  /** Creates the import and sends the file. Returns the import; undefined if it failed or stopped. */
  readonly start: (body: CreateImportBody, file: File) => Promise<Import | undefined>;
  /** Stops sending. The import is cancelled. */
  readonly stop: () => void;
}

/** Creates imports and sends their files. An import whose sending stops is cancelled. */
export function useImportRun(): ImportRunState {
  const { accountId, account } = useAccount();
  const cache = useQueryClient();
  const { state, error, run, stop } = useUpload();

  async function start(body: CreateImportBody, file: File): Promise<Import | undefined> {
    return run(file, 0, async (sending) => {
      // The signal does not end this request: without its response, the import could not be cancelled.
      const made = await account.imports.create(body);
      try {
        return await upload(account, made.import_id, file, sending);
      } finally {
        if (sending.signal.aborted) {
          await account.imports.cancel(made.import_id).catch(() => undefined);
          void cache.invalidateQueries({ queryKey: ['accounts', accountId, 'imports'] });
        }
      }
    });
  }

  return { upload: state, error, start, stop };
}
