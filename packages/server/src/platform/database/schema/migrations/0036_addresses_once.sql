-- In an account keyed by EMAIL, the address of a contact usually equals its contact_key. `email` is
-- then '', so that the row and the indexes have the address once. The same for MOBILE. Existing
-- rows stay as they are: every statement understands both forms.
drop index contacts_email;
create index contacts_email on contacts (account_id, lower(email)) where email <> '';
drop index contacts_mobile;
create index contacts_mobile on contacts (account_id, mobile) where mobile <> '';

-- Building an index on the empty table told the planner that it has no rows. See the end of
-- 0001_store.sql.
do $$ begin
  if not exists (select from contacts) then
    insert into contacts (account_id, contact_key, contact_id, contact_type, created_at, updated_at)
    values (0, '', 0, 'identified', now(), now());
    analyze contacts;
    delete from contacts;
  end if;
end $$;
