-- Exports that are over are deleted some time after their file was, or after their end when there was none.
create index exports_over on exports (coalesce(expires_at, finished_at)) where status in ('failed', 'cancelled', 'expired');
