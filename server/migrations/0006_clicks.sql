-- A preflight names no Project: it asks whether any allows its origin.
create index projects_by_origin on projects using gin (allowed_origins);

-- A browser that followed a link. Who it belongs to is known once it was identified; from then
-- on it is closed, and its next click gets a new handle. identified_at alone is the mark of
-- that: an erasure takes the participant out of it, and it stays closed.
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

-- Whom a touch belongs to is read from its handle; participant_id is set only where there is
-- none, for a code that came with the signup itself.
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

-- A click token counts once; rows go when their tokens have expired anyway.
create table spent_clicks (
  project_id text not null,
  id text not null,
  expires_at timestamptz(3) not null,
  primary key (project_id, id)
);
create index spent_clicks_by_end on spent_clicks (expires_at, project_id);

-- A key that stands for a handle until somebody says who it is. Keys are used once, for ever.
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

-- Clicks per day on each code and link, added to every few seconds by each process.
create table click_counts (
  project_id text not null,
  -- The code or the link that stood in the address. Its id: what it was called can be erased.
  shared_id text not null,
  program_id text not null,
  day date not null,
  clicks bigint not null,
  primary key (project_id, shared_id, day)
);
create index handle_references_by_participant on handle_references (project_id, participant_id)
  where participant_id is not null;
