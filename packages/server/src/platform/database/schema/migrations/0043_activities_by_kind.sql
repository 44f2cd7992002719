-- For filters by activity, such as "opened in the last 30 days": PostgreSQL finds the contact keys
-- in the index alone. Without `sent` (1) and `delivered` (2), which are nearly all rows: they would
-- make the index seven times as large, and recording slower.
create index activities_by_kind on activities (account_id, activity, occurred_at)
  include (channel, message_id, contact_key) where activity > 2;
