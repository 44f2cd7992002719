import {
  permissions,
  roles,
  type OwnSession,
  type Permission,
  type Session,
  type SignedInPerson,
} from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { notFound } from '#platform/errors/api-error.ts';
import type { Person } from '#platform/http/authentication/actor.ts';
import { hasAuthenticatorApp } from '../second-factor/authenticator-store.ts';
import { membershipsOf, type AccountMembershipRow } from '../store/membership-store.ts';
import type { SessionRow } from './session-store.ts';
import { findUser, hasUsers } from '../store/user-store.ts';

/** Returns who is signed in, and what the sign-in page offers. */
export async function sessionView(context: Context, person: Person | undefined): Promise<Session> {
  const { config, db, identityProvider } = context;
  return {
    person: person === undefined ? null : await personView(context, person),
    needs_set_up: person === undefined && !(await hasUsers(db)),
    single_sign_on: identityProvider === undefined ? null : { name: identityProvider.name },
    public_url: config.publicUrl ?? null,
    mail: config.smtpServer !== undefined,
  };
}

/** Returns a person with all accounts. A restricted token sees only its own accounts and rights. */
export async function personView(
  { db }: Pick<Context, 'db'>,
  { userId, tokenId, isInstallationAdmin, memberships }: Person,
): Promise<SignedInPerson> {
  const user = await findUser(db, userId);
  if (user === undefined) throw notFound('user');
  const isAdmin = user.is_installation_admin && (tokenId === undefined || isInstallationAdmin);
  const visible = new Set(memberships.map(({ accountId }) => accountId));
  const accounts = (await membershipsOf(db, userId)).filter(
    ({ account_id: id }) => tokenId === undefined || visible.has(id),
  );
  return {
    user_id: user.user_id,
    name: user.name,
    email: user.email,
    language: user.language as SignedInPerson['language'],
    is_installation_admin: isAdmin,
    has_password: user.password_hash !== null,
    has_second_factor: await hasAuthenticatorApp(db, userId),
    accounts: accounts.map((row) => ({
      account_id: row.account_id,
      name: row.name,
      role: row.role,
      unmasked: row.unmasked,
      permissions: permissionsIn(row, isAdmin),
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

/** Converts a session to the form in which its owner sees it. */
export function ownSessionView(row: SessionRow, currentId: number | undefined): OwnSession {
  return {
    session_id: row.session_id,
    is_current: row.session_id === currentId,
    method: row.method,
    address: row.address,
    client: row.client,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
