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
