-- Runs beside: none
-- The foreign key of plans.

alter table program_plans add constraint program_plans_program
  foreign key (project_id, program_id) references programs (project_id, id);
