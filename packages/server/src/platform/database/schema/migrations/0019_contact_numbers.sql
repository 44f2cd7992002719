-- The last contact_id of each account. One sequence for all accounts would show a tenant how many contacts the others create.
--
-- An account that is there already goes on behind every number that any account has: its deleted contacts had some of them, and a contact_id is
-- never given twice.
create table contact_numbers (
  account_id integer primary key references accounts,
  last_contact_id bigint not null
);
insert into contact_numbers (account_id, last_contact_id)
select account_id, last_value from accounts, contact_ids where is_called;

alter table contacts alter column contact_id drop default;
drop sequence contact_ids;
