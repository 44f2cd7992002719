import type { Generated, JSONColumnType } from 'kysely';

/** The role of a member, as the table stores it. */
export type StoredRole = 'owner' | 'admin' | 'editor' | 'viewer' | 'privacy';

/** How a person signed in. `link`: by the link of the set-up, an invitation or a password reset. */
export type SignInMethod = 'password' | 'passkey' | 'single_sign_on' | 'link';

/** What the service waits for in the middle of a sign-in. */
export type SignInStepKind = 'second_factor' | 'passkey' | 'new_passkey' | 'single_sign_on';

interface UsersTable {
  user_id: Generated<number>;
  name: string;
  email: string;
  email_key: string;
  language: string | null;
  password_hash: string | null;
  is_installation_admin: Generated<boolean>;
  passkey_handle: Buffer;
  disabled_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

interface MembershipsTable {
  account_id: number;
  user_id: number;
  role: StoredRole;
  unmasked: Generated<boolean>;
  created_at: Date;
}

interface SessionsTable {
  session_id: Generated<number>;
  token_hash: Buffer;
  user_id: number;
  method: SignInMethod;
  address: string;
  client: string;
  created_at: Date;
  authenticated_at: Date;
  last_seen_at: Date;
  expires_at: Date;
}

interface SignInStepsTable {
  token_hash: Buffer;
  kind: SignInStepKind;
  user_id: number | null;
  data: JSONColumnType<Record<string, unknown>>;
  expires_at: Date;
}

interface AuthenticatorAppsTable {
  user_id: number;
  secret: string;
  confirmed_at: Date | null;
  last_step: Generated<number>;
  created_at: Date;
}

interface RecoveryCodesTable {
  user_id: number;
  code_hash: Buffer;
}

interface PasskeysTable {
  passkey_id: Generated<number>;
  user_id: number;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

interface PersonalTokensTable {
  token_id: Generated<number>;
  user_id: number;
  name: string;
  token_hash: Buffer;
  token_hint: string;
  account_ids: number[] | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
}

interface InvitationsTable {
  account_id: number;
  invitation_id: Generated<number>;
  email: string;
  email_key: string;
  role: StoredRole;
  unmasked: Generated<boolean>;
  token_hash: Buffer;
  author: string;
  created_at: Date;
  expires_at: Date;
}

interface PasswordResetsTable {
  token_hash: Buffer;
  user_id: number;
  created_at: Date;
  expires_at: Date;
}

interface SetUpLinksTable {
  only_row: Generated<boolean>;
  token_hash: Buffer;
  created_at: Date;
}

interface SingleSignOnSubjectsTable {
  issuer: string;
  subject: string;
  user_id: number;
  created_at: Date;
}

interface SignInLimitsTable {
  key: string;
  points: number;
  expire: number | null;
}

/** The tables of people, their sign-in and their rights. */
export interface AccessTables {
  users: UsersTable;
  memberships: MembershipsTable;
  sessions: SessionsTable;
  sign_in_steps: SignInStepsTable;
  authenticator_apps: AuthenticatorAppsTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  personal_tokens: PersonalTokensTable;
  invitations: InvitationsTable;
  password_resets: PasswordResetsTable;
  set_up_links: SetUpLinksTable;
  single_sign_on_subjects: SingleSignOnSubjectsTable;
  sign_in_limits: SignInLimitsTable;
}
