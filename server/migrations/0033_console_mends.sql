-- Who sent an invitation: what a person sent ends when they go. Null for the operator's own.
alter table invitations add column invited_by text;
create index invitations_by_sender on invitations (workspace_id, invited_by)
  where accepted_at is null and revoked_at is null;

-- Those who were erased are looked for by nobody, and all begin alike.
drop index participants_by_beginning;
create index participants_by_beginning on participants (project_id, external_id text_pattern_ops)
  where deleted_at is null;
