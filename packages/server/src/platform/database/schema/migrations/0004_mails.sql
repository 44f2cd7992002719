-- Mails that the service writes (decisions §5, §7, §8): kept for operators, and sent when there is a mail server.
create table mails (
  account_id integer not null,
  -- A time-ordered UUID (version 7): the order of the mails, and the local part of the Message-ID.
  mail_id uuid not null,
  template text not null,
  recipient text not null,
  subject text not null,
  plain_text text not null,
  html text not null,
  -- stored: there was no mail server, so nothing else will happen to it.
  status text not null check (status in ('stored', 'pending', 'sent', 'failed')),
  -- Number of attempts that have ended; says which attempt is next.
  attempts integer not null default 0,
  -- Why the last attempt did not succeed: a code of the contract, and the numbers of the reply such as '550 5.1.1'. Never text of the server,
  -- which quotes addresses.
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
