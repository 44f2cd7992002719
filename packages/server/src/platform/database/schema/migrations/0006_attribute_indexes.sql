-- Indexes on the values of attributes, on demand.

-- The data type for whose values every index is ready; null: not all are, and searches do without.
alter table attributes add column indexed_as text;
-- When building the indexes failed last; null: it did not, or they were built since.
alter table attributes add column index_failed_at timestamptz(3);
-- What is compared with the catalogue of the database, twice a second.
create index attributes_indexed on attributes (account_id, attribute_id) where indexed or indexed_as is not null;
