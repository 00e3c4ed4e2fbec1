-- Runs beside: 0038_events_due.sql
-- A disabled endpoint keeps its queue under a column of its own, so that enabling it resumes what waits.
-- The previous version ignores the column: while both run, it drops what waits for a disabled endpoint.
alter table webhook_endpoints add column paused_queue_id text;
-- When it was queued or replayed, by the real time. Null for what the previous version queued.
alter table webhook_deliveries add column queued_at timestamptz(3);
