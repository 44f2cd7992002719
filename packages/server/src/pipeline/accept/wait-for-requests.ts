import { pollUntilFound } from '#platform/loops/poll-until-found.ts';

/** How long {@link waitForRequests} waits. */
export interface WaitOptions {
  /** Wait until fewer requests than this wait in the pipeline. */
  readonly below: number;
  readonly signal: AbortSignal;
  /** Called before each count except the first one. */
  readonly before?: () => Promise<unknown>;
}

/**
 * Waits until fewer than `below` requests of a long run wait in the pipeline, and returns how many
 * still wait. `count` counts them. Throws the reason of the signal when it is aborted.
 */
export async function waitForRequests(
  count: () => Promise<number>,
  { below, signal, before }: WaitOptions,
): Promise<number> {
  let isFirst = true;
  const look = async (): Promise<number | undefined> => {
    if (!isFirst) await before?.();
    isFirst = false;
    const waiting = await count();
    return waiting < below ? waiting : undefined;
  };
  return (await pollUntilFound(look, { first: 25, signal }))!;
}
