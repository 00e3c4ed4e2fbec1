-- The Stripe account of a Project, what it told, and what is needed to understand the rest.

create table stripe_connections (
  project_id text not null,
  id text not null,
  status text not null check (status in ('active', 'disabled')),
  livemode boolean not null,
  sealed_key text not null,
  key_last4 text not null,
  -- Newest first: [{"sealed", "rotatedAt"}]. Empty until Stripe has made one.
  webhook_secrets jsonb not null,
  -- The source of the facts that it tells.
  source_id text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id)
);

create unique index stripe_connections_active on stripe_connections (project_id)
  where status = 'active';

-- Each event that came, so that a repeat is recognised. The facts themselves are recognised for
-- ever, by ids that Stripe's objects have.
create table stripe_events (
  project_id text not null,
  connection_id text not null,
  -- Stripe's.
  id text not null,
  type text not null,
  received_at timestamptz(3) not null,
  primary key (project_id, connection_id, id)
);

create index stripe_events_by_age on stripe_events (received_at);

-- Events that wait for something else to be known; one that is understood leaves.
create table stripe_parked (
  project_id text not null,
  id text not null,
  connection_id text not null,
  event_id text not null,
  type text not null,
  reason text not null,
  -- In our words; nothing of a person but the id that Stripe has for them.
  told jsonb not null,
  -- 'customer:cus_…', 'payment:pi_…', 'invoice:in_…', 'reversal:re_…'.
  waits_for text not null,
  -- Set when what it waits for came.
  due_at timestamptz(3),
  attempts integer not null,
  parked_at timestamptz(3) not null,
  primary key (project_id, id)
);

create index stripe_parked_waiting on stripe_parked (project_id, waits_for)
  where waits_for is not null;
-- Few have come due, however many wait.
create index stripe_parked_due on stripe_parked (project_id, due_at, id) where due_at is not null;
create index stripe_parked_due_anywhere on stripe_parked (due_at, project_id)
  where due_at is not null;
create index stripe_parked_by_age on stripe_parked (parked_at);

-- What was paid of an invoice, with tax and without, and what of that was refunded since.
create table stripe_invoices (
  project_id text not null,
  id text not null,
  -- Where the purchase is found.
  source_id text not null,
  currency text not null,
  paid_minor bigint not null,
  net_minor bigint not null,
  refunded_paid_minor bigint not null,
  refunded_net_minor bigint not null,
  primary key (project_id, id)
);

-- Which invoice a payment (pi_… or ch_…) paid: refunds and disputes name only the payment.
create table stripe_payments (
  project_id text not null,
  id text not null,
  invoice_id text not null,
  primary key (project_id, id)
);

-- Refunds and disputes as they were split, so that undoing one undoes exactly that.
create table stripe_reversals (
  project_id text not null,
  id text not null,
  kind text not null check (kind in ('refund', 'dispute')),
  invoice_id text not null,
  -- Of the fact.
  source_id text not null,
  paid_minor bigint not null,
  net_minor bigint not null,
  is_restored boolean not null,
  primary key (project_id, id)
);

-- Keyed hashes of customers whose participants were erased: nothing of theirs is kept any more.
create table stripe_erased_customers (
  project_id text not null,
  customer_hash text not null,
  primary key (project_id, customer_hash)
);
