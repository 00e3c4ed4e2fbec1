-- What the days of a Program and of a Project tell, and who refers most. What was counted by other
-- names before is counted once by these, from the rows.

-- The days of a subject, in their order whatever order the database has for text.
create index counters_by_day on counters (project_id, subject, name collate "C")
  where name like '____-__-__:%';

-- Referrers by how many they brought: in a Program, or in all.
create index counters_of_referrers on counters (project_id, name, value desc, subject)
  where name like '%referrals' and name not like '____-__-__:%';

insert into counters (project_id, subject, name, value)
select project_id, referrer_participant_id, 'referrals', count(*)
from referrals group by project_id, referrer_participant_id;

insert into counters (project_id, subject, name, value)
select project_id, program_id, to_char(day, 'YYYY-MM-DD') || ':clicks', sum(clicks)
from click_counts group by project_id, program_id, day;

insert into counters (project_id, subject, name, value)
select project_id, project_id, to_char(received_at at time zone 'UTC', 'YYYY-MM-DD') || ':' || type || 's',
  count(*)
from events
where type in ('signup', 'purchase') and processing_state = 'processed'
  and processing_reason <> 'duplicate_invoice'
group by 1, 2, 3;

insert into counters (project_id, subject, name, value)
select r.project_id, r.program_id, to_char(r.selected_at at time zone 'UTC', 'YYYY-MM-DD') || ':converted',
  count(*)
from referrals r
where exists (select 1 from events e
  where e.project_id = r.project_id and e.participant_id = r.referee_participant_id
    and e.type = 'purchase' and e.processing_state = 'processed' and e.program_id is not null)
group by 1, 2, 3;

insert into counters (project_id, subject, name, value)
select r.project_id, r.program_id,
  to_char(r.earned_at at time zone 'UTC', 'YYYY-MM-DD') || ':' || counted.name, sum(counted.value)
from rewards r
cross join lateral (select r.void is not null
    or r.fulfillment_status in ('cancelled', 'revocation_pending', 'revoked') as is_lost) as sort
cross join lateral (values
    ('voided', case when is_lost then 1 else 0 end),
    ('net:' || r.currency, case when is_lost then 0 else r.net_amount_minor end),
    ('unit:' || r.unit_id, case when is_lost then 0 else r.quantity end)) as counted (name, value)
where counted.name is not null and counted.value <> 0
group by 1, 2, 3;
