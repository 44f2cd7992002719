import type { Role } from '@roster/contract';
import { sql } from 'kysely';
import type { Person } from '#platform/http/authentication/actor.ts';

/** The person of a session or token, with all roles. */
export interface PersonRow {
  readonly user_id: number;
  readonly name: string;
  readonly email: string;
  readonly is_installation_admin: boolean;
  readonly memberships: readonly { readonly account_id: number; readonly role: Role; readonly unmasked: boolean }[];
}

/** The columns of a {@link PersonRow}. `users` must be one of the tables of the query. */
export const personColumns = [
  'users.user_id',
  'users.name',
  'users.email',
  'users.is_installation_admin',
  sql<PersonRow['memberships']>`coalesce((
    select json_agg(json_build_object('account_id', m.account_id, 'role', m.role, 'unmasked', m.unmasked) order by m.account_id)
    from memberships m where m.user_id = users.user_id), '[]')`.as('memberships'),
] as const;

/** Converts a row to the person of a request. */
export function personOfRow(row: PersonRow): Person {
  return {
    userId: row.user_id,
    name: row.name,
    email: row.email,
    isInstallationAdmin: row.is_installation_admin,
    memberships: row.memberships.map(({ account_id: accountId, role, unmasked }) => ({ accountId, role, unmasked })),
  };
}
