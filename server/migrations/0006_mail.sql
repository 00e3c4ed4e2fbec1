-- Runs beside: 0003_fewer_index_entries.sql
-- Mails to participants, Partners and the team: what a Project sends, what is to be sent, and who wants none.

create table mail_settings (
  project_id text not null primary key,
  -- {"name", "address", "replyTo"}; null if nothing is mailed to participants.
  sender jsonb,
  language text not null,
  -- Of a sandbox Project: whether mails are only shown, sent with a marked subject, or sent to listed addresses.
  sandbox_mode text not null check (sandbox_mode in ('preview', 'marked', 'listed')),
  sandbox_addresses text[] not null,
  team_kinds text[] not null,
  -- The last event of the feed that was read for mails.
  position bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
alter table mail_settings alter column project_id set (n_distinct = 100);

create table mail_programs (
  project_id text not null,
  program_id text not null,
  -- Null for the language of the Project.
  language text,
  kinds text[] not null,
  -- {language: {kind: {"subject", "body"}}}
  texts jsonb not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, program_id)
);
alter table mail_programs alter column project_id set (n_distinct = 100);

-- No address and no text of a mail is stored: both are made when it is sent.
create table mails (
  project_id text not null,
  id text not null,
  kind text not null,
  -- The fact that the mail reports: with the kind and the recipient, it is mailed once.
  fact_id text not null,
  -- A participant, or a user.
  recipient_id text not null,
  program_id text,
  -- Amounts and times for the text.
  data jsonb not null,
  state text not null check (state in
    ('waiting', 'sending', 'sent', 'unknown', 'failed', 'bounced', 'suppressed', 'dropped', 'preview')),
  reason text,
  tries integer not null,
  -- When to send it; while it is being sent, when that counts as interrupted. Null if nothing is left to do.
  due_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  sent_at timestamptz(3),
  primary key (project_id, id),
  unique (project_id, kind, fact_id, recipient_id)
);
alter table mails alter column project_id set (n_distinct = 100);
-- The first finds Projects with mails to send, the second the mails of one Project.
create index mails_due on mails (due_at, project_id) where due_at is not null;
create index mails_due_in_project on mails (project_id, due_at) where due_at is not null;
create index mails_by_recipient on mails (project_id, recipient_id, id);
create index mails_by_state on mails (project_id, state, id);
create index mails_by_age on mails (created_at, project_id);

-- Who wants no mails of a kind; an empty kind stands for all of them.
create table mail_opt_outs (
  project_id text not null,
  recipient_id text not null,
  kind text not null,
  created_at timestamptz(3) not null,
  primary key (project_id, recipient_id, kind)
);
alter table mail_opt_outs alter column project_id set (n_distinct = 100);

-- Addresses that were refused for good, as keyed hashes: nothing is sent until the recipient has another one.
create table mail_bounces (
  project_id text not null,
  recipient_id text not null,
  address_hash text not null,
  created_at timestamptz(3) not null,
  primary key (project_id, recipient_id)
);
alter table mail_bounces alter column project_id set (n_distinct = 100);
