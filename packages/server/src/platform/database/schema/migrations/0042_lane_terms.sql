-- Who may write the contacts of a lane on a cluster, where the lock of the lane and the contacts are
-- on different servers. A holder of the lane has the number of its term. A later holder begins
-- another term, and the earlier one can then write nothing more.
create table lane_terms (
  account_id integer not null,
  lane smallint not null,
  term bigint not null,
  constraint lane_terms_pkey primary key (account_id, lane)
);
