import { useEffect, useState } from 'react';
import type { Preview, PreviewAnswer, PreviewFault, PreviewRequest } from './preview.ts';

/** The state of a preview. */
export interface PreviewState {
  readonly preview?: Preview;
  readonly fault?: PreviewFault;
  /** The whole file is not valid UTF-8, although its beginning is. */
  readonly hasOtherBytes?: boolean;
}

const nothingYet: PreviewState = {};

/**
 * Reads the beginning of a file in a worker. Calls `onPreview` once for each preview, which must be
 * the same function in each render.
 */
export function usePreview(request: PreviewRequest | undefined, onPreview: (preview: Preview) => void): PreviewState {
  const [found, setFound] = useState<{ readonly request: PreviewRequest; readonly state: PreviewState } | undefined>();
  useEffect(() => {
    if (request === undefined) return undefined;
    const setState = (change: PreviewState): void =>
      setFound((before) => ({ request, state: before?.request === request ? { ...before.state, ...change } : change }));
    const worker = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<PreviewAnswer>) => {
      if ('preview' in data) {
        setState({ preview: data.preview });
        onPreview(data.preview);
      } else if ('fault' in data) setState({ fault: data.fault });
      else if (!data.checked) setState({ hasOtherBytes: true });
    });
    worker.addEventListener('error', () => setState({ fault: 'unreadable' }));
    worker.postMessage(request, { transfer: [] });
    return () => worker.terminate();
  }, [request, onPreview]);
  return found?.request === request && found !== undefined ? found.state : nothingYet;
}
