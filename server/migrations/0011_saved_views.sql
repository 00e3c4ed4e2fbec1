-- Runs beside: 0003_fewer_index_entries.sql
-- The filters of a list of the console that a user saved under a name. They belong to the user: whoever leaves the
-- Workspace leaves none. A shared table, because it refers to memberships.
create table saved_views (
  id text primary key,
  workspace_id text not null,
  user_id text not null,
  of_project text not null references projects (id),
  -- The list by its name in the API: rewards, payout-batches.
  list text not null,
  name text not null,
  -- {name: value}, as in the address of the list.
  filters jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint saved_views_member foreign key (workspace_id, user_id)
    references memberships (workspace_id, user_id) on delete cascade,
  constraint saved_views_name unique (user_id, of_project, list, name)
);
create index saved_views_by_member on saved_views (workspace_id, user_id);
