-- When the last request with the key was served. Written at most three times a minute.
alter table api_keys add column last_used_at timestamptz;
