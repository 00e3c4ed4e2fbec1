-- Only to find what is due. Without the second condition it serves as well for one person's
-- waiting purchases, and then all that wait in the Project are read for them.
drop index events_due_in_project;
create index events_due_in_project on events (project_id, next_attempt_at)
  where processing_state = 'pending' and next_attempt_at is not null;
