-- Each account also has a limit of running attempts, and accounts that wait for the same receiver
-- take turns. Both look for the parked deliveries of one account to one receiver.
drop index deliveries_receiver;
create index deliveries_receiver on deliveries (receiver, phase, account_id, next_attempt_at) where phase in ('parked', 'sending');
create index deliveries_account on deliveries (account_id, phase, receiver, next_attempt_at) where phase in ('parked', 'sending');
