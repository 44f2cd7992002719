/**
 * Deletes rows in statements of up to `rowsPerStep` rows, so that other statements do not wait long
 * for their locks. `deleteSome` deletes up to `limit` rows and returns how many. Ends when nothing is
 * left, or when the signal is aborted.
 */
export async function deleteInSteps(
  signal: AbortSignal,
  deleteSome: (limit: number) => Promise<number>,
  rowsPerStep = 1000,
): Promise<void> {
  while (!signal.aborted && (await deleteSome(rowsPerStep)) >= rowsPerStep);
}
