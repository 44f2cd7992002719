-- A record that may be stored already is looked for by its record id, too. Otherwise each look-up reads all activities that a contact has on a
-- channel at one moment, and an account that sends ten thousand of those in a request keeps the pipeline busy for minutes.
create index activities_record on activities (account_id, contact_key, channel, occurred_at desc, record_id);
drop index activities_contact;
