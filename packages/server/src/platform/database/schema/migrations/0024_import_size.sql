-- Bytes of the whole file of an upload in parts, as a part so far has stated them; null while none has. All parts must agree.
alter table imports add column stated_size bigint;
