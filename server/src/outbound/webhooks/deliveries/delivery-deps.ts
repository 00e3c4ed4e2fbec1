import type { Database } from '../../../platform/db/database.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import type { NewId } from '../../../platform/kit/ids.ts';

export interface DeliveryDeps {
  readonly database: Database;
  readonly writer: ProjectWriter;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Called when deliveries of a project became due: a hint that may get lost. */
  readonly onDeliveriesDue: (projectId: string) => void;
}
