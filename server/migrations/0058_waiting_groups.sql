-- Runs beside: 0057_paused_queues.sql
-- What a group's purchase waits for may become known of its actor, or of who created the group.
create index if not exists events_waiting_by_actor on events (project_id, actor_participant_id)
  where processing_state = 'pending' and actor_participant_id is not null;
create index if not exists events_groups_created on events (project_id, actor_participant_id)
  where type = 'signup' and actor_participant_id is not null;
