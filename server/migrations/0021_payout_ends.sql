-- Since when nobody could say what became of a transfer: after a while people may.
alter table payouts add column unanswered_since timestamptz(3);
-- Why the approval gave a payout up.
alter table payouts add column cancel_reason text
  check (cancel_reason in ('below_minimum', 'partner_suspended', 'details_unusable'));
alter table payouts add constraint payouts_environment_check
  check (environment in ('sandbox', 'live'));

-- For whoever compares with the providers' books, past all that is paid by hand.
create index payout_parts_ordered on payout_parts (project_id, number)
  where method <> 'manual_export';
-- Whether anything is under way through an account.
create index payouts_open on payouts (connection_id)
  where status = 'processing' and sent_at is not null;
