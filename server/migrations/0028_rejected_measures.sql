-- Runs beside: none
-- What rejected referrals have counted for measures, of reviews that were rejected before measures left it out. The
-- numbers are replaced, not added to: those that are already there are the same.

insert into figures (project_id, subject, part, numbers)
select project_id, subject, part, jsonb_object_agg('rejected:' || name, value::text)
from (
  with referred as (
    select r.project_id, r.id, r.program_id, r.referrer_participant_id, r.referee_participant_id,
        to_char(r.selected_at at time zone 'UTC', 'YYYY-MM-DD') as day
      from referrals r where r.review_status = 'rejected'
  ), bought as (
    select r.project_id, r.program_id, counted.owner, counted.prefix, p.currency,
        to_char(e.received_at at time zone 'UTC', 'YYYY-MM-DD') as day,
        p.amount_minor - p.refunded_minor + p.disputed_minor as net, p.disputed_minor as disputed
      from referred r
      cross join lateral (
        select id, received_at from events
          where project_id = r.project_id and referral_id = r.id
            and type = 'purchase' and processing_state = 'processed' and program_id is not null
        union all
        select id, received_at from events
          where project_id = r.project_id and participant_id = r.referee_participant_id and referral_id is null
            and type = 'purchase' and processing_state = 'processed' and program_id is not null
      ) as e
      join purchases p on p.project_id = r.project_id and p.event_id = e.id
      cross join lateral (values (r.referrer_participant_id, ''), (r.referee_participant_id, 'own:'))
        as counted (owner, prefix)
  ), counted as (
    select project_id, referrer_participant_id as owner, program_id, day, 'referrals' as name,
        1::numeric as value, true as has_day
      from referred
    union all
    select b.project_id, b.owner, b.program_id, b.day, n.name, n.value, n.has_day
      from bought b
      cross join lateral (values
        (b.prefix || 'purchases', (b.net > 0)::int::numeric, true),
        (b.prefix || 'revenue:' || b.currency, b.net, true),
        (b.prefix || 'atStake:purchases', (b.net > 0)::int::numeric - (b.net > b.disputed)::int, false),
        (b.prefix || 'atStake:revenue:' || b.currency, b.disputed, false)) as n (name, value, has_day)
  )
  select c.project_id, c.owner as subject, c.program_id as part, c.name, sum(c.value) as value
    from counted c group by 1, 2, 3, 4
  union all
  select c.project_id, c.owner || '/' || c.program_id, c.day, c.name, sum(c.value)
    from counted c join programs g on g.project_id = c.project_id and g.id = c.program_id
    where c.has_day and c.day >= g.days_from
    group by 1, 2, 3, 4
) as numbers
where value <> 0
group by project_id, subject, part
on conflict (project_id, subject, part) do update set
  numbers = figures.numbers || excluded.numbers;
