-- Who had a key before: what is reported late under it belongs to them.
create index former_keys_contact_key on former_keys (account_id, contact_key);
-- When the keys of an account have changed last: what happened since is of nobody who had another key, and need not be looked up.
create index former_keys_changed_at on former_keys (account_id, changed_at);
