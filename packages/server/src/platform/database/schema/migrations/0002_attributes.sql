-- Columns for the operations on attributes. See docs/contract/attributes.md.

-- Checked at the end of each statement, so that one update of several attributes can swap names or
-- mappings.
alter table attributes drop constraint attributes_account_id_name_key;
alter table attributes drop constraint attributes_account_id_mapping_key;
alter table attributes add constraint attributes_name unique (account_id, name) deferrable initially immediate;
alter table attributes add constraint attributes_mapping unique (account_id, mapping) deferrable initially immediate;

-- The former data type, number or boolean, while a sweep converts the stored values to text.
-- Contacts can still have values of this type. Null: no conversion is pending.
alter table attributes add column widened_from text check (widened_from in ('number', 'boolean'));
-- An operator asked for an index on the values.
alter table attributes add column indexed boolean not null default false;

-- True for a whole operation, which changes the attributes. It is applied in a batch of its own,
-- after all earlier requests and before all later ones.
alter table request_queue add column exclusive boolean not null default false;

-- Sweeps now also remove the values of deleted attributes, and convert the values of attributes
-- that became text. `position` is the contact_id up to which the contacts are done.
alter table sweeps drop constraint sweeps_kind_check;
alter table sweeps add constraint sweeps_kind_check check (kind in ('list', 'attribute', 'widening'));
alter table sweeps add column position bigint not null default 0;
