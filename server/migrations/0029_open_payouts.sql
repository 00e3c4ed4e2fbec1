-- Runs beside: 0028_rejected_measures.sql
-- Whether a batch has payouts without a result is shown in lists of batches.
create index if not exists payout_parts_open on payout_parts (project_id, batch_id) where status = 'processing';
