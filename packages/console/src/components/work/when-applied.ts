import type { AcceptedAnswer, AccountOperator, RequestFailure } from '@roster/client';

/** Milliseconds for which a dialog waits until its request is applied. */
const patience = 15_000;

/** What happened to an accepted request. */
export type Applied =
  /** `warnings`: what was left out, although the rest was applied. */
  | { readonly state: 'done'; readonly warnings: readonly RequestFailure[] }
  /** Earlier requests of the account take long. It will be applied after them. */
  | { readonly state: 'waiting' }
  | { readonly state: 'refused'; readonly failures: readonly RequestFailure[] };

/** Waits some seconds until an accepted request is applied. */
export async function whenApplied(
  account: AccountOperator,
  { request_id: id }: Pick<AcceptedAnswer, 'request_id'>,
): Promise<Applied> {
  const signal = AbortSignal.timeout(patience);
  try {
    const { outcome, failures } = await account.requests.wait(id, { signal });
    return outcome === 'succeeded' ? { state: 'done', warnings: failures } : { state: 'refused', failures };
  } catch (error) {
    if (signal.aborted) return { state: 'waiting' };
    throw error;
  }
}
