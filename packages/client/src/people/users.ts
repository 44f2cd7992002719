import type { CallOptions, Connection } from '../transport/connection.ts';
import { listRows, type ListOptions } from '../transport/list-rows.ts';
import type { ListUsersQuery, UpdateUserBody } from '../wire/shapes.ts';

/** The operations on the users of the installation. */
export type Users = ReturnType<typeof createUsers>;

/** Creates the operations on users, for the operator token and installation administrators. */
export function createUsers(connection: Connection) {
  const pathOf = (userId: number) => ({ path: { user_id: userId } });
  return {
    list: (options?: ListOptions<ListUsersQuery>) => listRows(connection, 'listUsers', options),
    /** Disables or enables a user, or makes the user an installation administrator. */
    update: (userId: number, change: UpdateUserBody, options?: CallOptions) =>
      connection.call('updateUser', { ...options, ...pathOf(userId), body: change }),
    /** Deletes a user with all sessions, tokens and roles. This cannot be undone. */
    delete: (userId: number, options?: CallOptions) => connection.call('deleteUser', { ...options, ...pathOf(userId) }),
    /** Ends all sessions of a user. The user can sign in again. */
    endSessions: (userId: number, options?: CallOptions) =>
      connection.call('endUserSessions', { ...options, ...pathOf(userId) }),
    /** Removes the authenticator app of a user who has lost it. */
    removeSecondFactor: (userId: number, options?: CallOptions) =>
      connection.call('removeUserSecondFactor', { ...options, ...pathOf(userId) }),
    /** Makes a link that sets a new password, for a person who is locked out. */
    passwordResetLink: async (email: string, options?: CallOptions) =>
      (await connection.call('createPasswordResetLink', { ...options, body: { email } })).link,
    /** Makes a link that creates the first owner, while there is no user. */
    setUpLink: async (options?: CallOptions) => (await connection.call('createSetUpLink', options)).link,
  };
}
