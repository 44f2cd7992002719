import { roles, type Role } from '@roster/contract/shapes/common/permissions.ts';
import { commaList } from './comma-list.ts';

/** The rights of the members of one group of the identity provider. */
export interface GroupRole {
  readonly group: string;
  /** Number of the account; undefined for all accounts. */
  readonly accountId: number | undefined;
  readonly role: Role;
  readonly unmasked: boolean;
}

const form =
  'must be mappings such as `marketing=1:editor`, `leads=*:admin` or `privacy=2:privacy+unmasked`, separated by commas';

/**
 * Reads `group=account:role`, separated by commas. The account is a number, or `*` for all
 * accounts. `+unmasked` after the role grants unmasked values. Throws an Error that says the form.
 */
export function readGroupRoles(text: string): readonly GroupRole[] {
  return commaList(text).map((part) => {
    const [, group, account, name, unmasked] = /^(.+)=(\*|[1-9]\d{0,8}):([a-z]+)(\+unmasked)?$/.exec(part) ?? [];
    if (group === undefined || name === undefined) throw new Error(form);
    if (!Object.hasOwn(roles, name)) throw new Error(`${form}. The roles are ${Object.keys(roles).join(', ')}`);
    return {
      group: group.trim(),
      accountId: account === '*' ? undefined : Number(account),
      role: name as Role,
      unmasked: unmasked !== undefined,
    };
  });
}
