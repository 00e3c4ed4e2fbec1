-- Who a Workspace works with, in all Projects of one environment (a reference table). An erased
-- Partner has neither name nor address, and its email_key is made of the id: the address is free
-- to become a Partner anew.

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
  unique (workspace_id, environment, email_key),
  check ((name is null) = (erased_at is not null)),
  check ((email is null) = (erased_at is not null))
);

-- Who asks to join an affiliate Program. The applicant's e-mail is kept once in clear, to be
-- blanked when they are erased; the keyed hash of its mailbox stays, so that a repeat is
-- recognised. An id is made of that hash: the same applicant and Program can get an id again
-- whose application was deleted.

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

-- One index for each way to filter the list, so that every page costs the same.
create index partner_applications_by_age on partner_applications (project_id, created_at, id);
create index partner_applications_by_status
  on partner_applications (project_id, status, created_at, id);
create index partner_applications_by_program
  on partner_applications (project_id, program_id, created_at, id);
create index partner_applications_by_program_and_status
  on partner_applications (project_id, program_id, status, created_at, id);
create index partner_applications_by_participant
  on partner_applications (project_id, participant_id) where participant_id is not null;

-- The first tells which Projects have mails to send, the second which mails of one Project.
create index partner_applications_due on partner_applications (mail_due_at, project_id)
  where mail_due_at is not null;
create index partner_applications_due_in_project
  on partner_applications (project_id, mail_due_at) where mail_due_at is not null;

-- How many pending applications of a Program still lack the proof of their e-mail.
create table partner_application_counts (
  project_id text not null,
  program_id text not null,
  unproven integer not null check (unproven >= 0),
  primary key (project_id, program_id),
  foreign key (project_id, program_id) references programs (project_id, id)
);

-- Which Projects have applications that nobody will prove any more, and which of a Program
-- has waited longest: an application waits since it was last sent or its link last mailed.
create index partner_applications_unproven on partner_applications
  (greatest(updated_at, mail_due_at, mail_sent_at, mail_failed_at), project_id)
  where status = 'pending' and email_verified_at is null;
create index partner_applications_unproven_in_program on partner_applications
  (project_id, program_id, greatest(updated_at, mail_due_at, mail_sent_at, mail_failed_at))
  where status = 'pending' and email_verified_at is null;

-- Which Projects have applications that came to nothing, and when.
create index partner_applications_ended on partner_applications (decided_at, project_id)
  where status in ('rejected', 'withdrawn');
