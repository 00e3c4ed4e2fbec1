-- Runs beside: none
-- Back-tests: what other terms and policies would have given, and where that differs. Rows are deleted after 30 days.

create table backtests (
  project_id text not null,
  id text not null,
  program_id text not null,
  from_at timestamptz(3) not null,
  to_at timestamptz(3) not null,
  -- What was asked, and what it resolved to.
  definition json,
  proposal json,
  status text not null check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
  events_done bigint not null,
  events_all bigint,
  -- The process that runs it, and until when the others leave it alone.
  lease_token text,
  leased_until timestamptz(3),
  attempts integer not null,
  result json,
  failure text,
  difference_count bigint not null,
  created_at timestamptz(3) not null,
  created_by text not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (project_id, id),
  check ((status = 'running') = (lease_token is not null))
);
alter table backtests alter column project_id set (n_distinct = 100);
-- One at a time.
create unique index backtests_running on backtests (project_id) where status = 'running';
create index backtests_open on backtests (status, created_at) where status in ('queued', 'running');
create index backtests_by_age on backtests (created_at, project_id);

-- Events that would have been worth something else.
create table backtest_differences (
  project_id text not null,
  backtest_id text not null,
  -- Of the event: in the order in which they were taken.
  number bigint not null,
  event_id text not null,
  occurred_at timestamptz(3) not null,
  -- Everybody whom it names: an erasure deletes it.
  people text[] not null,
  lines json not null,
  actual json,
  proposed json,
  primary key (project_id, backtest_id, number)
);
alter table backtest_differences alter column project_id set (n_distinct = 100);
create index backtest_differences_by_person on backtest_differences using gin (people);
