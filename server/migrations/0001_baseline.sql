-- The whole schema of Goodword 0.2.0, in one step. A store of 0.1.0, which 44 migrations made, has the same
-- schema: server/src/platform/db/before-baseline.ts recognises it, and nothing of this file is run there.
--
-- Conventions
--   project_id    Most tables belong to a Project, and the Project comes first in their keys. The few reference
--                 tables without it have few rows, are read often and written rarely.
--   number        Gapless within the Project, unless the column says otherwise. Lists page by it.
--   *_minor       An amount in minor units of its currency.
--   timestamptz   To the millisecond. Within a Project times are by its clock, which a sandbox Project may set
--                 ahead; "real time" is the clock of the machine.
--   on a table    The order of columns and indexes is the order in which 0.1.0 added them.


-- ---------------------------------------------------------------------------------------------------------------
-- Workspaces, projects and keys
-- ---------------------------------------------------------------------------------------------------------------

create table workspaces (
  id text primary key,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Whether members with the role operator need a second factor. Owners, admins and finance always do.
  operators_need_totp boolean not null default false
);

create table projects (
  id text primary key,
  workspace_id text not null references workspaces (id),
  project_key text not null unique,
  name text not null,
  environment text not null check (environment in ('sandbox', 'live')),
  allowed_origins text[] not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index projects_by_workspace on projects (workspace_id, id);
-- A CORS preflight names no Project: it asks whether any Project allows its origin.
create index projects_by_origin on projects using gin (allowed_origins);

create table api_keys (
  id text primary key,
  workspace_id text not null references workspaces (id),
  environment text not null check (environment in ('sandbox', 'live')),
  name text not null,
  permissions text[] not null,
  key_hash bytea not null unique,
  prefix text not null,
  last4 text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index api_keys_by_workspace on api_keys (workspace_id, id);

create table widget_secrets (
  project_id text not null,
  id text not null,
  sealed_secret text not null,
  last4 text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (project_id, id)
);

-- One row that identifies the root key of this store. Another key could open none of its secrets.
create table root_key_mark (
  is_only boolean primary key default true check (is_only),
  mark text not null
);

-- project_id is '' for changes to a Workspace as a whole.
create table audit_entries (
  project_id text not null,
  id text not null,
  workspace_id text not null,
  at timestamptz(3) not null,
  actor_type text not null check (actor_type in ('user', 'key', 'system', 'cli')),
  actor_id text not null,
  action text not null,
  target_type text not null,
  target_id text not null,
  request_id text not null,
  ip text,
  changes jsonb not null,
  primary key (project_id, id)
);
create index audit_entries_by_workspace on audit_entries (workspace_id, id);
create index audit_entries_by_age on audit_entries (at);
-- One index for each filter of the list.
create index audit_entries_by_actor on audit_entries (workspace_id, actor_id, id);
create index audit_entries_by_action on audit_entries (workspace_id, action, id);
create index audit_entries_by_target on audit_entries (workspace_id, target_id, id);
create index audit_entries_by_project on audit_entries (workspace_id, project_id, id);


-- ---------------------------------------------------------------------------------------------------------------
-- Users of the console, and what they may do in which Workspace
-- ---------------------------------------------------------------------------------------------------------------

create table users (
  id text primary key,
  -- In lower case: two spellings of one address are one person.
  email text not null,
  name text not null,
  image text,
  -- Whether the sign-in provider or a mailed link has proven that the address is theirs.
  email_verified boolean not null,
  two_factor_enabled boolean not null default false,
  -- When they were last active, in any session.
  seen_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint users_email_unique unique (email)
);

-- Who is signed in. The cookie's value is stored as a hash.
create table user_sessions (
  id text primary key,
  user_id text not null,
  token_hash text not null,
  -- How it began: with a password, or at the sign-in provider.
  method text not null,
  ip_address text,
  user_agent text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  constraint user_sessions_token_unique unique (token_hash),
  constraint user_sessions_user foreign key (user_id) references users (id) on delete cascade
);
create index user_sessions_by_user on user_sessions (user_id);
create index user_sessions_old on user_sessions (seen_at);

-- The ways in which each person signs in: a password (hashed), or an account at the provider.
create table user_accounts (
  id text primary key,
  user_id text not null,
  provider_id text not null,
  account_id text not null,
  password text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint user_accounts_unique unique (provider_id, account_id),
  constraint user_accounts_user foreign key (user_id) references users (id) on delete cascade
);
create index user_accounts_by_user on user_accounts (user_id);

-- Values that a browser must return within minutes: requested second factors, password resets, and sign-ins
-- under way at the provider.
create table user_verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index user_verifications_by_identifier on user_verifications (identifier);
create index user_verifications_old on user_verifications (expires_at);

-- The secret and the backup codes are encrypted.
create table user_two_factors (
  id text primary key,
  user_id text not null,
  secret text not null,
  backup_codes text not null,
  verified boolean not null,
  failed_verification_count integer not null default 0,
  locked_until timestamptz(3),
  constraint user_two_factors_unique unique (user_id),
  constraint user_two_factors_user foreign key (user_id) references users (id) on delete cascade
);

create table memberships (
  workspace_id text not null,
  user_id text not null,
  role text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint memberships_pkey primary key (workspace_id, user_id),
  constraint memberships_workspace foreign key (workspace_id) references workspaces (id),
  constraint memberships_user foreign key (user_id) references users (id) on delete cascade
);
create index memberships_by_user on memberships (user_id);

create table invitations (
  id text primary key,
  workspace_id text not null,
  email text not null,
  role text not null,
  token_hash text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  -- The sender: their open invitations end when they leave. Null for the operator of the service.
  invited_by text,
  constraint invitations_token_unique unique (token_hash),
  constraint invitations_workspace foreign key (workspace_id) references workspaces (id)
);
create index invitations_by_workspace on invitations (workspace_id, id);
create index invitations_by_email on invitations (email);
create index invitations_old on invitations (expires_at);
create index invitations_by_sender on invitations (workspace_id, invited_by)
  where accepted_at is null and revoked_at is null;

-- One row, which the first setup locks. It has the hash of the setup link that was printed last.
create table console_setup (
  id text primary key,
  token_hash text
);
insert into console_setup (id, token_hash) values ('first', null);


-- ---------------------------------------------------------------------------------------------------------------
-- The writer of a Project: its head, its feed, and repeated requests
-- ---------------------------------------------------------------------------------------------------------------

-- One row per Project, locked by every write. No foreign key refers to it, so locking it blocks no insert.
create table project_heads (
  project_id text primary key,
  feed_position bigint not null,
  last_at timestamptz(3) not null,
  numbers jsonb not null,
  -- How far a sandbox Project's clock is ahead of the real time.
  clock_offset_ms bigint not null default 0,
  -- Rises with every change of the settings that decisions depend on. A process that has the settings of this
  -- number need not read them again.
  config_number bigint not null default 0,
  constraint project_heads_clock_forward check (clock_offset_ms >= 0)
);
-- Workers ask for these few. Writes never change the column, so the index costs updates of the head nothing.
create index project_heads_with_clock on project_heads (project_id) where clock_offset_ms > 0;

create table feed_events (
  project_id text not null,
  position bigint not null,
  id text not null,
  type text not null,
  occurred_at timestamptz(3) not null,
  data json not null,
  primary key (project_id, position),
  unique (project_id, id)
);
-- Events with free text, by the Reward or the payout that they are about: an erasure clears the text.
create index feed_events_with_text
  on feed_events (project_id, (coalesce(data->'reward'->>'id', data->'payout'->>'id')))
  where type not in ('participant.created', 'referral.created', 'event.recorded')
    and coalesce(data->'reward'->'void'->>'reason', data->'payout'->>'failureMessage') is not null;

create table idempotency_keys (
  project_id text not null,
  key_hash text not null,
  body_hash text not null,
  answer json not null,
  participant_id text,
  created_at timestamptz(3) not null,
  primary key (project_id, key_hash)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_by_participant on idempotency_keys (project_id, participant_id)
  where participant_id is not null;


-- ---------------------------------------------------------------------------------------------------------------
-- Programs, and the terms on which they reward
-- ---------------------------------------------------------------------------------------------------------------

create table programs (
  project_id text not null references projects (id),
  id text not null,
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

-- Every status that a Program had, each from its start to just before its end. The current one has no end.
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
  -- Gapless within the Program; the list's order.
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


-- ---------------------------------------------------------------------------------------------------------------
-- Participants: people and groups, their enrollments, and the codes and links that they share
-- ---------------------------------------------------------------------------------------------------------------

create table participants (
  project_id text not null,
  id text not null,
  number bigint not null,
  -- Gapless within the Project and kind: a list of one kind pages by it.
  kind_number bigint not null,
  kind text not null check (kind in ('individual', 'group')),
  -- Null for a Partner.
  external_id text,
  billing_id text,
  name text,
  email text,
  partner_id text,
  is_referrer boolean not null,
  is_referee boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  -- Set while the Partner behind it is suspended: the Project's own copy, which its decisions use.
  suspended_at timestamptz(3),
  -- The tombstone of an erased participant, by which an operator can lift it. Null if an early version erased it.
  tombstone_hash text,
  readmitted_at timestamptz(3),
  primary key (project_id, id),
  unique (project_id, number),
  unique (project_id, kind, kind_number),
  unique (project_id, kind, external_id),
  unique (project_id, billing_id),
  unique (project_id, partner_id),
  check ((external_id is null) = (partner_id is not null))
);
-- By the beginning of an id, whatever the database's collation. Nobody searches for erased participants, whose
-- ids all begin alike.
create index participants_by_beginning on participants (project_id, external_id text_pattern_ops)
  where deleted_at is null;

create table enrollments (
  project_id text not null,
  id text not null,
  participant_id text not null,
  program_id text not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  foreign key (project_id, participant_id) references participants (project_id, id),
  foreign key (project_id, program_id) references programs (project_id, id),
  check (ends_at >= starts_at)
);
create unique index enrollments_one_active
  on enrollments (project_id, participant_id, program_id) where ends_at is null;
create index enrollments_by_participant
  on enrollments (project_id, participant_id, program_id, starts_at);

-- A code or slug of a Program that is over may move to another Program of its owner. The row of the old one stays
-- so that touches and counts keep their Program: `moved_at` says until when it was valid, and it has no position.
create table ref_codes (
  project_id text not null,
  id text not null,
  code text not null,
  participant_id text not null,
  program_id text not null,
  -- From 1, the oldest, within the participant and Program.
  position integer,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  moved_at timestamptz(3),
  primary key (project_id, id),
  unique (project_id, participant_id, program_id, position),
  foreign key (project_id, participant_id) references participants (project_id, id),
  foreign key (project_id, program_id) references programs (project_id, id)
);
-- Four checks of this file are `not valid`, as they are in stores of 0.1.0. New rows are checked all the same.
alter table ref_codes add constraint ref_codes_position_check
  check ((position is null) <> (moved_at is null) and position >= 1) not valid;
-- What a code stood for when a late fact happened.
create index ref_codes_moved on ref_codes (project_id, code) where moved_at is not null;

create table ref_links (
  project_id text not null,
  id text not null,
  slug text not null,
  ref_code_id text not null,
  -- From 1 within the code.
  position integer,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  moved_at timestamptz(3),
  primary key (project_id, id),
  unique (project_id, ref_code_id, position),
  foreign key (project_id, ref_code_id) references ref_codes (project_id, id)
);
alter table ref_links add constraint ref_links_position_check
  check ((position is null) <> (moved_at is null) and position >= 1) not valid;
-- What a slug stood for when a late fact happened.
create index ref_links_moved on ref_links (project_id, slug) where moved_at is not null;

-- Every code and every slug, in one namespace: what a shared link can contain.
create table ref_names (
  project_id text not null,
  name text not null,
  ref_code_id text not null,
  -- Null if the name is the code itself.
  ref_link_id text,
  primary key (project_id, name),
  foreign key (project_id, ref_code_id) references ref_codes (project_id, id),
  foreign key (project_id, ref_link_id) references ref_links (project_id, id)
);
create index ref_names_by_code on ref_names (project_id, ref_code_id);
-- By the beginning of a name, whatever the database's collation.
create index ref_names_by_beginning on ref_names (project_id, name text_pattern_ops);

-- The names of erased participants, as keyed hashes: enough to refuse a name, too little to reveal it.
create table tombstones (
  project_id text not null,
  kind text not null check (kind in ('individual', 'group', 'name')),
  hash text not null,
  created_at timestamptz(3) not null,
  primary key (project_id, kind, hash)
);

-- Erasures under way: that of a person with very many rows takes several transactions. If a process leaves one
-- unfinished, another resumes it when it is due, by the real time.
create table erasures (
  project_id text not null,
  participant_id text not null,
  -- Whether Rewards that the person still waits for are voided.
  is_forced boolean not null,
  due_at timestamptz(3) not null,
  primary key (project_id, participant_id),
  foreign key (project_id, participant_id) references participants (project_id, id)
);
create index erasures_due on erasures (due_at, project_id);


-- ---------------------------------------------------------------------------------------------------------------
-- Partners of a Workspace, their applications, and their own pages
-- ---------------------------------------------------------------------------------------------------------------

-- A Partner spans all Projects of one environment of its Workspace; its times are by the real clock. An erased
-- Partner has neither name nor address, and its email_key is made from the id: the address may become a Partner
-- again.
create table partners (
  id text primary key,
  workspace_id text not null references workspaces (id),
  environment text not null check (environment in ('sandbox', 'live')),
  name text,
  email text,
  email_key text not null,
  email_verified_at timestamptz(3) not null,
  profile_type text not null check (profile_type in ('individual', 'company')),
  country text,
  status text not null check (status in ('active', 'suspended')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  erased_at timestamptz(3),
  suspended_at timestamptz(3),
  suspension_reason text,
  -- How often the status changed, and whether every Project has a copy of the current one.
  status_number integer not null default 0,
  is_copied boolean not null default true,
  unique (workspace_id, environment, email_key),
  check ((name is null) = (erased_at is not null)),
  check ((email is null) = (erased_at is not null))
);
create index partners_uncopied on partners (updated_at, id) where not is_copied;
-- One index for each filter of the list. The id, which pages go by, comes last.
create index partners_by_status on partners (status, id);
create index partners_by_workspace on partners (workspace_id, id);
create index partners_by_workspace_and_status on partners (workspace_id, status, id);
-- The Partners that an address signs in, over all Workspaces.
create index partners_by_email on partners (email_key, id);

-- Requests to join an affiliate Program. The applicant's e-mail is stored in clear in one place, which an erasure
-- blanks. The keyed hash of the mailbox stays, so that a repeated application is recognised. The id is made from
-- that hash: the same applicant and Program can get the id of a deleted application again.
create table partner_applications (
  project_id text not null,
  id text not null,
  program_id text not null,
  applicant_hash text not null,
  generation integer not null,
  status text not null check (status in ('pending', 'approved', 'rejected', 'withdrawn')),
  name text,
  email text,
  email_verified_at timestamptz(3),
  profile_type text not null check (profile_type in ('individual', 'company')),
  company_name text,
  country text,
  website text,
  message text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  decided_at timestamptz(3),
  decided_by text,
  rejection_reason text,
  participant_id text,
  mail_due_at timestamptz(3),
  mail_tries integer not null,
  mail_sent_at timestamptz(3),
  mail_failed_at timestamptz(3),
  primary key (project_id, id),
  unique (project_id, applicant_hash, program_id, generation),
  foreign key (project_id, program_id) references programs (project_id, id),
  foreign key (project_id, participant_id) references participants (project_id, id)
);
-- One index for each filter of the list, so that every page costs the same.
create index partner_applications_by_age on partner_applications (project_id, created_at, id);
create index partner_applications_by_status
  on partner_applications (project_id, status, created_at, id);
create index partner_applications_by_program
  on partner_applications (project_id, program_id, created_at, id);
create index partner_applications_by_program_and_status
  on partner_applications (project_id, program_id, status, created_at, id);
create index partner_applications_by_participant
  on partner_applications (project_id, participant_id) where participant_id is not null;
-- The first finds Projects with mails to send, the second the mails of one Project.
create index partner_applications_due on partner_applications (mail_due_at, project_id)
  where mail_due_at is not null;
create index partner_applications_due_in_project
  on partner_applications (project_id, mail_due_at) where mail_due_at is not null;
-- The first finds Projects with applications whose e-mail will never be proven, the second those of a Program that
-- have waited longest: since the application was last sent, or its link last mailed.
create index partner_applications_unproven on partner_applications
  (greatest(updated_at, mail_due_at, mail_sent_at, mail_failed_at), project_id)
  where status = 'pending' and email_verified_at is null;
create index partner_applications_unproven_in_program on partner_applications
  (project_id, program_id, greatest(updated_at, mail_due_at, mail_sent_at, mail_failed_at))
  where status = 'pending' and email_verified_at is null;
-- Projects with rejected or withdrawn applications, which are deleted after a while.
create index partner_applications_ended on partner_applications (decided_at, project_id)
  where status in ('rejected', 'withdrawn');
-- Applications that wait for a person to decide.
create index partner_applications_to_decide on partner_applications (project_id, created_at)
  where status = 'pending' and email_verified_at is not null;

-- How many pending applications of a Program still lack the proof of their e-mail.
create table partner_application_counts (
  project_id text not null,
  program_id text not null,
  unproven integer not null check (unproven >= 0),
  primary key (project_id, program_id),
  foreign key (project_id, program_id) references programs (project_id, id)
);

-- Links by which a Partner's mailbox signs in. A link for an address without a Partner is stored as well, until
-- the worker finds that out. The link itself is not stored: it is made from the id and a key.
create table partner_sign_in_links (
  id text primary key,
  email_key text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  spent_at timestamptz(3),
  mail_due_at timestamptz(3),
  mail_tries integer not null
);
create index partner_sign_in_links_due on partner_sign_in_links (mail_due_at)
  where mail_due_at is not null;
create index partner_sign_in_links_by_email on partner_sign_in_links (email_key);
create index partner_sign_in_links_old on partner_sign_in_links (expires_at);

-- Who is signed in. The cookie's value is stored as a hash.
create table partner_sessions (
  token_hash text primary key,
  email_key text not null,
  -- The Partner that was chosen, if the address has several.
  partner_id text,
  created_at timestamptz(3) not null,
  seen_at timestamptz(3) not null
);
create index partner_sessions_by_email on partner_sessions (email_key);
create index partner_sessions_old on partner_sessions (seen_at);


-- ---------------------------------------------------------------------------------------------------------------
-- Clicks
-- ---------------------------------------------------------------------------------------------------------------

-- A browser that followed a link. Its participant is known once it was identified. From then on it is closed, and
-- the browser's next click gets a new handle. Only identified_at marks it as closed: an erasure removes the
-- participant, and the handle stays closed.
create table handles (
  project_id text not null,
  id text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  identified_participant_id text,
  identified_at timestamptz(3),
  primary key (project_id, id)
);
create index handles_by_participant on handles (project_id, identified_participant_id)
  where identified_participant_id is not null;
create index handles_by_end on handles (expires_at, project_id) where identified_at is null;

-- A touch belongs to the participant of its handle. participant_id is set only if there is no handle, which is so
-- for a code that came with the signup itself.
create table touches (
  project_id text not null,
  id text not null,
  program_id text not null,
  handle_id text,
  participant_id text,
  ref_code_id text not null,
  link_id text,
  referrer_participant_id text not null,
  source text not null check (source in ('link', 'landing_param', 'ref_code')),
  occurred_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  landing_url text,
  referrer_origin text,
  utm json not null,
  ip_hash text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  foreign key (project_id, handle_id) references handles (project_id, id),
  check ((handle_id is null) <> (participant_id is null))
);
create index touches_by_handle on touches (project_id, handle_id, occurred_at)
  where handle_id is not null;
create index touches_by_participant on touches (project_id, participant_id, occurred_at)
  where participant_id is not null;
create index touches_with_ip on touches (created_at, project_id) where ip_hash is not null;

-- A click token counts once. Rows are deleted when their tokens have expired.
create table spent_clicks (
  project_id text not null,
  id text not null,
  expires_at timestamptz(3) not null,
  primary key (project_id, id)
);
create index spent_clicks_by_end on spent_clicks (expires_at, project_id);

-- A key that represents a handle until the participant is known. A key is never used again.
create table handle_references (
  project_id text not null,
  key text not null,
  handle_id text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  participant_id text,
  resolved_at timestamptz(3),
  primary key (project_id, key)
);
create index handle_references_by_handle on handle_references (project_id, handle_id);
create index handle_references_by_participant on handle_references (project_id, participant_id)
  where participant_id is not null;

-- Clicks per day on each code and link. Each process adds its own every few seconds.
create table click_counts (
  project_id text not null,
  -- The id of the code or link in the address: its name may be erased.
  shared_id text not null,
  program_id text not null,
  day date not null,
  clicks bigint not null,
  primary key (project_id, shared_id, day)
);


-- ---------------------------------------------------------------------------------------------------------------
-- Tracking: facts that callers reported, and what was decided about them
-- ---------------------------------------------------------------------------------------------------------------

create table sources (
  project_id text not null,
  id text not null,
  key text not null,
  name text not null,
  kind text not null check (kind in ('application', 'billing', 'import')),
  enabled boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, key)
);

create table events (
  project_id text not null,
  id text not null,
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
  -- The Program of the referral that it was credited to; null if it was credited to none.
  program_id text,
  -- The referral that it was credited to: a group's purchase may count for the referrer of its actor or its
  -- creator. Null in rows of early versions, which were credited to the participant's own referral.
  referral_id text,
  primary key (project_id, id),
  unique (project_id, number)
);
create index events_by_participant on events (project_id, participant_id, number);
create index events_purchased on events (project_id, participant_id)
  where type = 'purchase' and processing_state = 'processed';
create index events_waiting on events (project_id, participant_id)
  where processing_state = 'pending';
-- Only to find due events; in one Project, because a Project with a clock of its own cannot be found by time over
-- all Projects. Without the second condition the planner would also use it for one person's waiting purchases, and
-- read all that wait in the Project.
create index events_due_in_project on events (project_id, next_attempt_at)
  where processing_state = 'pending' and next_attempt_at is not null;
-- Events that wait for a person. The last condition is one that only lists ask for: without it, the planner would
-- also use this index for one person's waiting purchases.
create index events_undecided on events (project_id, processing_state, number)
  where processing_state <> 'processed' and number > 0;
-- Only to find due events over all Projects: see events_due_in_project.
create index events_by_due_time on events (next_attempt_at, project_id)
  where processing_state = 'pending' and next_attempt_at is not null;
create index events_credited on events (project_id, referral_id)
  where type = 'purchase' and processing_state = 'processed' and referral_id is not null;
-- Purchases without an amount.
create index events_unpriced on events (project_id, participant_id)
  where type = 'purchase' and processing_state = 'processed'
    and normalized_facts ->> 'purchase' is null;
-- With the number, so that an erasure goes through them in slices.
create index events_by_actor_and_number
  on events (project_id, actor_participant_id, number) where actor_participant_id is not null;
-- A group's purchase may wait for something that becomes known about its actor, or about the creator of the group.
create index events_waiting_by_actor on events (project_id, actor_participant_id)
  where processing_state = 'pending' and actor_participant_id is not null;
create index events_groups_created on events (project_id, actor_participant_id)
  where type = 'signup' and actor_participant_id is not null;

-- One row for every fact of any kind that came with its sender's id: a repeat finds the first answer here.
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
  -- Set for a second Event about the same invoice: the purchase that counts.
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
  -- The part of refunded_minor that is disputed, and comes back if the dispute is won.
  disputed_minor bigint not null default 0,
  primary key (project_id, id),
  unique (project_id, event_id),
  check (refunded_minor between 0 and amount_minor),
  constraint purchases_disputed_check check (disputed_minor between 0 and refunded_minor)
);
-- An invoice number is unique to its issuer, not to the Project: the same number of another participant, or in
-- another currency, is another purchase.
create unique index purchases_one_per_invoice_of on purchases
  (project_id, invoice_id, participant_id, currency)
  where invoice_id is not null and duplicate_of is null;
-- Who has bought something that is left after refunds, without reading what was free or refunded.
create index purchases_paid on purchases (project_id, participant_id, subscription_id)
  where duplicate_of is null and amount_minor > refunded_minor - disputed_minor;

-- Refunds, disputes, lost disputes and restorations of purchases.
create table purchase_adjustments (
  project_id text not null,
  id text not null,
  number bigint not null,
  purchase_id text not null,
  kind text not null,
  source_namespace_id text not null,
  source_event_id text not null,
  -- As the caller reported it: a dispute may be about more than was left. Null for a lost dispute.
  amount_minor bigint check (amount_minor > 0),
  -- How much the purchase lost by it, or got back. If several disputes overlap, a late report may move the total
  -- the other way, or by more than its own amount.
  applied_minor bigint not null,
  -- For a refund or a dispute: how much of it was restored since.
  restored_minor bigint not null
    constraint purchase_adjustments_check1 check (restored_minor between 0 and amount_minor),
  -- Totals of the purchase after it.
  refunded_total_minor bigint not null,
  disputed_total_minor bigint not null,
  -- For a restoration: what it restores.
  restores_id text,
  occurred_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  facts_hash text not null,
  -- The rule that decided it. By rule 1, of early versions, no refund settled a disputed amount.
  rule smallint not null default 1,
  -- For a lost dispute: the dispute that it ends.
  closes_id text,
  primary key (project_id, id),
  unique (project_id, number),
  unique (project_id, source_namespace_id, source_event_id),
  constraint purchase_adjustments_check2 check ((kind = 'restoration') = (restores_id is not null))
);
alter table purchase_adjustments add constraint purchase_adjustments_kind_check
  check (kind in ('refund', 'dispute', 'dispute_lost', 'restoration')) not valid;
alter table purchase_adjustments add constraint purchase_adjustments_loss_check
  check ((kind = 'dispute_lost') <> (closes_id is null)
    and (kind = 'dispute_lost') = (amount_minor is null)) not valid;
create index purchase_adjustments_by_purchase
  on purchase_adjustments (project_id, purchase_id, number);

-- Refunds and disputes of purchases that were not reported yet. Each is applied when the purchase arrives, or
-- dropped when it expires.
create table early_adjustments (
  project_id text not null,
  -- The id of the purchase adjustment that it becomes.
  id text not null,
  -- In order of arrival. Rows are deleted, so there are gaps.
  number bigint not null,
  purchase_namespace_id text not null,
  purchase_event_id text not null,
  source_namespace_id text not null,
  source_event_id text not null,
  facts_hash text not null,
  fact json not null,
  kept_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, source_namespace_id, source_event_id)
);
create index early_adjustments_by_purchase on early_adjustments
  (project_id, purchase_namespace_id, purchase_event_id, number);
create index early_adjustments_expiring on early_adjustments (expires_at, project_id);

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
  -- Whether it bound a referral, or why not, and the candidates that were compared.
  reason text not null,
  candidates json not null,
  primary key (project_id, id),
  unique (project_id, source_namespace_id, source_event_id)
);
create index subscription_facts_by_participant on subscription_facts (project_id, participant_id);

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
create index referrals_by_program on referrals (project_id, program_id, id);

-- What rules have given and to whom, the totals of a participant, and each day's figures: every number that a
-- decision or a summary needs, written together with the facts that it counts.
create table counters (
  project_id text not null,
  subject text not null,
  name text not null,
  value numeric not null,
  first_at timestamptz(3),
  primary key (project_id, subject, name)
);
-- The days of a subject in their order, whatever the database's collation.
create index counters_by_day on counters (project_id, subject, name collate "C")
  where name like '____-__-__:%';
-- Referrers by how many they referred: in a Program, or in all.
create index counters_of_referrers on counters (project_id, name, value desc, subject)
  where name like '%referrals' and name not like '____-__-__:%';


-- ---------------------------------------------------------------------------------------------------------------
-- Rewards, and their delivery through a provider
-- ---------------------------------------------------------------------------------------------------------------

create table rewards (
  project_id text not null,
  id text not null,
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
  -- The sum of the settled lines of its payouts, and from that what the next payout pays for it: the formula of
  -- payouts/line.ts. Null if no payout delivers it.
  paid_minor bigint not null default 0,
  payout_due_minor bigint generated always as
    (case when method = 'payout'
      then (case when void is null then net_amount_minor else 0 end) - paid_minor end) stored,
  -- The open payout that has a line for it: a Reward is in at most one.
  payout_id text,
  -- An open dispute holds what was not granted yet, whatever else is reported about its delivery meanwhile.
  is_disputed boolean not null default false,
  -- The person behind the signup that earned it; null for any other Event. A signup rule earns once for a person,
  -- and a void gives the person that one back.
  signup_person_id text,
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
-- Who still waits for a Reward: an erasure asks.
create index rewards_unsettled on rewards (project_id, beneficiary_participant_id)
  where fulfillment_status in ('pending', 'in_progress');
create index rewards_due_by_payout
  on rewards (project_id, currency, beneficiary_participant_id, number)
  where payout_due_minor <> 0 and payout_id is null;
-- The Rewards of a rule that count for caps, for "once" and for earning periods, of a referral or in loyalty of a
-- person: those that were not voided, and of which refunds left something. An open dispute has decided nothing yet.
create index rewards_standing
  on rewards (project_id, rule_id, coalesce(referral_id, beneficiary_participant_id), number)
  where void is null and (net_amount_minor is null or net_amount_minor > 0 or is_disputed);

-- Changes of Rewards that follow from adjustments of their purchases.
create table reward_adjustments (
  project_id text not null,
  id text not null,
  number bigint not null,
  purchase_adjustment_id text not null,
  reward_id text not null,
  purchase_id text not null,
  currency text not null,
  signed_amount_minor bigint not null,
  calculation_snapshot json not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The beneficiary of the Reward, so that one person's history is found without reading everybody's.
  beneficiary_participant_id text not null,
  primary key (project_id, id),
  unique (project_id, number)
);
create index reward_adjustments_by_reward on reward_adjustments (project_id, reward_id, number);
create index reward_adjustments_by_beneficiary
  on reward_adjustments (project_id, beneficiary_participant_id, number);

-- One row for each Reward that the service itself delivers through a provider. Rows are never deleted: the attempts
-- of a Reward never start over, because the provider knows each by its key.
create table reward_deliveries (
  project_id text not null,
  reward_id text not null,
  participant_id text not null,
  method text not null,
  -- The provider's account that it is delivered to. Corrections go there as well.
  account text,
  -- Part of the key of the next call, or of the one under way.
  attempt integer not null,
  -- Calls since something was last settled.
  tries integer not null,
  -- When to look at it, by the Project's clock. Null while there is nothing to do.
  due_at timestamptz(3),
  -- There would be something to do if its beneficiary had an account.
  waits_for_account boolean not null,
  -- The worker that is at it, and until when, by the real time.
  lease_id text,
  leased_until timestamptz(3),
  -- The intent: the request to the provider, written before it is sent. Null if nothing is under way.
  step text check (step in ('grant', 'correct', 'take_back')),
  amount_minor bigint,
  intended_at timestamptz(3),
  -- Whether the provider has answered under this key, in a way that does not say what it did.
  is_answered boolean not null,
  primary key (project_id, reward_id),
  check ((step is null) = (intended_at is null)),
  check (step is null or account is not null)
);
-- Each index is for one question alone, and holds only the rows of its answer: a delivery that waits for an account
-- is not looked at again until there is one.
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
-- Finds the Projects with something due, without looking at each Project.
create index reward_deliveries_due_anywhere on reward_deliveries (due_at, project_id)
  where due_at is not null;

-- What the provider has done: the amount that it added to a balance, below zero if it took it back, 0 for other
-- benefits.
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


-- ---------------------------------------------------------------------------------------------------------------
-- Payouts: cash that the service itself pays
-- ---------------------------------------------------------------------------------------------------------------

-- Where people are paid. `sealed` is the account, encrypted with a key of its own, which `wrapped_key` holds,
-- encrypted in turn. Only what a payout is chosen by, and the masked label, are in clear. The details of a Partner
-- serve all its Projects: their project_id is ''.
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
  -- Payouts go to it in this time; no end if null. An owner has one in use and at most one that waits.
  used_from timestamptz(3) not null,
  used_until timestamptz(3),
  -- When a payout to it failed because of it.
  failed_at timestamptz(3),
  primary key (project_id, owner_kind, owner_id, id),
  check ((project_id = '') = (owner_kind = 'partner'))
);
-- Who else is paid to an account. The condition keeps the planner from using it to find details by owner.
create index payout_details_by_account on payout_details (project_id, fingerprint, owner_kind, owner_id)
  where fingerprint is not null;
-- Details that are replaced, or about to be.
create index payout_details_replaced on payout_details (used_until, project_id)
  where used_until is not null;

create table payout_settings (
  workspace_id text primary key references workspaces (id),
  -- Least amounts by currency, in minor units as text.
  minimums jsonb not null,
  updated_at timestamptz(3) not null,
  -- Whether the person who made a batch of payouts may not approve it.
  requires_second_approver boolean not null default false
);

-- Accounts at providers that payouts are made from: one for each method in each environment of a Workspace. The id
-- is made from the account: if it is connected again, it has the id that older transfers were ordered through.
create table payout_connections (
  id text primary key,
  workspace_id text not null references workspaces (id),
  environment text not null check (environment in ('sandbox', 'live')),
  method text not null check (method in ('paypal', 'wise', 'stripe_connect')),
  -- The credentials, encrypted for this row. Only the end of the secret one is in clear.
  sealed text not null,
  last4 text not null,
  -- Whether the credentials that its webhooks are checked with were given.
  checks_webhooks boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (workspace_id, environment, method)
);

-- A batch and its transfers span Projects of one Workspace and environment: they have no project_id, and no
-- transaction that writes them locks the head of more than one Project.
create table payout_batches (
  id text primary key,
  workspace_id text not null references workspaces (id),
  environment text not null check (environment in ('sandbox', 'live')),
  project_ids text[] not null,
  method text not null,
  -- Null for every currency.
  currency text,
  -- Null for all that is available by each Project's own clock when it is reserved.
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
  cancelled_at timestamptz(3),
  -- Why the service itself gave the batch up; null if it did not.
  failure_reason text
);
create index payout_batches_by_workspace on payout_batches (workspace_id, environment, id);
create index payout_batches_moving on payout_batches (updated_at, id)
  where status in ('reserving', 'approving', 'submitting', 'cancelling');
-- Batches that wait for a person.
create index payout_batches_to_decide on payout_batches (workspace_id, environment, id)
  where status in ('draft', 'approved');

create table payouts (
  id text primary key,
  workspace_id text not null references workspaces (id),
  batch_id text not null references payout_batches (id),
  method text not null,
  -- A Partner, or a participant of one Project.
  payee text not null,
  currency text not null,
  currency_exponent integer not null,
  -- The Projects with a part in it, and the sum of the parts; final once approved.
  project_ids text[] not null,
  amount_minor bigint not null,
  status text not null check (status in
    ('draft', 'approved', 'processing', 'paid', 'failed', 'returned', 'cancelled')),
  provider_reference text,
  failure_reason text,
  failure_message text,
  paid_at timestamptz(3),
  -- Whether every Project has recorded the current status.
  is_applied boolean not null,
  -- Part of the key that the provider knows the transfer by. It rises only after a definite refusal.
  attempt integer not null,
  -- Whether a call that may have made the transfer was sent under that key.
  is_sent boolean not null,
  -- Calls since something last changed; the wait for the next one follows from it.
  tries integer not null,
  -- When to call the provider; while leased, when the lease ends. Null if there is nothing to call for.
  due_at timestamptz(3),
  lease_id text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  environment text not null,
  -- When the first order under the current key was sent; null if none was.
  sent_at timestamptz(3),
  -- The connection that it was ordered through, and the payout details that it went to.
  connection_id text,
  details_id text,
  -- Why it did not arrive, in the words of the provider's webhook.
  failure_code text,
  -- Since when the outcome of the transfer is unknown. After a while a person may decide it.
  unanswered_since timestamptz(3),
  -- Why the approval left the payout out.
  cancel_reason text
    check (cancel_reason in ('below_minimum', 'partner_suspended', 'details_unusable')),
  unique (batch_id, payee, currency),
  constraint payouts_environment_check check (environment in ('sandbox', 'live'))
);
create index payouts_due on payouts (due_at) where due_at is not null;
create index payouts_unapplied on payouts (updated_at, id) where not is_applied;
-- What was sent to one payee.
create index payouts_by_payee on payouts (payee, id)
  where status in ('processing', 'paid', 'failed', 'returned');
-- For reports of a provider, which name a transfer by the provider's own reference.
create index payouts_by_connection on payouts (connection_id, provider_reference)
  where connection_id is not null;
-- Whether anything is under way through an account.
create index payouts_open on payouts (connection_id)
  where status = 'processing' and sent_at is not null;
-- Payouts that wait for a person.
create index payouts_unanswered on payouts (workspace_id, environment, unanswered_since)
  where status = 'processing' and unanswered_since is not null;

-- One Project's part of a transfer, by its own clock.
create table payout_parts (
  project_id text not null,
  payout_id text not null,
  number bigint not null,
  batch_id text not null,
  participant_id text not null,
  method text not null,
  currency text not null,
  currency_exponent integer not null,
  -- The sum of its lines.
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
-- For the comparison with the providers' books, without all that is paid by hand.
create index payout_parts_ordered on payout_parts (project_id, number)
  where method <> 'manual_export';

create table payout_lines (
  project_id text not null,
  payout_id text not null,
  reward_id text not null,
  amount_minor bigint not null,
  state text not null check (state in ('reserved', 'frozen', 'settled', 'released', 'returned')),
  primary key (project_id, payout_id, reward_id)
);
-- Holds what rewards.payout_id says, even if a program got that wrong. The Project comes second: otherwise the
-- planner would find the lines of one payout by reading all open lines of the Project.
create unique index payout_lines_open on payout_lines (reward_id, project_id)
  where state in ('reserved', 'frozen');


-- ---------------------------------------------------------------------------------------------------------------
-- Webhooks: where events are sent, what waits to be sent, and what was tried
-- ---------------------------------------------------------------------------------------------------------------

create table webhook_endpoints (
  project_id text not null,
  id text not null,
  url text not null,
  description text,
  -- Null for every type, including future ones.
  event_types text[],
  api_version text not null,
  -- The version before the last change, to which the endpoint can go back for a while.
  previous_api_version text,
  api_version_changed_at timestamptz(3),
  fulfillment_mode text not null check (fulfillment_mode in ('on_delivery', 'explicit')),
  -- The queue of its deliveries; null while it is disabled.
  queue_id text,
  -- Newest first: [{"sealed", "rotatedAt"}].
  secrets jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The queue of a disabled endpoint, which enabling it resumes.
  paused_queue_id text,
  primary key (project_id, id),
  unique (project_id, queue_id)
);

-- Only what is still to be sent: a delivery that has succeeded, or failed for good, is deleted. A lease has a column
-- of its own that is in no index: taking one then writes the row alone, and the half of each page that is kept free
-- lets the new version stay on its page.
create table webhook_deliveries (
  project_id text not null,
  queue_id text not null,
  -- Of the event in the feed.
  position bigint not null,
  -- Since it was queued or replayed.
  attempts integer not null,
  is_retry boolean not null,
  -- When to send it.
  due_at timestamptz(3) not null,
  -- The worker that is sending it, and until when.
  lease_id text,
  leased_until timestamptz(3),
  -- When it was queued or replayed, by the real time. Null for rows of early versions.
  queued_at timestamptz(3),
  primary key (project_id, queue_id, position)
) with (fillfactor = 50);
-- Each index is for one question alone. Without its condition the planner could also use it to find a single
-- delivery: while a table is small or its size unknown, that looks as good as the primary key.
create index webhook_deliveries_fresh on webhook_deliveries (project_id, queue_id, due_at, position)
  where not is_retry;
create index webhook_deliveries_retries
  on webhook_deliveries (project_id, queue_id, due_at, position) where is_retry;
create index webhook_deliveries_due on webhook_deliveries (due_at, project_id, queue_id)
  where due_at is not null;

-- The history. Rows are added and, when old, deleted; a replay marks its row, and an erasure empties a response that
-- names the person. The time is part of the key for operators who partition the table by day.
create table webhook_attempts (
  project_id text not null,
  endpoint_id text not null,
  position bigint not null,
  id text not null,
  started_at timestamptz(3) not null,
  -- What this attempt made of the delivery.
  outcome text not null check (outcome in ('succeeded', 'retrying', 'failed')),
  -- Null if there was no response; then the failure says why.
  response_status integer,
  response_body text,
  latency_ms integer not null,
  failure_reason text,
  failure_message text,
  -- For the attempt by which a delivery failed: the delivery was queued again since.
  is_replayed boolean not null default false,
  primary key (project_id, endpoint_id, position, id, started_at),
  check ((response_status is null) = (failure_reason is not null))
);
create index webhook_attempts_failed on webhook_attempts (project_id, endpoint_id, position)
  where outcome = 'failed' and not is_replayed;
-- To find old rows. Not a BRIN: its ranges never shrink. Once the space of deleted rows is used again, every range
-- would reach from old to new, and each search would read the whole table.
create index webhook_attempts_by_age on webhook_attempts (started_at);


-- ---------------------------------------------------------------------------------------------------------------
-- Stripe: the account of a Project, what it reported, and what is needed to understand later reports
-- ---------------------------------------------------------------------------------------------------------------

create table stripe_connections (
  project_id text not null,
  id text not null,
  status text not null check (status in ('active', 'disabled')),
  livemode boolean not null,
  sealed_key text not null,
  key_last4 text not null,
  -- Newest first: [{"sealed", "rotatedAt"}]. Empty until Stripe has made one.
  webhook_secrets jsonb not null,
  -- The source of the facts that it reports.
  source_id text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id)
);
create unique index stripe_connections_active on stripe_connections (project_id)
  where status = 'active';

-- Each event that arrived, so that a repeat is recognised. The facts themselves are recognised for ever, by the ids
-- of Stripe's objects.
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

-- Events that wait for something else to become known. One that is understood is deleted.
create table stripe_parked (
  project_id text not null,
  id text not null,
  connection_id text not null,
  event_id text not null,
  type text not null,
  reason text not null,
  -- The event in our own terms. It has nothing of a person but Stripe's id for them.
  told jsonb not null,
  -- 'customer:cus_…', 'payment:pi_…', 'invoice:in_…', 'reversal:re_…'.
  waits_for text not null,
  -- Set when what it waits for has arrived.
  due_at timestamptz(3),
  attempts integer not null,
  parked_at timestamptz(3) not null,
  primary key (project_id, id)
);
-- Few are due, however many wait.
create index stripe_parked_due on stripe_parked (project_id, due_at, id) where due_at is not null;
create index stripe_parked_due_anywhere on stripe_parked (due_at, project_id)
  where due_at is not null;
create index stripe_parked_by_age on stripe_parked (parked_at);
create index stripe_parked_waiting on stripe_parked (project_id, waits_for);

-- What was paid of an invoice, with tax and without, and how much of that was refunded since.
create table stripe_invoices (
  project_id text not null,
  id text not null,
  -- Where the purchase is found.
  source_id text not null,
  currency text not null,
  paid_minor bigint not null,
  -- The amount of the purchase that counts: that of the Project's backend if it reported the invoice first.
  net_minor bigint not null,
  refunded_paid_minor bigint not null,
  refunded_net_minor bigint not null,
  -- What was charged: more than the invoice was for if the customer owed something. Refunds can be no more.
  charged_minor bigint not null,
  primary key (project_id, id)
);

-- The invoice that a payment (pi_… or ch_…) paid: refunds and disputes name only the payment.
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
create index stripe_reversals_by_invoice on stripe_reversals (project_id, invoice_id);

-- Keyed hashes of the customers of erased participants: nothing of theirs is stored any more.
create table stripe_erased_customers (
  project_id text not null,
  customer_hash text not null,
  -- By which an operator can lift it. Null if an early version erased the participant.
  participant_id text,
  primary key (project_id, customer_hash)
);


-- ---------------------------------------------------------------------------------------------------------------
-- For the planner: a Project may be a large part of a table
-- ---------------------------------------------------------------------------------------------------------------

-- The planner assumes an average Project. If Projects are many and small, it takes any index that begins with the
-- Project for as good as the key, and goes on doing so while one of them grows: until the table is analysed again,
-- each signup reads the whole Project. With each Project declared to be a hundredth of the table, the planner uses
-- the key, and for a list it still uses the Project. A new table with a project_id needs the same statement.
alter table attribution_policies alter column project_id set (n_distinct = 100);
alter table audit_entries alter column project_id set (n_distinct = 100);
alter table benefit_rules alter column project_id set (n_distinct = 100);
alter table click_counts alter column project_id set (n_distinct = 100);
alter table counters alter column project_id set (n_distinct = 100);
alter table delivery_settings alter column project_id set (n_distinct = 100);
alter table early_adjustments alter column project_id set (n_distinct = 100);
alter table enrollments alter column project_id set (n_distinct = 100);
alter table erasures alter column project_id set (n_distinct = 100);
alter table events alter column project_id set (n_distinct = 100);
alter table feed_events alter column project_id set (n_distinct = 100);
alter table handle_references alter column project_id set (n_distinct = 100);
alter table handles alter column project_id set (n_distinct = 100);
alter table idempotency_keys alter column project_id set (n_distinct = 100);
alter table participants alter column project_id set (n_distinct = 100);
alter table partner_application_counts alter column project_id set (n_distinct = 100);
alter table partner_applications alter column project_id set (n_distinct = 100);
alter table payout_details alter column project_id set (n_distinct = 100);
alter table payout_lines alter column project_id set (n_distinct = 100);
alter table payout_parts alter column project_id set (n_distinct = 100);
alter table program_intervals alter column project_id set (n_distinct = 100);
alter table programs alter column project_id set (n_distinct = 100);
alter table project_heads alter column project_id set (n_distinct = 100);
alter table purchase_adjustments alter column project_id set (n_distinct = 100);
alter table purchases alter column project_id set (n_distinct = 100);
alter table ref_codes alter column project_id set (n_distinct = 100);
alter table ref_links alter column project_id set (n_distinct = 100);
alter table ref_names alter column project_id set (n_distinct = 100);
alter table referrals alter column project_id set (n_distinct = 100);
alter table reward_adjustments alter column project_id set (n_distinct = 100);
alter table reward_deliveries alter column project_id set (n_distinct = 100);
alter table reward_delivery_lines alter column project_id set (n_distinct = 100);
alter table reward_terms alter column project_id set (n_distinct = 100);
alter table rewards alter column project_id set (n_distinct = 100);
alter table signups alter column project_id set (n_distinct = 100);
alter table source_keys alter column project_id set (n_distinct = 100);
alter table sources alter column project_id set (n_distinct = 100);
alter table spent_clicks alter column project_id set (n_distinct = 100);
alter table stripe_connections alter column project_id set (n_distinct = 100);
alter table stripe_erased_customers alter column project_id set (n_distinct = 100);
alter table stripe_events alter column project_id set (n_distinct = 100);
alter table stripe_invoices alter column project_id set (n_distinct = 100);
alter table stripe_parked alter column project_id set (n_distinct = 100);
alter table stripe_payments alter column project_id set (n_distinct = 100);
alter table stripe_reversals alter column project_id set (n_distinct = 100);
alter table subscription_facts alter column project_id set (n_distinct = 100);
alter table tombstones alter column project_id set (n_distinct = 100);
alter table touches alter column project_id set (n_distinct = 100);
alter table units alter column project_id set (n_distinct = 100);
alter table webhook_attempts alter column project_id set (n_distinct = 100);
alter table webhook_deliveries alter column project_id set (n_distinct = 100);
alter table webhook_endpoints alter column project_id set (n_distinct = 100);
alter table widget_secrets alter column project_id set (n_distinct = 100);
