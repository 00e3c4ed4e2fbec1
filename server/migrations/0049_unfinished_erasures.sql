-- Runs beside: 0038_events_due.sql
-- Erasures that are under way: of somebody with very many rows, an erasure takes several transactions.
-- One that a process has left is resumed when it is due, by the real time.
create table erasures (
  project_id text not null,
  participant_id text not null,
  -- Whether the Rewards that they wait for are voided.
  is_forced boolean not null,
  due_at timestamptz(3) not null,
  primary key (project_id, participant_id),
  foreign key (project_id, participant_id) references participants (project_id, id)
);
alter table erasures alter column project_id set (n_distinct = 100);
create index erasures_due on erasures (due_at, project_id);
