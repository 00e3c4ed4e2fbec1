-- Rises with every change to what facts are judged by, so that a process which knows the
-- Project's settings by this number need not read them again.
alter table project_heads add column config_number bigint not null default 0;
