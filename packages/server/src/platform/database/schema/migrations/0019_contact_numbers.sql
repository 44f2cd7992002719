-- The last contact_id of each account. One sequence for all accounts would show a tenant how many
-- contacts other tenants create.
--
-- Existing accounts continue after the last number of any account. Their deleted contacts also had
-- numbers, and a contact_id is never reused.
create table contact_numbers (
  account_id integer primary key references accounts,
  last_contact_id bigint not null
);
insert into contact_numbers (account_id, last_contact_id)
select account_id, last_value from accounts, contact_ids where is_called;

alter table contacts alter column contact_id drop default;
drop sequence contact_ids;
