-- Runs beside: none
-- Programs as files: keys of programs and rules, and plans of changes.

alter table programs add column key text;
alter table benefit_rules add column key text;

-- Keys of programs and rules that have none are made of their names. A number tells equal ones apart: two
-- hyphens follow each other in no name.
update programs p set key = s.slug || case when s.namesakes > 1 then '--' || p.number else '' end
from (
  select project_id, id, slug, count(*) over (partition by project_id, slug) as namesakes
  from (
    select project_id, id, case when slug ~ '^[a-z]' then slug else rtrim('program-' || slug, '-') end as slug
    from (
      select project_id, id,
        trim(both '-' from left(trim(both '-' from regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g')), 40)) as slug
      from programs) as named) as lettered) as s
where s.project_id = p.project_id and s.id = p.id;

update benefit_rules r set key = s.slug || case when s.namesakes > 1 then '--' || r.number else '' end
from (
  select project_id, id, slug, count(*) over (partition by project_id, program_id, slug) as namesakes
  from (
    select project_id, program_id, id, case when slug ~ '^[a-z]' then slug else rtrim('rule-' || slug, '-') end as slug
    from (
      select project_id, program_id, id,
        trim(both '-' from left(trim(both '-' from regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g')), 40)) as slug
      from benefit_rules) as named) as lettered) as s
where s.project_id = r.project_id and s.id = r.id;

alter table programs alter column key set not null;
alter table benefit_rules alter column key set not null;
create unique index programs_by_key on programs (project_id, key);
create unique index benefit_rules_by_key on benefit_rules (project_id, program_id, key);

-- What a definition would change. Rows are deleted after two days.
create table program_plans (
  project_id text not null,
  id text not null,
  -- Null until a program that the plan creates exists.
  program_id text,
  program_key text not null,
  definition json not null,
  prune boolean not null,
  -- Of the definition.
  digest text not null,
  -- Of the program that the plan rests on.
  base_digest text not null,
  changes json not null,
  created_at timestamptz(3) not null,
  created_by text not null,
  expires_at timestamptz(3) not null,
  applied_at timestamptz(3),
  applied_by text,
  primary key (project_id, id),
  check ((applied_at is null) = (applied_by is null))
);
alter table program_plans alter column project_id set (n_distinct = 100);
create index program_plans_by_age on program_plans (created_at, project_id);
