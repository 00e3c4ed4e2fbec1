-- People who sign in to the console, and what they may do in which Workspace.

create table users (
  id text primary key,
  -- In lower case: two spellings of one address are one person.
  email text not null,
  name text not null,
  image text,
  -- Whether it was proven that the address is theirs, by the sign-in provider or by a mailed link.
  email_verified boolean not null,
  two_factor_enabled boolean not null default false,
  -- When they last did something, in any session.
  seen_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint users_email_unique unique (email)
);

-- Who is signed in. The cookie's value is kept as a hash.
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

-- What a browser must bring back within minutes: second factors asked for, resets of passwords,
-- sign-ins under way at the provider.
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

-- Secret and backup codes are encrypted.
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
  constraint invitations_token_unique unique (token_hash),
  constraint invitations_workspace foreign key (workspace_id) references workspaces (id)
);
create index invitations_by_workspace on invitations (workspace_id, id);
create index invitations_by_email on invitations (email);
create index invitations_old on invitations (expires_at);

-- One row, which setting up locks; it has the hash of the link that was printed last.
create table console_setup (
  id text primary key,
  token_hash text
);
insert into console_setup (id, token_hash) values ('first', null);

-- Whether a batch of payouts must be approved by somebody else than who made it.
alter table payout_settings add column requires_second_approver boolean not null default false;
