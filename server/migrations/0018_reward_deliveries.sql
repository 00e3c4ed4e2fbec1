-- Rewards that the service itself delivers through a provider: what is to be done for each, and what
-- was done.

-- A dispute holds what was not granted yet, whatever else is told of its delivery meanwhile.
alter table rewards add column is_disputed boolean not null default false;
update rewards set is_disputed = true where delivery_reason = 'dispute_open';

-- One for each such Reward, kept for ever: the attempts of one Reward never begin anew, since the
-- provider knows each by its key.
create table reward_deliveries (
  project_id text not null,
  reward_id text not null,
  participant_id text not null,
  method text not null,
  -- Who it was delivered to at the provider, or is being: corrections go there, too.
  account text,
  -- Of the key of the next call, or of the one under way.
  attempt integer not null,
  -- Calls since something was last settled.
  tries integer not null,
  -- When to look at it, by the Project's clock. Null while there is nothing to do.
  due_at timestamptz(3),
  -- There would be something to do if its beneficiary had an account.
  waits_for_account boolean not null,
  -- Of the worker that is at it, by the real time.
  lease_id text,
  leased_until timestamptz(3),
  -- The intent: what the provider is told, written down before it is. Null if nothing is under way.
  step text check (step in ('grant', 'correct', 'take_back')),
  amount_minor bigint,
  intended_at timestamptz(3),
  -- Whether the provider has answered under this key, in a way that does not say what it did.
  is_answered boolean not null,
  primary key (project_id, reward_id),
  check ((step is null) = (intended_at is null)),
  check (step is null or account is not null)
);

-- Each is for one question alone, and says nothing of the rows that it does not ask for: what waits
-- for an account is never looked at again until there is one.
create index reward_deliveries_due on reward_deliveries (project_id, due_at, reward_id)
  where due_at is not null;
create index reward_deliveries_waiting on reward_deliveries (project_id, participant_id)
  where waits_for_account;
create index reward_deliveries_open on reward_deliveries (project_id, participant_id)
  where step is not null;
create index reward_deliveries_with_account on reward_deliveries (project_id, participant_id)
  where account is not null;
create index reward_deliveries_by_account on reward_deliveries (project_id, account, reward_id)
  where account is not null;

-- What the provider has done: what it added to a balance, below zero what it took back. Of other
-- things 0.
create table reward_delivery_lines (
  project_id text not null,
  reward_id text not null,
  attempt integer not null,
  step text not null check (step in ('grant', 'correct', 'take_back')),
  amount_minor bigint not null,
  reference text not null,
  settled_at timestamptz(3) not null,
  primary key (project_id, reward_id, attempt)
);
