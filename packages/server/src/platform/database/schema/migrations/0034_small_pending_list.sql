-- New entries of this index wait in a list. The space of the list stays in the index, so a limit of
-- 16 MB made the index 16 MB larger. A contact has few entries, and there are few lists. So a short
-- list costs no more processor time, and a search reads less that is not sorted yet.
alter index contacts_list_ids set (gin_pending_list_limit = 1024);
