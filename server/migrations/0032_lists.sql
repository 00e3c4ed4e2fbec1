-- Lists that are asked for by what people look for.

create index referrals_by_program on referrals (project_id, program_id, id);

-- By the beginning of a name, whatever order the database has for text.
create index participants_by_beginning on participants (project_id, external_id text_pattern_ops)
  where external_id is not null;
create index ref_names_by_beginning on ref_names (project_id, name text_pattern_ops);

create index audit_entries_by_actor on audit_entries (workspace_id, actor_id, id);
create index audit_entries_by_action on audit_entries (workspace_id, action, id);
create index audit_entries_by_target on audit_entries (workspace_id, target_id, id);
create index audit_entries_by_project on audit_entries (workspace_id, project_id, id);
