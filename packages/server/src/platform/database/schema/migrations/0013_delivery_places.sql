-- Attempts under way are limited for each account too, and places go to the accounts that wait for a receiver in turn: both look for what is
-- parked of one account for one receiver.
drop index deliveries_receiver;
create index deliveries_receiver on deliveries (receiver, phase, account_id, next_attempt_at) where phase in ('parked', 'sending');
create index deliveries_account on deliveries (account_id, phase, receiver, next_attempt_at) where phase in ('parked', 'sending');
