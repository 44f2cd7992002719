-- The request that created an anonymous contact is found by the numbers of its contacts, no longer by
-- the time of creation: an import can give a contact an earlier one.
alter table erasures drop column contact_created_at;
