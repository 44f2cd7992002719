-- Size of the whole file in bytes, as stated by a part of an upload. Null until a part states it.
-- All parts must state the same size.
alter table imports add column stated_size bigint;
