import type { AccountOperator } from '@roster/client';
import type { Permission } from '#api/session.ts';

/** The account of a page, and what the person may do in it. */
export interface Access {
  readonly accountId: number;
  readonly account: AccountOperator;
  readonly can: (permission: Permission) => boolean;
}
