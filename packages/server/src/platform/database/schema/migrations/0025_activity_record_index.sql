-- Also finds stored records by record id. Without it, each look-up reads all activities of a
-- contact on a channel at one time. If a request has ten thousand of these, the pipeline is busy
-- for minutes.
create index activities_record on activities (account_id, contact_key, channel, occurred_at desc, record_id);
drop index activities_contact;
