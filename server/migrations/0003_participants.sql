-- Who takes part: people and groups, their enrollments, and the codes and links they share.

create table participants (
  project_id text not null,
  id text not null,
  -- Gapless within the Project, and within the Project and kind: what the list pages by.
  number bigint not null,
  kind_number bigint not null,
  kind text not null check (kind in ('individual', 'group')),
  -- Null for a partner.
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
  primary key (project_id, id),
  unique (project_id, number),
  unique (project_id, kind, kind_number),
  unique (project_id, kind, external_id),
  unique (project_id, billing_id),
  unique (project_id, partner_id),
  check ((external_id is null) = (partner_id is not null))
);

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

create table ref_codes (
  project_id text not null,
  id text not null,
  code text not null,
  participant_id text not null,
  program_id text not null,
  -- From 1 within the participant and program: 1 is the oldest.
  position integer not null check (position between 1 and 5),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, participant_id, program_id, position),
  foreign key (project_id, participant_id) references participants (project_id, id),
  foreign key (project_id, program_id) references programs (project_id, id)
);

create table ref_links (
  project_id text not null,
  id text not null,
  slug text not null,
  ref_code_id text not null,
  -- From 1 within the code.
  position integer not null check (position between 1 and 20),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  unique (project_id, ref_code_id, position),
  foreign key (project_id, ref_code_id) references ref_codes (project_id, id)
);

-- What can stand in a shared link: every code and every slug, in one namespace.
create table ref_names (
  project_id text not null,
  name text not null,
  ref_code_id text not null,
  -- Null when the name is the code itself.
  ref_link_id text,
  primary key (project_id, name),
  foreign key (project_id, ref_code_id) references ref_codes (project_id, id),
  foreign key (project_id, ref_link_id) references ref_links (project_id, id)
);
create index ref_names_by_code on ref_names (project_id, ref_code_id);

-- What erased participants were called, as keyed hashes: enough to refuse the name, too little to tell it.
create table tombstones (
  project_id text not null,
  kind text not null check (kind in ('individual', 'group', 'name')),
  hash text not null,
  created_at timestamptz(3) not null,
  primary key (project_id, kind, hash)
);
