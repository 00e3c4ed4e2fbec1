-- Runs beside: none
-- Milestones that are reached only with referrals under review are held. What such referrals have counted for milestones,
-- of reviews that are open already. The numbers are replaced, not added to: those that are already there are the same.

insert into figures (project_id, subject, part, numbers)
select project_id, subject, part, jsonb_object_agg('reviewed:' || name, value::text)
from (
  with referred as (
    select r.project_id, r.id, r.program_id, r.referrer_participant_id, r.referee_participant_id
      from referrals r where r.review_status = 'open'
  ), bought as (
    select r.project_id, r.program_id, counted.owner, counted.prefix, p.currency,
        p.amount_minor - p.refunded_minor + p.disputed_minor as net, p.disputed_minor as disputed
      from referred r
      cross join lateral (
        select id from events
          where project_id = r.project_id and referral_id = r.id
            and type = 'purchase' and processing_state = 'processed' and program_id is not null
        union all
        select id from events
          where project_id = r.project_id and participant_id = r.referee_participant_id and referral_id is null
            and type = 'purchase' and processing_state = 'processed' and program_id is not null
      ) as e
      join purchases p on p.project_id = r.project_id and p.event_id = e.id
      cross join lateral (values (r.referrer_participant_id, ''), (r.referee_participant_id, 'own:'))
        as counted (owner, prefix)
  )
  select c.project_id, c.owner as subject, c.program_id as part, c.name, sum(c.value) as value
  from (
    select project_id, referrer_participant_id as owner, program_id, 'referrals' as name, 1::numeric as value
      from referred
    union all
    select b.project_id, b.owner, b.program_id, n.name, n.value
      from bought b
      cross join lateral (values
        (b.prefix || 'purchases', (b.net > 0)::int::numeric),
        (b.prefix || 'revenue:' || b.currency, b.net),
        (b.prefix || 'atStake:purchases', (b.net > 0)::int::numeric - (b.net > b.disputed)::int),
        (b.prefix || 'atStake:revenue:' || b.currency, b.disputed)) as n (name, value)
  ) as c
  group by 1, 2, 3, 4
) as numbers
where value <> 0
group by project_id, subject, part
on conflict (project_id, subject, part) do update set
  numbers = figures.numbers || excluded.numbers;

-- As the service holds them when a review is opened.
update rewards r set is_under_review = true,
  delivery_status = case when r.fulfillment_status = 'pending' then 'on_hold' else r.delivery_status end,
  delivery_reason = case when r.fulfillment_status = 'pending' then 'risk_review' else r.delivery_reason end
from (
  select r.project_id, r.id
  from figures f
  join rewards r on r.project_id = f.project_id and r.beneficiary_participant_id = f.subject
    and r.program_id = f.part and r.milestone is not null and r.void is null and not r.is_under_review
  cross join lateral (select case when r.milestone = 'referrals'
    or r.beneficiary_role = 'referrer' then '' else 'own:' end as side) as s
  cross join lateral (select
    case when r.milestone = 'referrals' then coalesce(f.referred, 0)
        else coalesce((f.numbers ->> (side || r.milestone))::numeric, 0) end
      - coalesce((f.numbers ->> ('rejected:' || side || r.milestone))::numeric, 0)
      + case when r.beneficiary_role = 'referrer'
        then coalesce((f.numbers ->> ('carried:' || r.milestone))::numeric, 0) else 0 end as value,
    coalesce((f.numbers ->> (side || 'atStake:' || r.milestone))::numeric, 0)
      - coalesce((f.numbers ->> ('rejected:' || side || 'atStake:' || r.milestone))::numeric, 0) as disputed,
    coalesce((f.numbers ->> ('reviewed:' || side || r.milestone))::numeric, 0) as reviewed,
    coalesce((f.numbers ->> ('reviewed:' || side || 'atStake:' || r.milestone))::numeric, 0) as of_both) as m
  where m.reviewed > 0 and m.value >= r.milestone_at
    and (m.value - m.reviewed < r.milestone_at
      or not r.is_disputed and m.value - m.disputed - m.reviewed + m.of_both < r.milestone_at)
) as held
where r.project_id = held.project_id and r.id = held.id;

-- What a decision settles.
create index rewards_held_milestones on rewards (project_id, rule_id, beneficiary_participant_id, number)
  where is_under_review and milestone is not null;
