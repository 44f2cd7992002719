-- The attribute operations (decisions §4).

-- Checked at the end of a statement, so that one update of several attributes can swap names or mappings.
alter table attributes drop constraint attributes_account_id_name_key;
alter table attributes drop constraint attributes_account_id_mapping_key;
alter table attributes add constraint attributes_name unique (account_id, name) deferrable initially immediate;
alter table attributes add constraint attributes_mapping unique (account_id, mapping) deferrable initially immediate;

-- The data type in which values may still be stored, while the background turns them into text: number or boolean.
alter table attributes add column widened_from text check (widened_from in ('number', 'boolean'));
-- An operator asked for an index on the values.
alter table attributes add column indexed boolean not null default false;

-- The request changes the registry: it is applied alone, after those before it and before those behind it.
alter table request_queue add column exclusive boolean not null default false;

-- Besides memberships of deleted lists: values of deleted attributes, and values of attributes that became text. `position` is the
-- contact_id up to which the contacts are done.
alter table sweeps drop constraint sweeps_kind_check;
alter table sweeps add constraint sweeps_kind_check check (kind in ('list', 'attribute', 'widening'));
alter table sweeps add column position bigint not null default 0;
