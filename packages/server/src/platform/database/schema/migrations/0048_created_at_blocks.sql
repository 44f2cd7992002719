-- The index for the default order of a search. Instead of each contact_id it has the block of 32
-- contact_ids, so that PostgreSQL stores equal entries together: 8 instead of 66 bytes a contact
-- (docs/decisions/0038-disk-of-a-contact.md).
--
-- In a database with contacts, a worker replaces the index later, without blocking writers
-- (features/index-sizes/replace-indexes.ts). Searches are right with either index.
do $$ begin
  if not exists (select from contacts) then
    drop index contacts_created_at;
    create index contacts_created_at_block on contacts (account_id, created_at, (contact_id >> 5) desc);
    -- Building an index told the planner that the table has no rows. See the end of 0001_store.sql.
    insert into contacts (account_id, contact_key, contact_id, contact_type, created_at, updated_at)
    values (0, '', 0, 'identified', now(), now());
    analyze contacts;
    delete from contacts;
  end if;
end $$;
