-- Runs beside: 0041_disputes_lost.sql
-- Refunds and disputes whose purchase was not reported yet. Each is applied when the purchase
-- arrives, or dropped when its time is up.
create table early_adjustments (
  project_id text not null,
  -- The purchase adjustment that it becomes.
  id text not null,
  -- In the order they came; rows go, so there are gaps.
  number bigint not null,
  purchase_namespace_id text not null,
  purchase_event_id text not null,
  source_namespace_id text not null,
  source_event_id text not null,
  facts_hash text not null,
  fact json not null,
  kept_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, source_namespace_id, source_event_id)
);
alter table early_adjustments alter column project_id set (n_distinct = 100);
create index early_adjustments_by_purchase on early_adjustments
  (project_id, purchase_namespace_id, purchase_event_id, number);
create index early_adjustments_expiring on early_adjustments (expires_at, project_id);
