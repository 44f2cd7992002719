-- Slots: columns of contacts that repeat the values of indexed attributes, so that PostgreSQL can
-- search an attribute as fast as a plain column (docs/decisions/0037-attribute-slots.md).

-- Parts of words, for indexes that find texts in any letter case.
create extension if not exists pg_trgm;

-- The indexes of single accounts on expressions. Workers build the indexes of slots instead.
do $$
declare
  found text;
begin
  for found in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'contacts'::regclass and starts_with(c.relname, 'contacts_attribute_')
  loop
    execute format('drop index %I', found);
  end loop;
  for found in select stxname from pg_statistic_ext
    where stxrelid = 'contacts'::regclass and starts_with(stxname, 'contacts_attribute_')
  loop
    execute format('drop statistics %I', found);
  end loop;
end $$;
update attributes set indexed_as = null, index_failed_at = null where indexed_as is not null or index_failed_at is not null;

-- Null in all contacts of an account that does not use the slot. Up to 72 columns, columns that are
-- null take no space in a row.
alter table contacts
  add column number_1 double precision,
  add column number_2 double precision,
  add column number_3 double precision,
  add column number_4 double precision,
  add column number_5 double precision,
  add column number_6 double precision,
  add column number_7 double precision,
  add column number_8 double precision,
  add column number_9 double precision,
  add column number_10 double precision,
  add column number_11 double precision,
  add column number_12 double precision,
  add column number_13 double precision,
  add column number_14 double precision,
  add column number_15 double precision,
  add column number_16 double precision,
  add column number_17 double precision,
  add column number_18 double precision,
  add column number_19 double precision,
  add column number_20 double precision,
  add column text_1 text collate "C",
  add column text_2 text collate "C",
  add column text_3 text collate "C",
  add column text_4 text collate "C",
  add column text_5 text collate "C",
  add column text_6 text collate "C",
  add column text_7 text collate "C",
  add column text_8 text collate "C",
  add column text_9 text collate "C",
  add column text_10 text collate "C",
  add column text_11 text collate "C",
  add column text_12 text collate "C",
  add column text_13 text collate "C",
  add column text_14 text collate "C",
  add column text_15 text collate "C",
  add column text_16 text collate "C",
  add column text_17 text collate "C",
  add column text_18 text collate "C",
  add column text_19 text collate "C",
  add column text_20 text collate "C";

-- The slots that are in use. A slot without a row is free, and null in all contacts of the account.
create table attribute_slots (
  account_id integer not null,
  -- A column of contacts, such as number_1.
  slot text not null check (slot ~ '^(number|text)_([1-9]|1[0-9]|20)$'),
  attribute_id integer not null,
  -- The data type whose values the slot has.
  data_type text not null,
  -- filling: a sweep writes the values of all contacts. filled: all contacts have their values.
  -- released: the attribute does not need the slot anymore, but searches that began earlier may
  -- still read it. clearing: a sweep empties the slot, and batches do not write it anymore.
  state text not null check (state in ('filling', 'filled', 'released', 'clearing')),
  -- The contact_id up to which the slot is filled, or cleared.
  position bigint not null default 0,
  -- When the state was changed.
  changed_at timestamptz(3) not null,
  primary key (account_id, slot)
);
-- An attribute has one slot that searches use or will use.
create unique index attribute_slots_attribute on attribute_slots (account_id, attribute_id) where state in ('filling', 'filled');
-- A worker looks for these twice a second.
create index attribute_slots_in_use on attribute_slots (slot) where state in ('filling', 'filled');
create index attribute_slots_unfinished on attribute_slots (account_id, slot) where state <> 'filled';
drop index attributes_indexed;
create index attributes_unsettled on attributes (account_id, attribute_id)
  where indexed_as is distinct from case when indexed and data_type <> 'long_text' then data_type end;
