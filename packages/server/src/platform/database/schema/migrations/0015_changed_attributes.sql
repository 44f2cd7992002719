-- The ids of the attributes that an update of attributes changed, in the order of its items. The
-- answer finds the attributes by id, because a later request can rename them before the answer is
-- sent. Null for all other requests, and for an update that failed.
alter table request_results add column attribute_ids integer[];
