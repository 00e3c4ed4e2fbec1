-- Runs beside: none
-- Conditions, tiers and milestones of terms, and the measures that they depend on.

alter table reward_terms
  add column conditions json,
  add column tiers json,
  add column milestone json,
  drop constraint reward_terms_calculation_check,
  add constraint reward_terms_calculation_check
    check (calculation in ('fixed', 'percentage', 'milestone'));

alter table programs
  -- The first day of the measures by day; null if no terms have needed them.
  add column days_from text;

alter table purchases
  -- The loyalty programs whose rules judged it for a member; null for none.
  add column loyalty_program_ids json;

alter table participants
  -- What imports carried over, by program; null for nothing.
  add column starting_measures json;

alter table rewards
  -- What its milestone is of, and the measure that it needs.
  add column milestone text,
  add column milestone_at bigint;

-- An event can earn several multiples of one milestone.
create unique index rewards_once_each
  on rewards (project_id, event_id, rule_id, beneficiary_participant_id, coalesce(milestone_at, 0));
drop index rewards_once;
-- A milestone is earned once, ever.
create unique index rewards_milestones_once
  on rewards (project_id, rule_id, beneficiary_participant_id, milestone, milestone_at)
  where milestone is not null;

-- Purchases that loyalty programs judged for a member: their explanations say so.
update purchases p set loyalty_program_ids = judged.program_ids
from (
  select e.project_id, e.id as event_id, json_agg(distinct r.program_id) as program_ids
  from events e
  cross join lateral json_array_elements(e.explanation->'rules') as explained (rule)
  join benefit_rules r on r.project_id = e.project_id and r.id = explained.rule->>'ruleId'
    and r.beneficiary_role = 'subject'
  where e.type = 'purchase' and e.explanation is not null
    and coalesce(explained.rule->>'reason', '') not in ('program_not_active', 'enrollment_not_active')
    and exists (select 1 from enrollments n
      where n.project_id = e.project_id and n.participant_id = e.participant_id
        and n.program_id = r.program_id and (n.ends_at is null or n.ends_at > e.occurred_at))
  group by e.project_id, e.id) as judged
where p.project_id = judged.project_id and p.event_id = judged.event_id and p.duplicate_of is null;

-- What purchases count for the people whose measures they are.
insert into figures (project_id, subject, part, numbers)
select project_id, owner, program_id, jsonb_object_agg(name, value::text)
from (
  select c.project_id, c.owner, c.program_id, c.prefix || n.name as name, sum(n.value) as value
  from (
    select e.project_id, r.program_id, counted.owner, counted.prefix, p.currency,
        p.amount_minor - p.refunded_minor + p.disputed_minor as net
      from events e
      join purchases p on p.project_id = e.project_id and p.event_id = e.id
      left join referrals own on own.project_id = e.project_id and e.referral_id is null
        and own.referee_participant_id = e.participant_id
      join referrals r on r.project_id = e.project_id and r.id = coalesce(e.referral_id, own.id)
      cross join lateral (values (r.referrer_participant_id, ''), (r.referee_participant_id, 'own:'))
        as counted (owner, prefix)
      where e.type = 'purchase' and e.processing_state = 'processed' and e.program_id is not null
    union all
    select p.project_id, counted.program_id, p.participant_id, 'own:', p.currency,
        p.amount_minor - p.refunded_minor + p.disputed_minor
      from purchases p
      cross join lateral json_array_elements_text(p.loyalty_program_ids) as counted (program_id)
      where p.loyalty_program_ids is not null
  ) as c
  cross join lateral (values ('purchases', (c.net > 0)::int::bigint), ('revenue:' || c.currency, c.net))
    as n (name, value)
  -- The revenue of referrers is counted already.
  where c.prefix = 'own:' or n.name = 'purchases'
  group by 1, 2, 3, 4) as counted
where value <> 0
group by project_id, owner, program_id
on conflict (project_id, subject, part) do update set
  numbers = add_numbers(figures.numbers, excluded.numbers);
