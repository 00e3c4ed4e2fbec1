import type { Database } from '../db/database.ts';
import type { ProjectWriter } from '../feed/writer.ts';
import type { Clock } from '../kit/clock.ts';

export interface RewardDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  /** Whether the Project has that Event: only those who keep Events know, and they stand above. */
  readonly hasEvent: (projectId: string, eventId: string) => Promise<boolean>;
}
