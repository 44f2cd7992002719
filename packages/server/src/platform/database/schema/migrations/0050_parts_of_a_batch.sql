-- The parts of a request that were applied in one batch are stored as one row.
alter table request_parts add column parts smallint not null default 1;
