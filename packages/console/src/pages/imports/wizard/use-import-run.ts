import type { CreateImportBody, Import } from '@roster/client';
import { useBlocker } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { upload, type UploadState } from './upload.ts';

/** The state of creating an import and sending its file. */
export interface ImportRunState {
  readonly upload: UploadState | undefined;
  readonly error: unknown;
  /** Creates the import and sends the file. Returns the import; undefined if it failed or stopped. */
  readonly start: (body: CreateImportBody, file: File) => Promise<Import | undefined>;
  /** Stops sending. The import is cancelled. */
  readonly stop: () => void;
}

/** Creates imports and sends their files. Warns before the page is left while it sends. */
export function useImportRun(): ImportRunState {
  const t = useTexts('imports');
  const { account } = useAccount();
  const [state, setState] = useState<UploadState | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const controller = useRef<AbortController | undefined>(undefined);
  const isSending = useRef(false);
  useBlocker({
    // The browser asks with its own words when the window is closed.
    enableBeforeUnload: () => isSending.current,
    // A dialog of our own would need to keep the upload running behind it; this one does.
    shouldBlockFn: () => isSending.current && !confirm(t('upload.leave')),
  });

  async function start(body: CreateImportBody, file: File): Promise<Import | undefined> {
    const abort = new AbortController();
    controller.current = abort;
    isSending.current = true;
    setError(undefined);
    setState({ sent: 0, size: file.size, isWaiting: false });
    let made: Import | undefined;
    try {
      made = await account.imports.create(body);
      return await upload(account, made.import_id, file, { signal: abort.signal, onState: setState });
    } catch (failure) {
      if (abort.signal.aborted && made !== undefined)
        await account.imports.cancel(made.import_id).catch(() => undefined);
      else setError(failure);
      return undefined;
    } finally {
      isSending.current = false;
      setState(undefined);
    }
  }

  return { upload: state, error, start, stop: () => controller.current?.abort() };
}
