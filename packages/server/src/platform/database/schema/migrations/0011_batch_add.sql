-- Batch add (decisions §7): jobs that have not ended, and what counts towards the daily limit.

-- Whom to tell when a job has ended. The transaction that ends its request takes the row: what is told, is told once, and nothing of it stays.
create table batch_jobs (
  account_id integer not null,
  -- The request_id of the request.
  job_id uuid not null,
  list_id integer not null,
  callback_url text not null,
  notify_email text not null,
  primary key (account_id, job_id)
);

-- Requests of batch add that were accepted in a day of the account's time zone.
create table batch_days (
  account_id integer not null,
  day date not null,
  requests integer not null,
  -- How many of them the newest transaction has admitted, for the statement that counts them to tell.
  last_admitted integer not null,
  primary key (account_id, day)
);
create index batch_days_day on batch_days (day);
