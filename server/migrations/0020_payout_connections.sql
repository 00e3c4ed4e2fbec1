-- Accounts at providers that payouts are made from: one for each method in each environment of a
-- Workspace (a reference table). The id follows from the account, so that one which is connected
-- again is the one that older transfers were ordered by.
create table payout_connections (
  id text primary key,
  workspace_id text not null references workspaces (id),
  environment text not null check (environment in ('sandbox', 'live')),
  method text not null check (method in ('paypal', 'wise', 'stripe_connect')),
  -- The credentials, encrypted for this row; in clear only the end of the secret one.
  sealed text not null,
  last4 text not null,
  -- Whether what its webhooks are checked by was given.
  checks_webhooks boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (workspace_id, environment, method)
);

alter table payouts add column environment text;
update payouts p set environment = b.environment from payout_batches b where b.id = p.batch_id;
alter table payouts alter column environment set not null;
-- When the first order under the present key went out; null while none has.
alter table payouts add column sent_at timestamptz(3);
-- What it was ordered through, and the payout details that it went to.
alter table payouts add column connection_id text;
alter table payouts add column details_id text;
-- Why it did not arrive, as a webhook of the provider's has called it.
alter table payouts add column failure_code text;
-- For what a provider tells about by its own name of a transfer.
create index payouts_by_connection on payouts (connection_id, provider_reference)
  where connection_id is not null;
