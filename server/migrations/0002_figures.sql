-- Runs beside: none
-- Counters become figures: one row for each part of a subject, with all its numbers. A signup with a code then writes 7 rows
-- of them instead of 20.

create function add_numbers(known jsonb, added jsonb) returns jsonb
  language plpgsql immutable parallel safe as $$
begin
  return known || (select coalesce(jsonb_object_agg(
      key, (coalesce(known->>key, '0')::numeric + value::numeric)::text), '{}')
    from jsonb_each_text(added));
end $$;

create table figures (
  project_id text not null,
  subject text not null,
  -- A day, a Program, or another list of the subject; empty for all. Days are in their order, whatever the
  -- database's collation.
  part text collate "C" not null,
  -- As text, by name: they may be larger than a JavaScript number.
  numbers jsonb not null,
  -- A number of its own, because referrers are ranked by it: an index on the others would make every addition
  -- write all indexes.
  referred bigint,
  primary key (project_id, subject, part)
) with (fillfactor = 80);
alter table figures alter column project_id set (n_distinct = 100);

insert into figures (project_id, subject, part, numbers, referred)
select project_id, subject, part,
  coalesce(jsonb_object_agg(name, trunc(value)::text) filter (where name <> 'referred'), '{}'),
  max(value) filter (where name = 'referred')
from (
  select c.project_id, split_part(c.subject, ':', 1) as subject,
    case
      when c.subject like '%:units' then 'units'
      when c.name like '____-__-__:%' then left(c.name, 10)
      when c.name ~ '^(earned|period|once):' then coalesce(r.program_id, '')
      when c.name like 'prg\_%:%' then split_part(c.name, ':', 1)
      else '' end as part,
    case
      when c.subject like '%:units' then c.name
      when c.name like '____-__-__:%' then substr(c.name, 12)
      when c.name ~ '^(earned|period|once):' then c.name
      when c.name = 'referrals' or c.name like 'prg\_%:referrals' then 'referred'
      when c.name like 'prg\_%:%' then substr(c.name, strpos(c.name, ':') + 1)
      else c.name end as name,
    c.value
  from counters c
  left join benefit_rules r on r.project_id = c.project_id
    and c.name ~ '^(earned|period|once):' and r.id = split_part(c.name, ':', 2)
  where c.value <> 0
  union all
  select project_id, id, '', 'referrals', referral_count from programs where referral_count <> 0
) as named
group by project_id, subject, part;

create index figures_of_referrers on figures (project_id, part, referred desc, subject)
  where referred is not null;

drop table counters;
alter table programs drop column referral_count;
