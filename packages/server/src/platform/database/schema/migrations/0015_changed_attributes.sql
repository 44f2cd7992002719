-- The attributes that an update of attributes has changed, in the order of its items: its answer finds them by their numbers, for another request can
-- give a name away before it is answered. Null for all other requests, and for an update that was refused.
alter table request_results add column attribute_ids integer[];
