-- Runs beside: 0038_events_due.sql
-- Why a batch was given up by the service itself; null if it was not.
alter table payout_batches add column failure_reason text;
