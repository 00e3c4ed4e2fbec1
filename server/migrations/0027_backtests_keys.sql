-- Runs beside: none
-- Foreign keys of back-tests.

alter table backtests add constraint backtests_program
  foreign key (project_id, program_id) references programs (project_id, id);
alter table backtest_differences add constraint backtest_differences_backtest
  foreign key (project_id, backtest_id) references backtests (project_id, id);
