-- Facts that callers told us, and what was decided about them.

create table events (
  project_id text not null,
  id text not null,
  -- Gapless within the Project; what the list pages by.
  number bigint not null,
  type text not null,
  participant_id text not null,
  actor_participant_id text,
  source_namespace_id text not null,
  source_event_id text,
  occurred_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  normalized_facts json not null,
  facts_hash text not null,
  processing_state text not null check (processing_state in ('pending', 'processed', 'failed')),
  processing_reason text not null,
  attempt_count integer not null,
  next_attempt_at timestamptz(3),
  -- Candidates, rules and arithmetic; null until it was decided.
  explanation json,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, number)
);
create index events_by_participant on events (project_id, participant_id, number);
create index events_by_actor on events (project_id, actor_participant_id)
  where actor_participant_id is not null;
create index events_purchased on events (project_id, participant_id)
  where type = 'purchase' and processing_state = 'processed';
create index events_due on events (next_attempt_at, project_id)
  where processing_state = 'pending';
create index events_waiting on events (project_id, participant_id)
  where processing_state = 'pending';

-- One row for every fact that came with an id of its sender's, whatever its kind: a repeat
-- finds the first answer here.
create table source_keys (
  project_id text not null,
  source_namespace_id text not null,
  source_event_id text not null,
  facts_hash text not null,
  answer json not null,
  primary key (project_id, source_namespace_id, source_event_id)
);

-- A person signs up once.
create table signups (
  project_id text not null,
  participant_id text not null,
  event_id text not null,
  answer json not null,
  primary key (project_id, participant_id)
);

create table purchases (
  project_id text not null,
  id text not null,
  event_id text not null,
  participant_id text not null,
  -- Set on a second Event about the same invoice: that one is the purchase.
  duplicate_of text,
  amount_minor bigint not null,
  tax_amount_minor bigint,
  currency text not null,
  currency_exponent integer not null,
  order_id text,
  invoice_id text,
  subscription_id text,
  billing_reason text,
  -- Refunds and disputes less restorations, never above the amount.
  refunded_minor bigint not null,
  created_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, event_id),
  check (refunded_minor between 0 and amount_minor)
);
create unique index purchases_one_per_invoice on purchases (project_id, invoice_id)
  where invoice_id is not null and duplicate_of is null;

create table referrals (
  project_id text not null,
  id text not null,
  referrer_participant_id text not null,
  referee_participant_id text not null,
  enrollment_id text not null,
  program_id text not null,
  touch_id text not null,
  binding_event_id text,
  binding_subscription_fact_id text,
  binding_occurred_at timestamptz(3) not null,
  selected_at timestamptz(3) not null,
  policy_version_id text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, referee_participant_id),
  check ((binding_event_id is null) <> (binding_subscription_fact_id is null))
);
create index referrals_by_referrer on referrals (project_id, referrer_participant_id, id);

create table rewards (
  project_id text not null,
  id text not null,
  -- Gapless within the Project.
  number bigint not null,
  program_id text not null,
  rule_id text not null,
  terms_version_id text not null,
  event_id text not null,
  referral_id text,
  purchase_id text,
  beneficiary_role text not null,
  beneficiary_participant_id text not null,
  benefit_kind text not null check (benefit_kind in ('cash', 'credit', 'discount', 'custom')),
  amount_minor bigint,
  net_amount_minor bigint check (net_amount_minor >= 0),
  currency text,
  currency_exponent integer,
  rate_bps integer,
  duration_mode text,
  duration_months integer,
  quantity integer,
  unit_id text,
  validity_days integer,
  plan text,
  periods integer,
  method text not null,
  earned_at timestamptz(3) not null,
  available_at timestamptz(3) not null,
  fulfillment_status text not null,
  delivery_status text not null,
  delivery_reason text,
  provider_reference text,
  fulfillment json,
  revocation json,
  void json,
  -- What it was computed from, so that it can be computed again.
  arithmetic json not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, number),
  unique (project_id, rule_id, event_id, beneficiary_participant_id),
  check ((amount_minor is null) = (net_amount_minor is null))
);
create index rewards_by_beneficiary
  on rewards (project_id, beneficiary_participant_id, program_id, number);
create index rewards_by_event on rewards (project_id, event_id, number);
create index rewards_by_purchase on rewards (project_id, purchase_id)
  where purchase_id is not null;
create index rewards_by_status on rewards (project_id, fulfillment_status, method, number);
create index rewards_by_program on rewards (project_id, program_id, number);

-- What rules have given and to whom, how a participant stands, and each day's figures: every
-- number that a decision or a summary asks for, kept with the facts it counts.
create table counters (
  project_id text not null,
  subject text not null,
  name text not null,
  value numeric not null,
  first_at timestamptz(3),
  primary key (project_id, subject, name)
);
