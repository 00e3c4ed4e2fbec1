-- Runs beside: 0038_events_due.sql
-- The referral that an Event was credited to: a group's purchase may count for whoever referred its
-- actor or its creator. Null in Events from before, which were credited to their participant's own.
alter table events add column referral_id text;
create index if not exists events_credited on events (project_id, referral_id)
  where type = 'purchase' and processing_state = 'processed' and referral_id is not null;

-- Who has bought something that is left after refunds, and who bought without saying for how much:
-- found without reading what was free or given back.
create index if not exists purchases_paid on purchases (project_id, participant_id, subscription_id)
  where duplicate_of is null and amount_minor > refunded_minor - disputed_minor;
create index if not exists events_unpriced on events (project_id, participant_id)
  where type = 'purchase' and processing_state = 'processed'
    and normalized_facts ->> 'purchase' is null;
