-- A request of an account with several buckets waits in parts, one for each lane. Lane 0 needs all
-- lanes. See docs/decisions/0039-parallel-lanes.md.
alter table request_queue
  add column lane smallint not null default 0,
  add column part smallint not null default 0,
  add column parts smallint not null default 1,
  add column part_start integer,
  add column part_length integer;
alter table request_queue drop constraint request_queue_pkey;
alter table request_queue add constraint request_queue_pkey primary key (account_id, lane, seq, part);
alter table request_queue add constraint request_queue_part_check
  check ((parts = 1) = (part_start is null) and (part_start is null) = (part_length is null));

alter table requests drop constraint requests_payload_codec_check;
alter table requests add constraint requests_payload_codec_check check (payload_codec in ('json', 'zstd', 'parts'));

-- The results of parts whose request has not ended yet.
create table request_parts (
  account_id integer not null,
  request_id uuid not null,
  part smallint not null,
  status text not null check (status in ('done', 'failed')),
  counts jsonb not null,
  contact_ids bigint[] not null,
  primary key (account_id, request_id, part)
);
