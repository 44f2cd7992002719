import type { Permission } from '@roster/contract';

/** What a caller may use in filters, and see of the filters of others. */
export interface FilterRights {
  /** The values of masked attributes: scope `unmasked`. */
  readonly unmasked: boolean;
  /** The activities of contacts: scope `activity:read`. */
  readonly activities: boolean;
}

/** For filters that were checked when they were stored. */
export const allFilterRights: FilterRights = { unmasked: true, activities: true };

/** For filters that nobody sees, and for callers whose rights do not matter. */
export const noFilterRights: FilterRights = { unmasked: false, activities: false };

/** Someone with rights in accounts, such as an `Actor`. */
interface RightsHolder {
  can(permission: Permission, accountId: number): boolean;
}

/** Returns what a caller of an operator operation may use in filters. */
export function filterRightsOf(actor: RightsHolder, accountId: number): FilterRights {
  return { unmasked: actor.can('unmasked', accountId), activities: actor.can('activity:read', accountId) };
}
