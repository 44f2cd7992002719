import type { List, Segment } from '@roster/client';

/** Returns the version of a list or segment, as the header `ETag` of the service has it. */
export function versionOf({ updated_at: at }: List | Segment): string {
  return `"${Date.parse(at)}"`;
}
