-- What a Project offers: its programs, and the terms on which they reward.

create table programs (
  project_id text not null references projects (id),
  id text not null,
  -- Gapless within the Project; the list's order.
  number bigint not null,
  kind text not null check (kind in ('referral', 'affiliate', 'loyalty')),
  name text not null,
  status text not null check (status in ('draft', 'active', 'paused', 'ended', 'archived')),
  start_date timestamptz(3),
  end_date timestamptz(3),
  config jsonb not null,
  enrollment_count bigint not null,
  referral_count bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, number),
  check (end_date > start_date)
);

-- Every status a program had, each from its start to just before its end; the last has no end.
create table program_intervals (
  project_id text not null,
  program_id text not null,
  position integer not null,
  status text not null check (status in ('draft', 'active', 'paused', 'ended', 'archived')),
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3),
  primary key (project_id, program_id, position),
  foreign key (project_id, program_id) references programs (project_id, id),
  check (ends_at >= starts_at)
);
create unique index program_intervals_one_open on program_intervals (project_id, program_id)
  where ends_at is null;

create table attribution_policies (
  project_id text not null,
  id text not null,
  program_id text not null,
  version integer not null,
  model text not null check (model in ('last_touch', 'first_touch')),
  window_days integer not null check (window_days between 1 and 365),
  binding_trigger text not null check (binding_trigger in ('signup', 'subscription')),
  effective_at timestamptz(3) not null,
  author text not null,
  created_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, program_id, version),
  foreign key (project_id, program_id) references programs (project_id, id)
);

create table delivery_settings (
  project_id text not null,
  program_id text not null,
  hold_days integer not null check (hold_days between 0 and 365),
  cash_method text not null,
  credit_method text not null,
  discount_method text not null,
  custom_method text not null,
  plan_upgrades jsonb not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, program_id),
  foreign key (project_id, program_id) references programs (project_id, id)
);

create table units (
  project_id text not null references projects (id),
  id text not null,
  key text not null,
  name text not null,
  name_plural text not null,
  created_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, key)
);

create table benefit_rules (
  project_id text not null,
  id text not null,
  program_id text not null,
  -- Gapless within the program; the list's order.
  number integer not null,
  event_type text not null,
  beneficiary_role text not null check (beneficiary_role in ('referrer', 'referee', 'subject')),
  purpose text not null check (purpose in ('primary', 'bonus')),
  name text not null,
  initial_effective_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, program_id, number),
  foreign key (project_id, program_id) references programs (project_id, id)
);
create unique index benefit_rules_one_primary
  on benefit_rules (project_id, program_id, event_type, beneficiary_role)
  where purpose = 'primary';

create table reward_terms (
  project_id text not null,
  id text not null,
  rule_id text not null,
  program_id text not null,
  version integer not null,
  beneficiary_role text not null,
  benefit_kind text not null check (benefit_kind in ('cash', 'credit', 'discount', 'custom')),
  effective_at timestamptz(3) not null,
  enabled boolean not null,
  calculation text not null check (calculation in ('fixed', 'percentage')),
  fixed_amount_minor bigint check (fixed_amount_minor > 0),
  currency text,
  currency_exponent integer,
  rate_bps integer check (rate_bps between 1 and 10000),
  duration_mode text not null check (duration_mode in ('once', 'months', 'forever')),
  duration_months integer,
  unit_id text,
  quantity integer,
  validity_days integer,
  max_rewards_per_beneficiary integer,
  rounding_policy text not null
    check (rounding_policy in ('half_up', 'half_even', 'down', 'up')),
  refund_policy text not null check (refund_policy in ('proportional', 'full', 'none')),
  author text not null,
  change_note text,
  published_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, rule_id, version),
  foreign key (project_id, rule_id) references benefit_rules (project_id, id),
  foreign key (project_id, unit_id) references units (project_id, id)
);
