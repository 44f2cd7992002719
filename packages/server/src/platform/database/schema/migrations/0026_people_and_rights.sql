-- People who sign in, and their rights in accounts. Passwords are stored as argon2id hashes. Session
-- ids, links and tokens are random, and are stored only as SHA-256. See docs/people-and-rights.md.
create table users (
  user_id integer generated always as identity primary key,
  name text not null,
  email text not null,
  -- The address in lower case. Two users cannot have the same address.
  email_key text not null unique,
  -- Language of the console. Null: the language of the browser.
  language text,
  -- PHC string with its parameters. Null: the person has no password, and uses single sign-on.
  password_hash text,
  -- The person sees and manages all accounts.
  is_installation_admin boolean not null default false,
  -- A random name by which the passkeys of the person know the person.
  passkey_handle bytea not null unique,
  -- A disabled user cannot sign in. Sessions and tokens do not work.
  disabled_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- The role of a user in an account.
create table memberships (
  account_id integer not null references accounts on delete cascade,
  user_id integer not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer', 'privacy')),
  -- The person sees the values of masked attributes.
  unmasked boolean not null default false,
  created_at timestamptz(3) not null,
  primary key (account_id, user_id)
);
create index memberships_user on memberships (user_id);

create table sessions (
  session_id integer generated always as identity primary key,
  -- SHA-256 of the value of the cookie.
  token_hash bytea not null unique,
  user_id integer not null references users on delete cascade,
  -- How the person signed in.
  method text not null check (method in ('password', 'passkey', 'single_sign_on', 'link')),
  -- IP address and User-Agent of the sign-in, so that people recognize their sessions.
  address text not null,
  client text not null,
  created_at timestamptz(3) not null,
  -- When the person last proved who they are: at the sign-in, or by the password since then.
  authenticated_at timestamptz(3) not null,
  -- Written at most once a minute. A session that was not used for 12 hours has ended.
  last_seen_at timestamptz(3) not null,
  -- The session ends now, even if it is in use.
  expires_at timestamptz(3) not null
);
create index sessions_user on sessions (user_id);
create index sessions_last_seen_at on sessions (last_seen_at);

-- The state between two requests of one sign-in: the password was right and the code is missing, or
-- a passkey or the identity provider must answer. Each row is used once.
create table sign_in_steps (
  -- SHA-256 of the value of a cookie.
  token_hash bytea primary key,
  kind text not null check (kind in ('second_factor', 'passkey', 'new_passkey', 'single_sign_on')),
  user_id integer references users on delete cascade,
  data jsonb not null,
  expires_at timestamptz(3) not null
);
create index sign_in_steps_expires_at on sign_in_steps (expires_at);

-- Codes of an authenticator app (TOTP).
create table authenticator_apps (
  user_id integer primary key references users on delete cascade,
  secret text not null,
  -- Null until the person has entered a first code. Until then it does not protect the sign-in.
  confirmed_at timestamptz(3),
  -- The time step of the last accepted code. Codes of this step and earlier steps are refused.
  last_step bigint not null default 0,
  created_at timestamptz(3) not null
);

-- Codes that replace the authenticator app, once each. A used code is deleted.
create table recovery_codes (
  user_id integer not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

create table passkeys (
  passkey_id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  -- The number of signatures, if the passkey counts them. It must grow, or the passkey was copied.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index passkeys_user on passkeys (user_id);

-- Personal access tokens. A token has the rights of its person at each request.
create table personal_tokens (
  token_id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  name text not null,
  token_hash bytea not null unique,
  -- The first characters of the token.
  token_hint text not null,
  -- The token works only in these accounts. Null: in all accounts of the person.
  account_ids integer[],
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index personal_tokens_user on personal_tokens (user_id);

-- Open invitations to an account. An accepted invitation is deleted.
create table invitations (
  account_id integer not null references accounts on delete cascade,
  invitation_id integer generated always as identity primary key,
  email text not null,
  email_key text not null,
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer', 'privacy')),
  unmasked boolean not null default false,
  token_hash bytea not null unique,
  -- Who invited, as in the audit log.
  author text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  unique (account_id, email_key)
);

-- Links that set a new password. A used link is deleted.
create table password_resets (
  token_hash bytea primary key,
  user_id integer not null references users on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index password_resets_user on password_resets (user_id);

-- The link that creates the first owner. Each start without an owner replaces it.
create table set_up_links (
  only_row boolean primary key default true check (only_row),
  token_hash bytea not null,
  created_at timestamptz(3) not null
);

-- Which subject of which identity provider is which user (OpenID Connect).
create table single_sign_on_subjects (
  issuer text not null,
  subject text not null,
  user_id integer not null references users on delete cascade,
  created_at timestamptz(3) not null,
  primary key (issuer, subject)
);
create index single_sign_on_subjects_user on single_sign_on_subjects (user_id);

-- Counters of failed sign-ins. The columns are those of the library rate-limiter-flexible. A key
-- contains a hash, never an address. No row needs to survive a crash.
create unlogged table sign_in_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
