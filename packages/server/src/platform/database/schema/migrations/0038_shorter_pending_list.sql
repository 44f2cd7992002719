-- A pending list of 16 MB made the index 16 MB larger, and every search read up to all of it. With
-- 4 MB, inserts cost a little more processor time (docs/decisions/0038-disk-of-a-contact.md).
alter index contacts_attributes set (gin_pending_list_limit = 4096);
