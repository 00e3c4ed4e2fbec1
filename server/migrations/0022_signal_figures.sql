-- Runs beside: none
-- How the reviews of each signal ended, by program and for the whole project.

insert into figures (project_id, subject, part, numbers)
select project_id, subject, 'signals', jsonb_object_agg(name, value::text)
from (
  select v.project_id, counted.subject, (s.one ->> 'signal') || ':' || v.status as name, count(*) as value
    from risk_reviews v
    cross join lateral json_array_elements(v.signals) as s (one)
    cross join lateral (values (v.project_id), (v.program_id)) as counted (subject)
    group by 1, 2, 3) as signals
group by project_id, subject
on conflict (project_id, subject, part) do update set
  numbers = add_numbers(figures.numbers, excluded.numbers);
