import type { Database } from '../db/database.ts';
import type { ProjectWriter } from '../feed/writer.ts';
import type { Clock } from '../kit/clock.ts';

export interface ProgramDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
}
