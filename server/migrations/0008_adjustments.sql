-- What was given back of purchases, and what followed for their rewards.

-- The part of refunded_minor that is disputed, and comes back if the dispute is won.
alter table purchases add column disputed_minor bigint not null default 0;
alter table purchases add constraint purchases_disputed_check
  check (disputed_minor between 0 and refunded_minor);

create table purchase_adjustments (
  project_id text not null,
  id text not null,
  -- Gapless within the Project.
  number bigint not null,
  purchase_id text not null,
  kind text not null check (kind in ('refund', 'dispute', 'restoration')),
  source_namespace_id text not null,
  source_event_id text not null,
  -- As the caller told it; of a dispute, more than was left may be disputed.
  amount_minor bigint not null check (amount_minor > 0),
  -- What it took from the purchase, or gave back.
  applied_minor bigint not null check (applied_minor between 0 and amount_minor),
  -- Of a refund or a dispute: how much of it was restored since.
  restored_minor bigint not null check (restored_minor between 0 and amount_minor),
  -- How the purchase stood after it.
  refunded_total_minor bigint not null,
  disputed_total_minor bigint not null,
  -- Of a restoration: what it restores.
  restores_id text,
  occurred_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  facts_hash text not null,
  primary key (project_id, id),
  unique (project_id, number),
  unique (project_id, source_namespace_id, source_event_id),
  check ((kind = 'restoration') = (restores_id is not null))
);
create index purchase_adjustments_by_purchase
  on purchase_adjustments (project_id, purchase_id, number);

create table reward_adjustments (
  project_id text not null,
  id text not null,
  -- Gapless within the Project.
  number bigint not null,
  purchase_adjustment_id text not null,
  reward_id text not null,
  purchase_id text not null,
  currency text not null,
  signed_amount_minor bigint not null,
  calculation_snapshot json not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, number)
);
create index reward_adjustments_by_reward on reward_adjustments (project_id, reward_id, number);

create table subscription_facts (
  project_id text not null,
  id text not null,
  participant_id text not null,
  source_namespace_id text not null,
  source_event_id text not null,
  subscription_id text not null,
  change text not null check (change in ('started', 'renewed', 'changed', 'cancelled', 'ended')),
  plan_key text,
  period_start timestamptz(3),
  period_end timestamptz(3),
  occurred_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  facts_hash text not null,
  -- Whether it bound a referral, or why not; the candidates that were weighed.
  reason text not null,
  candidates json not null,
  primary key (project_id, id),
  unique (project_id, source_namespace_id, source_event_id)
);
create index subscription_facts_by_participant on subscription_facts (project_id, participant_id);

-- Who still waits for something, for an erasure to ask.
create index rewards_unsettled on rewards (project_id, beneficiary_participant_id)
  where fulfillment_status in ('pending', 'in_progress');

-- The Program of the referral that an Event was credited to; null if to none.
alter table events add column program_id text;
