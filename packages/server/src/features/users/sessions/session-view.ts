import { permissions, roles, type Permission, type Session, type SignedInPerson } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import type { Person } from '#platform/http/authentication/actor.ts';
import { hasAuthenticatorApp } from '../second-factor/authenticator-store.ts';
import { membershipsOf, type AccountMembershipRow } from '../store/membership-store.ts';
import { findUser, hasUsers } from '../store/user-store.ts';

/** Returns who is signed in, and what the sign-in page offers. */
export async function sessionView(context: Context, person: Person | undefined): Promise<Session> {
  const { config, db } = context;
  return {
    person: person === undefined ? null : await personView(context, person),
    needs_set_up: person === undefined && !(await hasUsers(db)),
    single_sign_on: null,
    mail: config.smtpServer !== undefined,
  };
}

/** Returns a person with all accounts. */
export async function personView({ db }: Pick<Context, 'db'>, { userId }: Person): Promise<SignedInPerson | null> {
  const user = await findUser(db, userId);
  if (user === undefined) return null;
  const accounts = await membershipsOf(db, userId);
  return {
    user_id: user.user_id,
    name: user.name,
    email: user.email,
    language: user.language as SignedInPerson['language'],
    is_installation_admin: user.is_installation_admin,
    has_password: user.password_hash !== null,
    has_second_factor: await hasAuthenticatorApp(db, userId),
    accounts: accounts.map((row) => ({
      account_id: row.account_id,
      name: row.name,
      role: row.role,
      unmasked: row.unmasked,
      permissions: permissionsIn(row, user.is_installation_admin),
    })),
  };
}

/** Returns what a member may do in an account, in the order of all permissions. */
function permissionsIn({ role, unmasked }: AccountMembershipRow, isInstallationAdmin: boolean): Permission[] {
  const own = new Set<Permission>(roles[role]);
  return permissions.filter((permission) =>
    permission === 'unmasked' ? unmasked : isInstallationAdmin || own.has(permission),
  );
}
