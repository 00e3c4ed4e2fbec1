-- Where events are sent, what waits to be sent, and what was tried.

create table webhook_endpoints (
  project_id text not null,
  id text not null,
  url text not null,
  description text,
  -- Null for every type, those to come too.
  event_types text[],
  api_version text not null,
  -- The one before the last change, to which it can go back for a while.
  previous_api_version text,
  api_version_changed_at timestamptz(3),
  fulfillment_mode text not null check (fulfillment_mode in ('on_delivery', 'explicit')),
  -- What its deliveries wait under; null while disabled. Enabling gives a new one, so that whatever
  -- waited before is nobody's any more.
  queue_id text,
  -- Newest first: [{"sealed", "rotatedAt"}].
  secrets jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, queue_id)
);

-- Only what is still to be sent: one that has succeeded, or failed for good, leaves.
create table webhook_deliveries (
  project_id text not null,
  queue_id text not null,
  -- Of the event in the feed.
  position bigint not null,
  -- Made since it was queued or replayed.
  attempts integer not null,
  is_retry boolean not null,
  -- When to send; while leased, when the lease runs out.
  due_at timestamptz(3) not null,
  -- Of the worker that is sending it.
  lease_id text,
  primary key (project_id, queue_id, position)
);

-- Each is for one question alone. Without its condition it could as well be walked to find a single
-- delivery, and while a table is small or its size unknown, that looks as good as the primary key.
create index webhook_deliveries_fresh on webhook_deliveries (project_id, queue_id, due_at, position)
  where not is_retry;
create index webhook_deliveries_retries
  on webhook_deliveries (project_id, queue_id, due_at, position) where is_retry;
create index webhook_deliveries_due on webhook_deliveries (due_at, project_id, queue_id)
  where due_at is not null;

-- The history: rows are added and, when old, deleted. Of the rest, a replay leaves its mark, and what
-- was answered is emptied when it names somebody who is erased. The time stands in the key for those
-- who keep the table in parts by day.
create table webhook_attempts (
  project_id text not null,
  endpoint_id text not null,
  position bigint not null,
  id text not null,
  started_at timestamptz(3) not null,
  -- What became of the delivery by this attempt.
  outcome text not null check (outcome in ('succeeded', 'retrying', 'failed')),
  -- Null when there was no answer; then the failure says why.
  response_status integer,
  response_body text,
  latency_ms integer not null,
  failure_reason text,
  failure_message text,
  -- Of one by which the delivery had failed: it was queued again since.
  is_replayed boolean not null default false,
  primary key (project_id, endpoint_id, position, id, started_at),
  check ((response_status is null) = (failure_reason is not null))
);

create index webhook_attempts_failed on webhook_attempts (project_id, endpoint_id, position)
  where outcome = 'failed' and not is_replayed;
-- To find what is old. Not a BRIN: its ranges never shrink, so once the room of deleted rows is used
-- again every range reaches from old to new, and each look would read the whole table.
create index webhook_attempts_by_age on webhook_attempts (started_at);
