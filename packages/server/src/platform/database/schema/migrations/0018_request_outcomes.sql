-- Operators look for requests with failed items or with warnings, which can be rare among a million
-- others. The first index also has requests that failed as a whole, even without items.
create index request_results_failed_items on request_results (account_id, request_id)
  where status = 'failed' or (counts ->> 'failed')::integer > 0;
create index request_results_warnings on request_results (account_id, request_id) where (counts ->> 'warnings')::integer > 0;
