-- The last numbers that were given within each account. In `accounts`, each new attribute or list
-- changed a row that a cluster keeps on every node, so all accounts waited for each other. Changes of
-- an account, its attributes and its audiences lock the row.
create table account_numbers (
  account_id integer primary key references accounts,
  last_audience_id integer not null default 0,
  last_attribute_id integer not null default 0
);
insert into account_numbers (account_id, last_audience_id, last_attribute_id)
select account_id, last_audience_id, last_attribute_id from accounts;

alter table accounts drop column last_audience_id, drop column last_attribute_id;
