-- Who may do what: few rows, read often, written rarely (reference tables).

create table workspaces (
  id text primary key,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
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

-- The writer: one head per Project, referenced by no foreign key, so that locking it blocks no insert.

create table project_heads (
  project_id text primary key,
  feed_position bigint not null,
  last_at timestamptz(3) not null,
  numbers jsonb not null
);

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

-- project_id is '' for what happened to a workspace as a whole.
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
