-- Where people are paid. What the account is stands encrypted in `sealed`, with a key of its own that
-- stands encrypted in `wrapped_key`; in clear are only what a payout is chosen by and the masked label.
--
-- A Partner's serve all its Projects: their project_id is ''.
create table payout_details (
  project_id text not null,
  owner_kind text not null check (owner_kind in ('participant', 'partner')),
  owner_id text not null,
  id text not null,
  type text not null check (type in ('paypal', 'wise', 'bank', 'stripe_connect')),
  label text not null,
  country text,
  currency text,
  -- A keyed hash of the account: the same for all who are paid to it.
  fingerprint text not null,
  sealed text not null,
  wrapped_key text not null,
  saved_at timestamptz(3) not null,
  -- Payouts go to it from here until there; null for good. An owner has one in use and at most one
  -- that waits.
  used_from timestamptz(3) not null,
  used_until timestamptz(3),
  -- When a payout to it failed because of it.
  failed_at timestamptz(3),
  primary key (project_id, owner_kind, owner_id, id),
  check ((project_id = '') = (owner_kind = 'partner'))
);

-- Who else is paid to an account. The condition keeps it from serving look-ups by owner.
create index payout_details_by_account on payout_details (project_id, fingerprint, owner_kind, owner_id)
  where fingerprint is not null;
-- What is replaced, or is about to be.
create index payout_details_replaced on payout_details (used_until, project_id)
  where used_until is not null;
