-- The upkeep deletes ended exports some time after their file was deleted. Exports without a file
-- are deleted some time after their end.
create index exports_over on exports (coalesce(expires_at, finished_at)) where status in ('failed', 'cancelled', 'expired');
