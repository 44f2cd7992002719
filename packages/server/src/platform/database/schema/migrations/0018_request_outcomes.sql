-- Requests of which items failed, and those with warnings: operators look for them among a million that have neither. Requests that failed as
-- a whole count as failed, also one without items.
create index request_results_failed_items on request_results (account_id, request_id)
  where status = 'failed' or (counts ->> 'failed')::integer > 0;
create index request_results_warnings on request_results (account_id, request_id) where (counts ->> 'warnings')::integer > 0;
