-- Receivers of the events of an account. See docs/decisions/0043-event-subscriptions.md.
create table event_subscriptions (
  account_id integer not null,
  subscription_id uuid not null,
  name text not null,
  url text not null,
  headers jsonb not null,
  -- Null: all kinds.
  kinds jsonb,
  -- In the form of audiences.filter.
  filter jsonb,
  columns jsonb not null,
  unmasked boolean not null,
  max_events integer not null,
  when_failed text not null check (when_failed in ('pause', 'continue')),
  secret text not null,
  secret_created_at timestamptz(3) not null,
  previous_secret text,
  previous_expires_at timestamptz(3),
  -- Events up to this position were delivered, left out, or given up.
  position bigint not null,
  paused_at timestamptz(3),
  pause_reason text,
  pause_detail text,
  -- queued: a job sends events, or will. Only this job advances the position.
  phase text not null default 'idle' check (phase in ('idle', 'queued')),
  job_id bigint,
  author text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, subscription_id),
  check ((paused_at is null) = (pause_reason is null))
);

-- Batches of events of subscriptions. They have positions, and no events: so an erasure has nothing
-- to delete here.
create table event_deliveries (
  account_id integer not null,
  subscription_id uuid not null,
  delivery_id uuid not null,
  after_position bigint not null,
  last_position bigint not null,
  -- Events that the last attempt sent.
  events integer,
  -- True: a dead letter that is sent again. It does not move the position of the subscription.
  replayed boolean not null default false,
  status text not null check (status in ('pending', 'delivered', 'failed', 'cancelled')),
  attempts integer not null default 0,
  attempts_before_cycle integer not null default 0,
  cycle_started_at timestamptz(3) not null,
  next_attempt_at timestamptz(3),
  duration_ms integer,
  status_code integer,
  error_code text,
  error_detail text,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (account_id, subscription_id, delivery_id)
);
create index event_deliveries_pending on event_deliveries (account_id, subscription_id) where status = 'pending';
create index event_deliveries_failed on event_deliveries (account_id, subscription_id) where status = 'failed';
