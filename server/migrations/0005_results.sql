-- Runs beside: none
-- Figures of results: what referred people bought and when they bought first, what was paid of rewards, and the results
-- of each link.

alter table referrals
  -- When the first purchase that was credited to it was received.
  add column first_purchase_at timestamptz(3),
  -- The link that was followed or typed; null for a code.
  add column link_id text;

-- Purchases of early versions do not name their referral: it is their participant's own.
update referrals r set first_purchase_at = bought.first_at
from (
  select e.project_id, coalesce(e.referral_id, own.id) as referral_id, min(e.received_at) as first_at
  from events e left join referrals own
    on own.project_id = e.project_id and own.referee_participant_id = e.participant_id
  where e.type = 'purchase' and e.processing_state = 'processed' and e.program_id is not null
  group by 1, 2) as bought
where r.project_id = bought.project_id and r.id = bought.referral_id;

update referrals r set link_id = t.link_id
from touches t
where t.project_id = r.project_id and t.id = r.touch_id and t.link_id is not null;

insert into figures (project_id, subject, part, numbers, referred)
select project_id, subject, part,
  coalesce(jsonb_object_agg(name, trunc(value)::text) filter (where name <> 'referred'), '{}'),
  max(value) filter (where name = 'referred')
from (
  select project_id, link_id as subject, program_id || ':links' as part, 'referred' as name,
      count(*)::numeric as value
    from referrals where link_id is not null group by 1, 2, 3
  union all
  select project_id, link_id, program_id || ':links', 'customers', count(*)
    from referrals where link_id is not null and first_purchase_at is not null group by 1, 2, 3
  union all
  select project_id, referrer_participant_id, program_id, 'customers', count(*)
    from referrals where first_purchase_at is not null group by 1, 2, 3
  union all
  select project_id, program_id, to_char(first_purchase_at at time zone 'UTC', 'YYYY-MM-DD'),
      'customers', count(*)
    from referrals where first_purchase_at is not null group by 1, 2, 3
  union all
  select project_id, program_id, day, 'week:' || weeks, count(*)
    from (select project_id, program_id, to_char(selected_at at time zone 'UTC', 'YYYY-MM-DD') as day,
        greatest(0, ((date_trunc('week', first_purchase_at at time zone 'UTC')::date
          - date_trunc('week', selected_at at time zone 'UTC')::date) / 7)) as weeks
      from referrals where first_purchase_at is not null) as bought
    where weeks <= 52 group by 1, 2, 3, 4
  union all
  select r.project_id, owner.subject, owner.part, 'revenue:' || p.currency,
      sum(p.amount_minor - p.refunded_minor + p.disputed_minor)
    from events e
    join purchases p on p.project_id = e.project_id and p.event_id = e.id
    left join referrals own on own.project_id = e.project_id and e.referral_id is null
      and own.referee_participant_id = e.participant_id
    join referrals r on r.project_id = e.project_id and r.id = coalesce(e.referral_id, own.id)
    cross join lateral (values
      (r.program_id, to_char(e.received_at at time zone 'UTC', 'YYYY-MM-DD')),
      (r.referrer_participant_id, r.program_id),
      (r.link_id, r.program_id || ':links')) as owner (subject, part)
    where e.type = 'purchase' and e.processing_state = 'processed' and e.program_id is not null
      and owner.subject is not null
    group by 1, 2, 3, 4
  union all
  select project_id, program_id, to_char(earned_at at time zone 'UTC', 'YYYY-MM-DD'),
      'paid:' || currency, sum(case when method = 'payout' then paid_minor
        when fulfillment_status = 'fulfilled' and void is null then net_amount_minor else 0 end)
    from rewards where amount_minor is not null group by 1, 2, 3, 4
  union all
  select c.project_id, c.shared_id, c.program_id || ':links', 'clicks', sum(c.clicks)
    from click_counts c
    join ref_links l on l.project_id = c.project_id and l.id = c.shared_id
    group by 1, 2, 3
) as named
where value <> 0
group by project_id, subject, part
on conflict (project_id, subject, part) do update set
  numbers = add_numbers(figures.numbers, excluded.numbers);
