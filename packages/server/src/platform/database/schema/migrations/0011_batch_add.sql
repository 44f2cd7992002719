-- Batch add: jobs that have not ended, and the counts for the daily limit. See docs/batch-add.md.

-- Whom to notify when a job ends. The transaction that ends the request deletes the row, so the
-- callback and the mail are created exactly once.
create table batch_jobs (
  account_id integer not null,
  -- The request_id of the request.
  job_id uuid not null,
  list_id integer not null,
  callback_url text not null,
  notify_email text not null,
  primary key (account_id, job_id)
);

-- Number of batch-add requests that were accepted on a day, in the time zone of the account.
create table batch_days (
  account_id integer not null,
  day date not null,
  requests integer not null,
  -- How many requests the last statement admitted. A column is needed because `returning` cannot
  -- return old values before PostgreSQL 18.
  last_admitted integer not null,
  primary key (account_id, day)
);
create index batch_days_day on batch_days (day);
