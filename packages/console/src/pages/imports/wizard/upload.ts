import type { AccountOperator, Import } from '@roster/client';
import { problemOf } from '#api/problem.ts';

/** The state of an upload. */
export interface UploadState {
  readonly sent: number;
  readonly size: number;
  /** The connection is broken. The upload continues when it is back. */
  readonly isWaiting: boolean;
}

/**
 * Sends the file of an import. If the connection breaks or the service is away, it continues after
 * the last part that arrived, for as long as it takes.
 */
export async function upload(
  account: AccountOperator,
  importId: string,
  file: File,
  { signal, onState }: { readonly signal: AbortSignal; readonly onState: (state: UploadState) => void },
): Promise<Import> {
  let sent = 0;
  for (let failures = 0; ; failures++) {
    try {
      return await account.imports.send(importId, file, {
        signal,
        resume: true,
        onProgress(bytes) {
          if (bytes > sent) failures = 0;
          sent = bytes;
          onState({ sent, size: file.size, isWaiting: false });
        },
      });
    } catch (error) {
      if (signal.aborted || !problemOf(error).isTemporary) throw error;
      onState({ sent, size: file.size, isWaiting: true });
      await pause(Math.min(1000 * 2 ** failures, 15_000), signal);
    }
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
    addEventListener('online', () => resolve(), { once: true });
  });
}
