import { useEffect, useState } from 'react';
import type { Preview, PreviewAnswer, PreviewFault, PreviewRequest } from './preview.ts';
import type { Utf8Findings } from './utf8-scan.ts';

/** The state of a preview. */
export interface PreviewState {
  readonly preview?: Preview;
  readonly fault?: PreviewFault;
  /** Whether the whole file is valid UTF-8; undefined until it was read, and for other encodings. */
  readonly utf8?: Utf8Findings;
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
      else setState({ utf8: data.utf8 });
    });
    worker.addEventListener('error', () => setState({ fault: 'unreadable' }));
    worker.postMessage(request, { transfer: [] });
    return () => worker.terminate();
  }, [request, onPreview]);
  return found?.request === request && found !== undefined ? found.state : nothingYet;
}
