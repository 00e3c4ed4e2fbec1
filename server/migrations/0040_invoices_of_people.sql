-- Runs beside: 0038_events_due.sql
-- Widens: purchases_one_per_invoice
-- An invoice's number is unique to whoever issued it, not to the Project: the same number of another
-- participant, or in another currency, is another purchase.
create unique index if not exists purchases_one_per_invoice_of on purchases
  (project_id, invoice_id, participant_id, currency)
  where invoice_id is not null and duplicate_of is null;
drop index purchases_one_per_invoice;
