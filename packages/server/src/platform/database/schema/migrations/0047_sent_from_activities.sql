-- Derived attributes about messages that were sent are computed from the activities when they are
-- used, for all accounts with derived attributes. See docs/decisions/0045-derived-attributes.md.

-- Does not rewrite the table.
alter table activity_summaries
  drop column email_sent_at,
  drop column sms_sent_at,
  drop column whatsapp_sent_at,
  drop column app_push_sent_at,
  drop column web_push_sent_at,
  drop column email_sent_minutes,
  drop column sms_sent_minutes,
  drop column whatsapp_sent_minutes,
  drop column app_push_sent_minutes,
  drop column web_push_sent_minutes;

-- Rows that had only these columns are empty now, and the others still have their space. A worker
-- computes all summaries of these accounts again. Searches can use them meanwhile.
update activity_summary_states set position = '', done = 0 where with_sent and wanted and position is null;
alter table activity_summary_states drop column with_sent;

update accounts set settings = settings - 'derived_sent_attributes' where settings ? 'derived_sent_attributes';
