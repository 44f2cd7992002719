-- All parts of a payload are compressed together, so a row of the queue does not say where its part
-- begins. Waiting parts of before cannot be read.
do $$
begin
  if exists (select from request_queue where parts > 1) then
    raise exception 'requests of accounts with several buckets still wait: start the earlier version, and upgrade when the queue is empty';
  end if;
end $$;
alter table request_queue
  drop constraint request_queue_part_check,
  drop column part_start,
  drop column part_length;
