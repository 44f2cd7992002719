import type { ImportRow } from './import-store.ts';

/**
 * Where a file of an import lies in the store: what was sent, or the failures. Each write has a place of its own: two at the same time do not
 * touch each other.
 */
export function fileKey({ account_id, import_id }: Pick<ImportRow, 'account_id' | 'import_id'>, write: number): string {
  return `imports/${account_id}/${import_id}-${write}`;
}
