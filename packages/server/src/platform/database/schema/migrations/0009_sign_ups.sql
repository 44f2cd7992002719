-- Sign-ups with double opt-in. Each has a link that confirms an address once, within 48 hours. See
-- docs/lifecycle.md.
create table sign_ups (
  account_id integer not null references accounts,
  sign_up_id uuid not null,
  -- SHA-256 of the token in the link. Only the mail contains the token.
  token_hash bytea not null unique,
  -- SHA-256 of the address in lower case. It limits how many mails one address gets.
  address_hash bytea not null,
  -- The contact as the caller gave it. It is applied when the link confirms it, and is null
  -- afterwards.
  contact jsonb,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (account_id, sign_up_id)
);
create index sign_ups_address on sign_ups (account_id, address_hash, created_at);
create index sign_ups_expires_at on sign_ups (expires_at);
