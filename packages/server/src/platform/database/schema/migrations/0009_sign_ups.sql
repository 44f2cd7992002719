-- Sign-ups with double opt-in (decisions §8): a link that confirms an address once, for 48 hours.
create table sign_ups (
  account_id integer not null references accounts,
  sign_up_id uuid not null,
  -- SHA-256 of the token in the link; the token itself is only in the mail.
  token_hash bytea not null unique,
  -- SHA-256 of the address in lower case: how often it was written to.
  address_hash bytea not null,
  -- The contact as it was given, to be applied when the link confirms it; null once it was.
  contact jsonb,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (account_id, sign_up_id)
);
create index sign_ups_address on sign_ups (account_id, address_hash, created_at);
create index sign_ups_expires_at on sign_ups (expires_at);
