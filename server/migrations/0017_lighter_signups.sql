-- Runs beside: none
-- A signup with two rewards writes one row and eight index entries less.

-- The ids of new events begin with wev_4 and contain their position.
create unique index feed_events_by_earlier_id on feed_events (project_id, id) where id collate "C" < 'wev_4';
alter table feed_events drop constraint feed_events_project_id_id_key;

-- The condition of this index parses the data of an event. A reward that was just earned has no text of an operator or a provider.
create index feed_events_with_free_text
  on feed_events (project_id, (coalesce(data->'reward'->>'id', data->'payout'->>'id')))
  where type not in ('participant.created', 'referral.created', 'event.recorded', 'reward.earned')
    and coalesce(data->'reward'->'void'->>'reason', data->'payout'->>'failureMessage') is not null;
drop index feed_events_with_text;

-- A rule for signups earns once for a person, which is counted by person. So its rewards are no longer counted by earning
-- period.

update rewards r set signup_person_id = coalesce(e.actor_participant_id, e.participant_id)
from events e
where r.signup_person_id is null and r.milestone is null
  and e.project_id = r.project_id and e.id = r.event_id and e.type = 'signup';

create index rewards_in_period
  on rewards (project_id, rule_id, coalesce(referral_id, beneficiary_participant_id), number)
  where signup_person_id is null
    and void is null and (net_amount_minor is null or net_amount_minor > 0 or is_disputed);
drop index rewards_standing;

update figures f set numbers = add_numbers(f.numbers, gone.numbers)
from (
  select project_id, period, program_id,
    jsonb_object_agg('period:' || rule_id, (-how_many)::text) as numbers
  from (
    select project_id, coalesce(referral_id, beneficiary_participant_id) as period, program_id, rule_id,
      count(*) as how_many
    from rewards
    where signup_person_id is not null
      and void is null and (net_amount_minor is null or net_amount_minor > 0 or is_disputed)
    group by 1, 2, 3, 4) as counted
  group by 1, 2, 3) as gone
where f.project_id = gone.project_id and f.subject = gone.period and f.part = gone.program_id;

-- Rows that had no other numbers.
delete from figures
where subject like 'ref\_%' and referred is null and not jsonb_path_exists(numbers, '$.* ? (@ != "0")');
