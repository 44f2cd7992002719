-- How many contacts joined and left each list on each day. The transaction that changes the members
-- adds to these numbers. `day` is the day in the time zone that the account had then.
create table list_days (
  account_id integer not null,
  audience_id integer not null,
  day date not null,
  joined bigint not null,
  departed bigint not null,
  primary key (account_id, audience_id, day)
);

-- Changes of the members of a list are counted since this moment. Null: since the list was created.
alter table audiences add column counted_since timestamptz(3);

update audiences set counted_since = now() where audience_type = 'list';
