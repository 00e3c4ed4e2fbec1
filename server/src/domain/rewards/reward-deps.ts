import type { Database } from '../../platform/db/database.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { Clock } from '../../platform/kit/clock.ts';

/** Those of these participants who can be paid out: they provided an account, and it was not refused. */
export type FindPayable = (
  projectId: string,
  participantIds: readonly string[],
) => Promise<ReadonlySet<string>>;

export interface RewardDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  /** Whether the Project has that Event. Injected, because Events belong to a higher layer. */
  readonly hasEvent: (projectId: string, eventId: string) => Promise<boolean>;
  readonly findPayable: FindPayable;
}
