-- Runs beside: 0038_events_due.sql
-- Which tombstones an erased participant left, so that an operator can lift them: the keyed hash of the
-- external id, and that of the Stripe customer. Null for who was erased by an earlier version.
alter table participants add column tombstone_hash text;
alter table participants add column readmitted_at timestamptz(3);
alter table stripe_erased_customers add column participant_id text;
