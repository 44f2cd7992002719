import type { Context } from '../../../server/src/platform/context.ts';
import { putMembership } from '../../../server/src/features/users/store/membership-store.ts';
import { insertUser } from '../../../server/src/features/users/store/user-store.ts';

/** A role in account 1. */
export type TestRole = 'owner' | 'admin' | 'editor' | 'viewer' | 'privacy';

/** The owner of account 1. */
export const owner = { name: 'Asha Rao', email: 'asha@example.com', password: 'correct horse battery staple' };

let count = 0;

/** Adds a person with a role to account 1. Returns what the person signs in with. */
export async function addMember(
  context: Context,
  role: TestRole,
  unmasked: boolean,
): Promise<{ readonly email: string; readonly password: string }> {
  const email = `${role}-${++count}@example.com`;
  const { password } = owner;
  const at = context.now();
  const password_hash = await context.passwords.hash(password);
  const name = `Member ${count}`;
  const made = await insertUser(context.db, { name, email, password_hash, is_installation_admin: false }, at);
  if (made === undefined) throw new Error(`${email} exists`);
  await putMembership(context.db, 1, made.user_id, { role, unmasked }, at);
  return { email, password };
}
