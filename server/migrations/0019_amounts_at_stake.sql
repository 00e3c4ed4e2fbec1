-- Runs beside: none
-- What the measures of milestones would lose if every open dispute was lost.

insert into figures (project_id, subject, part, numbers)
select project_id, owner, program_id, jsonb_object_agg(name, value::text)
from (
  select c.project_id, c.owner, c.program_id, c.prefix || n.name as name, sum(n.value) as value
  from (
    select e.project_id, r.program_id, counted.owner, counted.prefix, p.currency, p.disputed_minor as disputed,
        p.amount_minor - p.refunded_minor as kept
      from purchases p
      join events e on e.project_id = p.project_id and e.id = p.event_id
      left join referrals own on own.project_id = e.project_id and e.referral_id is null
        and own.referee_participant_id = e.participant_id
      join referrals r on r.project_id = e.project_id and r.id = coalesce(e.referral_id, own.id)
      cross join lateral (values (r.referrer_participant_id, ''), (r.referee_participant_id, 'own:'))
        as counted (owner, prefix)
      where p.disputed_minor > 0
        and e.type = 'purchase' and e.processing_state = 'processed' and e.program_id is not null
    union all
    select p.project_id, counted.program_id, p.participant_id, 'own:', p.currency, p.disputed_minor,
        p.amount_minor - p.refunded_minor
      from purchases p
      cross join lateral json_array_elements_text(p.loyalty_program_ids) as counted (program_id)
      where p.disputed_minor > 0 and p.loyalty_program_ids is not null
  ) as c
  cross join lateral (values ('atStake:purchases', (c.kept <= 0)::int::bigint),
    ('atStake:revenue:' || c.currency, c.disputed)) as n (name, value)
  group by 1, 2, 3, 4) as counted
where value <> 0
group by project_id, owner, program_id
on conflict (project_id, subject, part) do update set
  numbers = add_numbers(figures.numbers, excluded.numbers);

-- The overview of payouts leaves out what is disputed or under review. It finds everything that it needs in this index.
create index rewards_due_by_payout
  on rewards (project_id, currency, beneficiary_participant_id, number)
  include (payout_due_minor, available_at, currency_exponent, is_disputed, is_under_review)
  where payout_due_minor <> 0 and payout_id is null;
drop index rewards_owed_by_payout;
