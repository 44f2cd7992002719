-- An import can fetch its file from a URL, and report its end by a mail. See docs/imports.md.

alter table imports
  -- The URL of the file, with its query only until the file is fetched or the import has ended,
  -- because the query can be a secret. Null: the file is sent.
  add column source_url text,
  -- The address that gets a mail when the import has ended.
  add column notify_email text,
  -- The mail to this address. Set by the transaction that creates the mail, so that there is one.
  add column mail_id uuid;

-- The new status is `fetching`: a job fetches the file, or will try again.
alter table imports
  drop constraint imports_status_check,
  drop constraint imports_check;
alter table imports
  add constraint imports_status_check check
    (status in ('awaiting_file', 'fetching', 'accepted', 'running', 'completed', 'failed', 'cancelled')),
  add constraint imports_check check
    ((status in ('awaiting_file', 'fetching', 'accepted', 'running')) = (finished_at is null)),
  add constraint imports_source check (status <> 'fetching' or source_url is not null);

drop index imports_unfinished;
create index imports_unfinished on imports (created_at)
  where status in ('awaiting_file', 'fetching', 'accepted', 'running');
