-- The page of a contact reads the entries about this contact.
create index audit_log_subject on audit_log (account_id, subject, audit_id);
