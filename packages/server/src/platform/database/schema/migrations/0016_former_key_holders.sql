-- Finds the contacts that had a key before. Late records under this key can belong to them.
create index former_keys_contact_key on former_keys (account_id, contact_key);
-- Finds the last change of a key in an account. Activities after that time cannot belong to a
-- former holder, so no look-up is needed.
create index former_keys_changed_at on former_keys (account_id, changed_at);
