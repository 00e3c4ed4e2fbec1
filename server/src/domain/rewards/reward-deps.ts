import type { Database } from '../../platform/db/database.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { Clock } from '../../platform/kit/clock.ts';

/** Those of these participants who can be paid out: they told where to, and nobody refused it. */
export type FindPayable = (
  projectId: string,
  participantIds: readonly string[],
) => Promise<ReadonlySet<string>>;

export interface RewardDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  /** Whether the Project has that Event: only those who keep Events know, and they stand above. */
  readonly hasEvent: (projectId: string, eventId: string) => Promise<boolean>;
  readonly findPayable: FindPayable;
}
