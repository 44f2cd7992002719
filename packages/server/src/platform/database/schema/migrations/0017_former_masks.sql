-- The mask of a name that a masked attribute had before it was deleted or renamed. Clients go on sending values under the name: an attribute
-- that takes it again gets the mask, unless a key with the scope `unmasked` decides otherwise.
create table former_masks (
  account_id integer not null references accounts,
  name text not null collate "C",
  data_masking text not null,
  primary key (account_id, name)
);
