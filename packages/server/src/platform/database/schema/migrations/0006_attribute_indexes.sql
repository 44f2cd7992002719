-- Indexes on the values of attributes, on request of an operator.

-- The data type whose indexes are all ready. Null: some are missing, and searches use none of them.
alter table attributes add column indexed_as text;
-- When a build of the indexes failed last. Null: no build failed, or a later one succeeded.
alter table attributes add column index_failed_at timestamptz(3);
-- Finds the attributes that a worker compares with the catalogue of PostgreSQL, twice a second.
create index attributes_indexed on attributes (account_id, attribute_id) where indexed or indexed_as is not null;
