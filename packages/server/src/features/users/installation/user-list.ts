import type { ListUsersQuery, User } from '@roster/contract';
import { sql, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { userFacts } from '../members/member-store.ts';

/** A user with the facts that the list of users shows. */
export type UserListRow = Pick<
  Selectable<Tables['users']>,
  'user_id' | 'name' | 'email' | 'is_installation_admin' | 'disabled_at' | 'created_at'
> & {
  readonly has_second_factor: boolean;
  readonly has_password: boolean;
  readonly session_count: number;
  readonly last_seen_at: Date | null;
  readonly accounts: User['accounts'];
};

/** Lists users with numbers greater than `after`. */
export async function listUsers(
  db: Database,
  { contains }: Pick<ListUsersQuery, 'contains'>,
  after: number,
  limit: number,
): Promise<UserListRow[]> {
  return users(db)
    .where('user_id', '>', after)
    .$if(contains !== undefined, (query) =>
      query.where(sql<boolean>`strpos(lower(name || ' ' || email), lower(${contains}::text)) > 0`),
    )
    .orderBy('user_id')
    .limit(limit)
    .execute();
}

/** Finds a user with the facts of the list. */
export async function findListedUser(db: Database, userId: number): Promise<UserListRow | undefined> {
  return users(db).where('user_id', '=', userId).executeTakeFirst();
}

function users(db: Database) {
  return db.selectFrom('users').select([
    'user_id',
    'name',
    'email',
    'is_installation_admin',
    'disabled_at',
    'created_at',
    ...userFacts,
    sql<boolean>`password_hash is not null`.as('has_password'),
    sql<number>`(select count(*)::int from sessions s where s.user_id = users.user_id)`.as('session_count'),
    sql<User['accounts']>`coalesce((
        select json_agg(json_build_object('account_id', a.account_id, 'name', a.name, 'role', m.role, 'unmasked', m.unmasked)
                        order by a.account_id)
        from memberships m join accounts a on a.account_id = m.account_id where m.user_id = users.user_id and a.deleted_at is null), '[]')`.as(
      'accounts',
    ),
  ]);
}

/** Converts a user to its form in the API. */
export function userView(row: UserListRow): User {
  return {
    user_id: row.user_id,
    name: row.name,
    email: row.email,
    is_installation_admin: row.is_installation_admin,
    is_disabled: row.disabled_at !== null,
    has_second_factor: row.has_second_factor,
    has_password: row.has_password,
    accounts: row.accounts,
    session_count: row.session_count,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
