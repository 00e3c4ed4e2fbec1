-- Runs beside: 0038_events_due.sql
-- Takes long: changes every reward that a signup earned.
-- The person behind the signup that earned a Reward; null for any other Event. A void gives the person
-- their place back, since a signup rule earns once for a person.
alter table rewards add column signup_person_id text;

update rewards r set signup_person_id = coalesce(e.actor_participant_id, e.participant_id)
from events e where e.project_id = r.project_id and e.id = r.event_id and e.type = 'signup';
