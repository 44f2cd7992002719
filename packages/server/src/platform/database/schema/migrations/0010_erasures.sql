-- Erasures of people (docs/privacy.md), and what stays of them: hashes by which they are recognised when they are sent again.

-- The key of the hashes of an account, from the first erasure on.
alter table accounts add column forgotten_salt bytea;

create table erasures (
  account_id integer not null,
  -- The request that erased the contact.
  request_id uuid not null,
  contact_id bigint not null,
  -- An anonymous creation at this moment may be theirs: nothing else tells.
  contact_created_at timestamptz(3) not null,
  accepted_at timestamptz(3) not null,
  erased_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- Of the account, when the contact was erased: it can change once there are no contacts.
  primary_key text not null,
  -- What the person is known by, while there are traces to find; null afterwards.
  identifiers text[],
  -- What of it was found in requests: hashed and looked for among the activities at the end.
  learned text[] not null default '{}',
  -- Requests are looked through from the newest to the oldest: those before this place are left. Null: all were.
  position bigint,
  -- Something was learned on the way that requests further back, or those passed already, may contain.
  is_again boolean not null default false,
  erased_items integer not null default 0,
  erased_mails integer not null default 0,
  erased_sign_ups integer not null default 0,
  -- Exports whose files may contain the person.
  export_ids uuid[] not null,
  primary key (account_id, request_id),
  check ((finished_at is null) = (identifiers is not null))
);

-- HMAC-SHA-256, under the salt of the account, of what an erased person was known by.
create table forgotten (
  account_id integer not null,
  hash bytea not null,
  -- The erasure; one person has several hashes, and several can share one.
  request_id uuid not null,
  primary key (account_id, hash, request_id)
);
create index forgotten_request on forgotten (account_id, request_id);

-- The identities that contacts had before, as long as the contacts are there: what is kept under them is theirs.
create table former_keys (
  account_id integer not null,
  contact_id bigint not null,
  contact_key text not null collate "C",
  changed_at timestamptz(3) not null,
  primary key (account_id, contact_id, contact_key)
);
