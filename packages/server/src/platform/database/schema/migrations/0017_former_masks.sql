-- Former masks: the masks of names whose attributes were deleted or renamed. Clients may continue
-- to send values under such a name. A new attribute with the name gets the former mask, unless an
-- API key with the scope `unmasked` sets another mask.
create table former_masks (
  account_id integer not null references accounts,
  name text not null collate "C",
  data_masking text not null,
  primary key (account_id, name)
);
