-- Cash that the service itself pays: batches of transfers, what each pays for, and what became of it.

-- What the settled lines of its payouts add up to, and by that what the next payout pays for it:
-- the one formula of payouts/line.ts. Null for what no payout delivers.
alter table rewards add column paid_minor bigint not null default 0;
alter table rewards add column payout_due_minor bigint generated always as
  (case when method = 'payout'
    then (case when void is null then net_amount_minor else 0 end) - paid_minor end) stored;
-- The open payout that has a line for it: a Reward is in one at most.
alter table rewards add column payout_id text;
create index rewards_due_by_payout
  on rewards (project_id, currency, beneficiary_participant_id, number)
  where payout_due_minor <> 0 and payout_id is null;

-- Least amounts by currency, in minor units as text (a reference table).
create table payout_settings (
  workspace_id text primary key references workspaces (id),
  minimums jsonb not null,
  updated_at timestamptz(3) not null
);

-- A batch and its transfers span Projects of one Workspace and environment: they carry no
-- project_id, and no transaction that writes them locks the head of more than one Project.
create table payout_batches (
  id text primary key,
  workspace_id text not null references workspaces (id),
  environment text not null check (environment in ('sandbox', 'live')),
  project_ids text[] not null,
  method text not null,
  -- Null for every currency.
  currency text,
  -- Null for what is available by each Project's own clock when it is reserved.
  cutoff_at timestamptz(3),
  status text not null check (status in ('reserving', 'draft', 'approving', 'approved',
    'submitting', 'submitted', 'cancelling', 'cancelled')),
  -- [{"currency", "currencyExponent", "amountMinor", "payoutCount"}], as reserved or as approved.
  totals jsonb not null,
  created_by text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  approved_by text,
  approved_at timestamptz(3),
  submitted_at timestamptz(3),
  cancelled_at timestamptz(3)
);
create index payout_batches_by_workspace on payout_batches (workspace_id, environment, id);

create index payout_batches_moving on payout_batches (updated_at, id)
  where status in ('reserving', 'approving', 'submitting', 'cancelling');

create table payouts (
  id text primary key,
  workspace_id text not null references workspaces (id),
  batch_id text not null references payout_batches (id),
  method text not null,
  -- A Partner, or a participant of one Project.
  payee text not null,
  currency text not null,
  currency_exponent integer not null,
  -- Those it has a part in, and what the parts add up to; final since the approval.
  project_ids text[] not null,
  amount_minor bigint not null,
  status text not null check (status in
    ('draft', 'approved', 'processing', 'paid', 'failed', 'returned', 'cancelled')),
  provider_reference text,
  failure_reason text,
  failure_message text,
  paid_at timestamptz(3),
  -- Whether every Project knows how it stands.
  is_applied boolean not null,
  -- Of the key that the provider knows the transfer by; a new one only after a definite refusal.
  attempt integer not null,
  -- Whether a call that may have made the transfer has gone out under that key.
  is_sent boolean not null,
  -- Calls since something last changed, which the wait for the next one follows from.
  tries integer not null,
  -- When to call the provider; while leased, when the lease runs out. Null if nobody is to.
  due_at timestamptz(3),
  lease_id text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (batch_id, payee, currency)
);
create index payouts_due on payouts (due_at) where due_at is not null;
create index payouts_unapplied on payouts (updated_at, id) where not is_applied;

-- What one Project has to do with a transfer, by its own clock.
create table payout_parts (
  project_id text not null,
  payout_id text not null,
  -- Gapless within the Project.
  number bigint not null,
  batch_id text not null,
  participant_id text not null,
  method text not null,
  currency text not null,
  currency_exponent integer not null,
  -- What its lines add up to.
  amount_minor bigint not null,
  status text not null check (status in
    ('draft', 'approved', 'processing', 'paid', 'failed', 'returned', 'cancelled')),
  provider_reference text,
  failure_reason text,
  failure_message text,
  paid_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, payout_id),
  unique (project_id, number)
);
create index payout_parts_by_batch on payout_parts (project_id, batch_id, number);
create index payout_parts_by_status on payout_parts (project_id, status, number);
create index payout_parts_by_participant on payout_parts (project_id, participant_id, number);

create table payout_lines (
  project_id text not null,
  payout_id text not null,
  reward_id text not null,
  amount_minor bigint not null,
  state text not null check (state in ('reserved', 'frozen', 'settled', 'released', 'returned')),
  primary key (project_id, payout_id, reward_id)
);
-- The same as rewards.payout_id, for whatever might go wrong with that. The Project comes second, so
-- that nothing looks for the lines of a payout by walking over all that are open in the Project.
create unique index payout_lines_open on payout_lines (reward_id, project_id)
  where state in ('reserved', 'frozen');
