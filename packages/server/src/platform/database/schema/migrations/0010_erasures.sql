-- Erasures of people, and the hashes that remain of them. The hashes recognise a person whose data
-- is sent again. See docs/privacy.md.

-- The key of the HMACs in `forgotten`. Null until the first erasure of the account.
alter table accounts add column forgotten_salt bytea;

create table erasures (
  account_id integer not null,
  -- The request that erased the contact.
  request_id uuid not null,
  contact_id bigint not null,
  -- Anonymous items of create requests that were accepted at this time are also erased. They may
  -- have created the contact, and nothing else shows which one did.
  contact_created_at timestamptz(3) not null,
  accepted_at timestamptz(3) not null,
  erased_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- The primary key of the account at the time of the erasure. It can change when the account has
  -- no contacts.
  primary_key text not null,
  -- The identifiers of the person while the search for traces runs. Null afterwards.
  identifiers text[],
  -- Further identifiers that the search found in requests. They are hashed at the end, and used to
  -- erase activities.
  learned text[] not null default '{}',
  -- The search reads requests from the newest to the oldest. It continues before this `seq`. Null:
  -- all requests were read.
  position bigint,
  -- A second search is needed. Requests that were already read can contain an identifier that was
  -- found later.
  is_again boolean not null default false,
  erased_items integer not null default 0,
  erased_mails integer not null default 0,
  erased_sign_ups integer not null default 0,
  -- Exports whose files may contain the person.
  export_ids uuid[] not null,
  primary key (account_id, request_id),
  check ((finished_at is null) = (identifiers is not null))
);

-- HMAC-SHA-256 of the identifiers of erased people. The key is accounts.forgotten_salt.
create table forgotten (
  account_id integer not null,
  hash bytea not null,
  -- The erasure. One person can have several hashes, and several erasures can have the same hash.
  request_id uuid not null,
  primary key (account_id, hash, request_id)
);
create index forgotten_request on forgotten (account_id, request_id);

-- Former keys: the contact keys that existing contacts had before. Data that is kept under a former
-- key belongs to its contact.
create table former_keys (
  account_id integer not null,
  contact_id bigint not null,
  contact_key text not null collate "C",
  changed_at timestamptz(3) not null,
  primary key (account_id, contact_id, contact_key)
);
