-- Who asks to join an affiliate Program. The applicant's e-mail is kept once in clear, to
-- be blanked when they are erased; the keyed hash of it stays, so that ids never repeat.

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

-- Which Projects have applications that nobody will prove any more.
create index partner_applications_unproven on partner_applications (created_at, project_id)
  where status = 'pending' and email_verified_at is null;
