-- Mails of the service. They are kept for operators, and sent if a mail server is configured. See
-- docs/mails.md.
create table mails (
  account_id integer not null,
  -- A time-ordered UUID (version 7). It gives the order of the mails, and is the local part of the
  -- Message-ID.
  mail_id uuid not null,
  template text not null,
  recipient text not null,
  subject text not null,
  plain_text text not null,
  html text not null,
  -- stored: no mail server was configured, so the mail is never sent.
  status text not null check (status in ('stored', 'pending', 'sent', 'failed')),
  -- Number of attempts that have ended.
  attempts integer not null default 0,
  -- Why the last attempt failed: a code of docs/contract/mails.md, and the numbers of the reply,
  -- such as '550 5.1.1'. The text of the reply is not stored, because it can contain addresses.
  last_error text,
  last_reply text,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3),
  -- When the next attempt is due.
  next_attempt_at timestamptz(3),
  primary key (account_id, mail_id),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'sent') = (sent_at is not null))
);

create index mails_status on mails (account_id, status, mail_id);
create index mails_created_at on mails (created_at);
