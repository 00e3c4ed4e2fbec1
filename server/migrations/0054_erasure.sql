-- Runs beside: 0038_events_due.sql
-- Events that have free text, by the Reward or the payout that they are about, for an erasure to clear.
create index if not exists feed_events_with_text
  on feed_events (project_id, (coalesce(data->'reward'->>'id', data->'payout'->>'id')))
  where type not in ('participant.created', 'referral.created', 'event.recorded')
    and coalesce(data->'reward'->'void'->>'reason', data->'payout'->>'failureMessage') is not null;

-- With the number, so that an erasure goes through them in slices.
create index if not exists events_by_actor_and_number
  on events (project_id, actor_participant_id, number) where actor_participant_id is not null;
drop index events_by_actor;
