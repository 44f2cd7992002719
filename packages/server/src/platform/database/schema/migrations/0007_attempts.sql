-- How often a worker began to apply the request and ended before it had, as far as that was noted (requests/turns.ts).
alter table request_queue add column attempts smallint not null default 0;
