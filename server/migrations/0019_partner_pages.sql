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
