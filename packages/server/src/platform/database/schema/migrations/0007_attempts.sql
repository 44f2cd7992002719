-- Number of noted attempts to apply the request. A note stays when a crash ends the attempt, and
-- makes the request suspected.
alter table request_queue add column attempts smallint not null default 0;
