-- How far a sandbox Project's clock runs ahead of the real time; 0 until it is first set.
alter table project_heads add column clock_offset_ms bigint not null default 0;
alter table project_heads add constraint project_heads_clock_forward check (clock_offset_ms >= 0);

-- Workers ask for these few; a write never changes the column, so it costs the head's updates nothing.
create index project_heads_with_clock on project_heads (project_id) where clock_offset_ms > 0;

-- What is due by a clock of its own cannot be found by time over all Projects.
create index events_due_in_project on events (project_id, next_attempt_at)
  where processing_state = 'pending';
