-- Derived attributes: what the activities of a contact say together. See
-- docs/decisions/0045-derived-attributes.md.

-- One row for each contact key with such activities, in accounts with the setting
-- `derived_attributes`. Columns without a value take no space.
--
-- The arrays have the minutes (since 1970) of the activities of about the last 92 days, in ascending
-- order, one element for each activity.
create table activity_summaries (
  account_id integer not null,
  contact_key text collate "C" not null,
  first_seen timestamptz(3),
  last_seen timestamptz(3),
  email_sent_at timestamptz(3),
  email_open_at timestamptz(3),
  email_click_at timestamptz(3),
  sms_sent_at timestamptz(3),
  sms_open_at timestamptz(3),
  sms_click_at timestamptz(3),
  whatsapp_sent_at timestamptz(3),
  whatsapp_open_at timestamptz(3),
  whatsapp_click_at timestamptz(3),
  app_push_sent_at timestamptz(3),
  app_push_open_at timestamptz(3),
  app_push_click_at timestamptz(3),
  web_push_sent_at timestamptz(3),
  web_push_open_at timestamptz(3),
  web_push_click_at timestamptz(3),
  email_sent_minutes integer[],
  email_open_minutes integer[],
  email_click_minutes integer[],
  sms_sent_minutes integer[],
  sms_open_minutes integer[],
  sms_click_minutes integer[],
  whatsapp_sent_minutes integer[],
  whatsapp_open_minutes integer[],
  whatsapp_click_minutes integer[],
  app_push_sent_minutes integer[],
  app_push_open_minutes integer[],
  app_push_click_minutes integer[],
  web_push_sent_minutes integer[],
  web_push_open_minutes integer[],
  web_push_click_minutes integer[],
  primary key (account_id, contact_key)
) with (
  -- Space for new versions of rows in the same page, so that an update need not change the index.
  fillfactor = 75,
  -- Updates remove old versions in their page. Vacuum and analyze every 20 seconds would cost more
  -- than the updates themselves.
  autovacuum_vacuum_scale_factor = 0.3,
  autovacuum_vacuum_insert_scale_factor = 0.3,
  autovacuum_analyze_scale_factor = 0.5
);
-- No plan depends on the values of the arrays.
do $$ declare name text; begin
  for name in select attname from pg_attribute
    where attrelid = 'activity_summaries'::regclass and attname like '%\_minutes'
  loop
    execute format('alter table activity_summaries alter column %I set statistics 0', name);
  end loop;
end $$;

-- The accounts that have summaries, or are getting or losing them.
create table activity_summary_states (
  account_id integer primary key,
  -- False: the setting is off, and the rows are being deleted.
  wanted boolean not null,
  -- True: every contact has its summary, so searches can use them.
  usable boolean not null default false,
  -- True: summaries have the messages that were sent, which most activities are.
  with_sent boolean not null,
  -- The contact key up to which the summaries are rebuilt. Null: no rebuild is under way.
  position text collate "C",
  -- Progress of the rebuild, in activities.
  done bigint not null default 0,
  total bigint not null default 0,
  -- The first month (12 × year + 0 to 11) whose activities are in the summaries, and the contact key
  -- up to which older ones are removed from them. Null: not known yet.
  kept_from integer,
  trimmed_to text collate "C" not null default '',
  requested_at timestamptz(3) not null
);
