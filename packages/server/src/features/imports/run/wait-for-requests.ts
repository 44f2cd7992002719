import type { Context } from '#platform/context.ts';
import { lookUntilFound } from '#platform/loops/look-until-found.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import { countApplied } from './chunk-store.ts';

/**
 * Waits until fewer than `most` requests of an import wait in the pipeline, counts those that were applied, and returns how many still wait.
 *
 * Calls `before` ahead of each look but the first. Throws the reason of the signal when it is aborted.
 */
export async function waitForRequests(
  { db }: Pick<Context, 'db'>,
  key: LongRunKey,
  {
    most,
    signal,
    before,
  }: { readonly most: number; readonly signal: AbortSignal; readonly before?: () => Promise<unknown> },
): Promise<number> {
  let looks = 0;
  const look = async (): Promise<number | undefined> => {
    if (looks++ > 0) await before?.();
    const waiting = await countApplied(db, key);
    return waiting < most ? waiting : undefined;
  };
  return (await lookUntilFound(look, { first: 25, signal }))!;
}
