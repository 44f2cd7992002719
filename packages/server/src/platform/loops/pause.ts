import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for some milliseconds. Returns early, without an error, when the signal is aborted. */
export async function pause(
  milliseconds: number,
  { signal, ref = true }: { readonly signal?: AbortSignal | undefined; readonly ref?: boolean },
): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref }).catch((error: unknown) => {
    if (signal?.aborted !== true) throw error;
  });
}
