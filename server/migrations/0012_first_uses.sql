-- Runs beside: 0003_fewer_index_entries.sql
-- What the first steps of a Project and the list of API keys show: what was used, not only what was set up.
alter table projects
  -- When each thing first happened, by its name: {"api_key": "2026-11-15T09:30:00.000Z"}.
  add column first_uses jsonb not null default '{}';
alter table api_keys
  -- To the hour, roughly.
  add column last_used_at timestamptz(3),
  -- A rotation ends a key early. The expiry that it had before is kept for the keys that replace it.
  add column rotated_at timestamptz(3),
  add column expires_at_before_rotation timestamptz(3);

-- The overview of payouts sums what is owed. It finds everything that it needs in this index.
create index if not exists rewards_owed_by_payout
  on rewards (project_id, currency, beneficiary_participant_id, number)
  include (payout_due_minor, available_at, currency_exponent)
  where payout_due_minor <> 0 and payout_id is null;
drop index rewards_due_by_payout;
