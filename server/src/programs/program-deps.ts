import type { Database } from '../db/database.ts';
import type { ProjectWriter } from '../feed/writer.ts';
import type { Clock } from '../kit/clock.ts';
import type { ConnectedMethod } from './delivery-methods.ts';

export interface ProgramDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  /** What the Project is connected to deliver by: providers stand above. */
  readonly findConnected: (projectId: string) => Promise<readonly ConnectedMethod[]>;
}
