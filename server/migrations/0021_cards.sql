-- Runs beside: none
-- Cards are deleted when they were not used for a long time.

create index participant_cards_by_age on participant_cards (seen_at, project_id);
