-- Runs beside: none
-- Figures by day of partners: one row for each partner, program and day. A partner's participant is a partner's from
-- its creation on, so these are all rows that the facts so far would have written. Clicks have days already.
-- Figures by campaign begin with this version.

-- The month and the campaign that the referral is counted in.
alter table referrals add column campaign text;

insert into figures (project_id, subject, part, numbers)
select project_id, subject, part, jsonb_object_agg(name, trunc(value)::text)
from (
  select r.project_id, r.referrer_participant_id || ':' || r.program_id as subject,
      to_char(r.selected_at at time zone 'UTC', 'YYYY-MM-DD') as part, 'referrals' as name,
      count(*)::numeric as value
    from referrals r
    join participants p on p.project_id = r.project_id and p.id = r.referrer_participant_id
    where p.partner_id is not null and p.deleted_at is null group by 1, 2, 3
  union all
  select r.project_id, r.referrer_participant_id || ':' || r.program_id,
      to_char(r.first_purchase_at at time zone 'UTC', 'YYYY-MM-DD'), 'customers', count(*)
    from referrals r
    join participants p on p.project_id = r.project_id and p.id = r.referrer_participant_id
    where p.partner_id is not null and p.deleted_at is null and r.first_purchase_at is not null
    group by 1, 2, 3
  union all
  -- Purchases of early versions do not name their referral: it is their participant's own.
  select r.project_id, r.referrer_participant_id || ':' || r.program_id,
      to_char(e.received_at at time zone 'UTC', 'YYYY-MM-DD'), counted.name, sum(counted.value)
    from events e
    left join referrals own on own.project_id = e.project_id and e.referral_id is null
      and own.referee_participant_id = e.participant_id
    join referrals r on r.project_id = e.project_id and r.id = coalesce(e.referral_id, own.id)
    join participants p on p.project_id = r.project_id and p.id = r.referrer_participant_id
    left join purchases b on b.project_id = e.project_id and b.event_id = e.id
    cross join lateral (values ('purchases', 1::numeric),
      ('revenue:' || b.currency, b.amount_minor - b.refunded_minor + b.disputed_minor))
      as counted (name, value)
    where p.partner_id is not null and p.deleted_at is null and counted.name is not null
      and e.type = 'purchase' and e.processing_state = 'processed' and e.program_id is not null
    group by 1, 2, 3, 4
  union all
  select r.project_id, r.beneficiary_participant_id || ':' || r.program_id,
      to_char(r.earned_at at time zone 'UTC', 'YYYY-MM-DD'), 'net:' || r.currency,
      sum(r.net_amount_minor)
    from rewards r
    join participants p on p.project_id = r.project_id and p.id = r.beneficiary_participant_id
    where p.partner_id is not null and p.deleted_at is null and r.amount_minor is not null
      and r.void is null
      and r.fulfillment_status not in ('cancelled', 'revocation_pending', 'revoked')
    group by 1, 2, 3, 4
) as named
where value <> 0
group by project_id, subject, part
on conflict (project_id, subject, part) do update set
  numbers = add_numbers(figures.numbers, excluded.numbers);
