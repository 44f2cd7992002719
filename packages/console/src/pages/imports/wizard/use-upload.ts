import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import type { UploadState } from './upload.ts';

/** How the sending of a file is stopped, and to whom it reports. */
export interface Sending {
  readonly signal: AbortSignal;
  readonly onState: (state: UploadState) => void;
}

/** The state of sending a file. */
export interface Upload {
  /** Undefined if nothing is being sent. */
  readonly state: UploadState | undefined;
  readonly error: unknown;
  /** Calls `send` for a file of which `sent` bytes have arrived. Returns undefined if it failed or stopped. */
  readonly run: <T>(file: File, sent: number, send: (sending: Sending) => Promise<T>) => Promise<T | undefined>;
  readonly stop: () => void;
}

/**
 * Sends files. Warns before the page is left while a file is being sent. When the page is left all
 * the same, sending stops.
 */
export function useUpload(): Upload {
  const t = useTexts('imports');
  const [state, setState] = useState<UploadState | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const controller = useRef<AbortController | undefined>(undefined);
  const stop = (): void => controller.current?.abort();
  const isSending = (): boolean => controller.current?.signal.aborted === false;
  useBlocker({
    // The browser asks with its own words when the window is closed.
    enableBeforeUnload: isSending,
    shouldBlockFn() {
      if (!isSending()) return false;
      // A dialog of our own would need to keep the upload running behind it; this one does.
      if (!confirm(t('upload.leave'))) return true;
      // At once, because the last part may have arrived while the question was open.
      stop();
      return false;
    },
  });
  // A page can also be left without a question, for example when the account is changed.
  useEffect(() => () => controller.current?.abort(), []);

  async function run<T>(file: File, sent: number, send: (sending: Sending) => Promise<T>): Promise<T | undefined> {
    const abort = new AbortController();
    controller.current = abort;
    setError(undefined);
    setState({ sent, size: file.size, isWaiting: false });
    try {
      const result = await send({ signal: abort.signal, onState: setState });
      return abort.signal.aborted ? undefined : result;
    } catch (failure) {
      if (!abort.signal.aborted) setError(failure);
      return undefined;
    } finally {
      controller.current = undefined;
      setState(undefined);
    }
  }

  return { state, error, run, stop };
}
