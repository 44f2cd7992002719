import type { AccountSettings } from '@roster/contract';

/**
 * Returns the primary key by which the requests of an account are split; undefined for an account
 * with one bucket, whose requests are not split.
 */
export function splitByOf({
  primaryKey,
  settings,
}: {
  readonly primaryKey: string;
  readonly settings: AccountSettings;
}): string | undefined {
  return (settings.buckets ?? 1) > 1 ? primaryKey : undefined;
}
