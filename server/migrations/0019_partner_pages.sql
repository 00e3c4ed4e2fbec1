-- Partners can be suspended, and have a page of their own.

-- Of one who stands for a suspended Partner, by the Project's clock: the Project's own copy, which
-- its decisions go by.
alter table participants add column suspended_at timestamptz(3);

-- By the real clock: a Partner spans Projects.
alter table partners add column suspended_at timestamptz(3);
alter table partners add column suspension_reason text;
-- How often the status changed, and whether every Project has it as it is now.
alter table partners add column status_number integer not null default 0;
alter table partners add column is_copied boolean not null default true;
create index partners_uncopied on partners (updated_at, id) where not is_copied;

-- One index for each way to filter the list; the id comes last, which pages go by.
create index partners_by_status on partners (status, id);
create index partners_by_workspace on partners (workspace_id, id);
create index partners_by_workspace_and_status on partners (workspace_id, status, id);

-- What was sent to one payee.
create index payouts_by_payee on payouts (payee, id)
  where status in ('processing', 'paid', 'failed', 'returned');

-- Links by which a Partner's mailbox signs in, also those asked for with an address that no Partner
-- has, until the worker sees that. The link itself is not kept: it is made of the id and a key.
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

-- Who is signed in. The cookie's value is kept as a hash.
create table partner_sessions (
  token_hash text primary key,
  email_key text not null,
  -- Of several Partners with that address, the one that was chosen.
  partner_id text,
  created_at timestamptz(3) not null,
  seen_at timestamptz(3) not null
);
create index partner_sessions_by_email on partner_sessions (email_key);
create index partner_sessions_old on partner_sessions (seen_at);

-- Whom an address signs in, over all Workspaces.
create index partners_by_email on partners (email_key, id);
