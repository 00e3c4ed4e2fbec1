-- Runs beside: none
-- Risk: policies, lists, what signals need, and reviews.

create table risk_policies (
  project_id text not null,
  id text not null,
  program_id text not null,
  version integer not null,
  mode text not null check (mode in ('off', 'observe', 'review')),
  -- Points of each signal.
  points json not null,
  review_at integer not null check (review_at between 1 and 100),
  effective_at timestamptz(3) not null,
  author text not null,
  created_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, program_id, version)
);
alter table risk_policies alter column project_id set (n_distinct = 100);

-- What is allowed and what is watched: e-mail domains, networks and participants.
create table risk_lists (
  project_id text not null primary key,
  lists json not null,
  updated_at timestamptz(3) not null
);
alter table risk_lists alter column project_id set (n_distinct = 100);

-- Networks, as keyed hashes, in which participants were seen. Rows are deleted after 30 days.
create table participant_networks (
  project_id text not null,
  participant_id text not null,
  network_hash text not null,
  seen_at timestamptz(3) not null,
  primary key (project_id, participant_id, network_hash)
);
alter table participant_networks alter column project_id set (n_distinct = 100);
create index participant_networks_by_age on participant_networks (seen_at, project_id);

-- Cards, as keyed hashes, with which participants paid.
create table participant_cards (
  project_id text not null,
  card_hash text not null,
  participant_id text not null,
  seen_at timestamptz(3) not null,
  primary key (project_id, participant_id, card_hash)
);
alter table participant_cards alter column project_id set (n_distinct = 100);
create index participant_cards_by_card on participant_cards (project_id, card_hash, participant_id);

-- A referral whose rewards wait for a person's decision. There is one at most, ever.
create table risk_reviews (
  project_id text not null,
  id text not null,
  number bigint not null,
  program_id text not null,
  referral_id text not null,
  referrer_participant_id text not null,
  referee_participant_id text not null,
  -- The event that was judged, its score and why.
  event_id text not null,
  policy_version_id text not null,
  score integer not null,
  review_at integer not null,
  signals json not null,
  status text not null check (status in ('open', 'approved', 'rejected')),
  opened_at timestamptz(3) not null,
  decided_at timestamptz(3),
  decided_by text,
  note text,
  primary key (project_id, id),
  unique (project_id, number),
  unique (project_id, referral_id),
  check ((status = 'open') = (decided_at is null))
);
alter table risk_reviews alter column project_id set (n_distinct = 100);
create index risk_reviews_by_status on risk_reviews (project_id, status, number);

-- Keyed hashes of an address: without tags and dots, and also without its digits.
alter table participants
  add column email_key text,
  add column email_stem text,
  add column email_is_disposable boolean;

-- The status of its review; null without one.
alter table referrals
  add column review_status text;

alter table rewards
  -- Held until the review of its referral is decided.
  add column is_under_review boolean not null default false,
  -- The event to which a receiver responded that it granted the reward, while it was under review.
  add column answered_event_id text;
create index rewards_under_review on rewards (project_id, referral_id)
  where is_under_review;
