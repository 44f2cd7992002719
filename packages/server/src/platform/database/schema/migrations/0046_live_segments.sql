-- Live segments: segments whose members are stored and follow every change. See
-- docs/decisions/0046-live-segments.md.

-- One row for each account that had a live segment. The process that follows the changes of the
-- account locks it, and so does everybody else who changes the members.
create table live_accounts (
  account_id integer primary key,
  -- The number of the last live segment. Turning a segment off and on again makes another one.
  last_live_id bigint not null default 0,
  -- The number of the last step that changed members.
  last_step bigint not null default 0,
  -- Ended live segments whose members are still to be deleted.
  ended_live_ids bigint[] not null default '{}'
);

create table live_segments (
  account_id integer not null,
  audience_id integer not null,
  live_id bigint not null,
  -- new: the inputs are not known yet. waiting: batches that were planned without the inputs may be
  -- under way. filling: the contacts are evaluated one after the other. following: all contacts were
  -- evaluated. broken: the filter does not fit the account any more.
  state text not null check (state in ('new', 'waiting', 'filling', 'following', 'broken')),
  -- The values of contacts that the filter reads. A change of one of them is stored in live_pending.
  inputs text[] not null default '{}',
  -- A hash of the filter, with the filters of other segments in it and what they mean.
  definition text,
  member_count bigint not null default 0,
  -- While filling: the last contact that was evaluated.
  fill_position bigint not null default 0,
  -- The moment up to which contacts whose relative dates changed were found, and that of the pass
  -- under way, with the last contact that it evaluated.
  clock_at timestamptz not null,
  pass_to timestamptz,
  pass_position bigint not null default 0,
  started_at timestamptz not null,
  filled_at timestamptz,
  primary key (account_id, audience_id)
);

create table live_members (
  account_id integer not null,
  live_id bigint not null,
  contact_id bigint not null,
  primary key (account_id, live_id, contact_id)
);

-- Contacts that entered and left, in groups: those of one step in one direction.
create table live_changes (
  account_id integer not null,
  live_id bigint not null,
  step bigint not null,
  entered boolean not null,
  changed_at timestamptz(3) not null,
  cause text not null check (cause in ('filled', 'changed', 'date')),
  -- Ascending.
  contact_ids bigint[] not null,
  primary key (account_id, live_id, step, entered)
);

-- How many contacts entered and left on a day, in the time zone that the account had then.
create table live_days (
  account_id integer not null,
  live_id bigint not null,
  day date not null,
  entered bigint not null,
  departed bigint not null,
  primary key (account_id, live_id, day)
);

-- Contacts whose inputs changed and that were not evaluated since. Written by the transaction that
-- changes the contacts, in groups: those of a batch with the same changed inputs.
create table live_pending (
  account_id integer not null,
  -- Time-ordered.
  pending_id uuid not null,
  changed_at timestamptz(3) not null,
  -- Null: all. The contacts are new or were deleted.
  inputs text[],
  contact_ids bigint[] not null,
  primary key (account_id, pending_id)
);
