-- Runs beside: none
-- Restored stores: what has to be asked before they pay again, and what was sent that they do not know of.

-- Where the store was when the service last ran on it. Another place, or an earlier generation, is a restored copy.
create table store_identity (
  is_only boolean primary key default true check (is_only),
  -- The server, its timeline and the database; null if embedded.
  place text,
  -- Rises with each start and each backup. The embedded database compares it with a file next to it.
  generation bigint not null,
  seen_at timestamptz(3) not null
);

-- A Workspace whose store was restored pays nothing until somebody releases it.
create table restores (
  id text primary key,
  workspace_id text not null references workspaces (id),
  cause text not null check (cause in ('backup', 'moved', 'declared')),
  -- What happened from here on until the restore is unknown.
  since timestamptz(3) not null,
  note text,
  declared_by text not null,
  created_at timestamptz(3) not null,
  released_at timestamptz(3),
  released_by text,
  check ((released_at is null) = (released_by is null))
);
create unique index restores_open on restores (workspace_id) where released_at is null;
create index restores_by_workspace on restores (workspace_id, id);

-- What was asked of one connection since a restore.
create table restore_checks (
  restore_id text not null references restores (id),
  connection_id text not null,
  method text not null,
  environment text not null check (environment in ('sandbox', 'live')),
  -- The Project of a Stripe account; null for an account that a Workspace pays from.
  owner_id text,
  -- What it was asked for: everything since then.
  since timestamptz(3) not null,
  status text not null check (status in ('asking', 'asked', 'failed', 'cannot_list')),
  -- Where to continue, and what was adopted so far.
  place text,
  adopted integer not null,
  message text,
  tries integer not null,
  due_at timestamptz(3),
  lease_id text,
  asked_at timestamptz(3),
  override_reason text,
  overridden_by text,
  overridden_at timestamptz(3),
  primary key (restore_id, connection_id),
  check ((override_reason is null) = (overridden_by is null)),
  check ((override_reason is null) = (overridden_at is null))
);
create index restore_checks_due on restore_checks (due_at) where due_at is not null;

-- Transfers that a provider made and for which the store has no payout: paid in advance.
create table payout_advances (
  id text primary key,
  workspace_id text not null references workspaces (id),
  environment text not null check (environment in ('sandbox', 'live')),
  restore_id text not null references restores (id),
  connection_id text not null,
  method text not null,
  -- The provider's id of the transfer.
  reference text not null,
  -- The payout that ordered it, if the provider knows it. It may not exist here.
  payout_id text,
  -- Who received it, if known: a Partner, or a participant of one Project.
  payee text,
  -- A keyed hash of the account that it went to, and the account as people see it.
  fingerprint text,
  label text,
  currency text not null,
  currency_exponent integer not null,
  amount_minor bigint not null check (amount_minor > 0),
  made_at timestamptz(3) not null,
  status text not null check (status in ('counted', 'dismissed')),
  decided_by text,
  reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (connection_id, reference)
);
create index payout_advances_of_restore on payout_advances (restore_id, id);
create index payout_advances_of_workspace on payout_advances (workspace_id, environment, currency)
  where status = 'counted';

-- The part of an advance that a payout does not pay again. It counts while the payout is open or paid.
create table payout_advance_uses (
  advance_id text not null references payout_advances (id),
  payout_id text not null references payouts (id),
  amount_minor bigint not null check (amount_minor > 0),
  primary key (advance_id, payout_id)
);
create index payout_advance_uses_of_payout on payout_advance_uses (payout_id);

-- The sum of these parts: the transfer is smaller by it.
alter table payouts add column covered_minor bigint not null default 0 check (covered_minor >= 0);

-- Credits on balances that the service ordered and the store does not know of.
create table reward_advances (
  project_id text not null,
  -- The provider's id of the credit.
  reference text not null,
  restore_id text not null,
  account text not null,
  -- The Reward and attempt that ordered it. The Reward may not exist here.
  reward_id text not null,
  attempt integer not null,
  currency text not null,
  -- Negative if it was taken back.
  amount_minor bigint not null,
  -- What no Reward has used.
  left_minor bigint not null,
  made_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (project_id, reference)
);
alter table reward_advances alter column project_id set (n_distinct = 100);
create index reward_advances_left on reward_advances (project_id, account) where left_minor <> 0;

-- Accounts that were asked after a restore.
create table reward_advance_accounts (
  project_id text not null,
  account text not null,
  restore_id text not null,
  primary key (project_id, account, restore_id)
);
alter table reward_advance_accounts alter column project_id set (n_distinct = 100);

-- The advance that a line uses; null if the service ordered the line.
alter table reward_delivery_lines add column advance text;
