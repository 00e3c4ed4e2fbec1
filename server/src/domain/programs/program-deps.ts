import type { Database } from '../../platform/db/database.ts';
import type { ConfigTx } from '../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { Actor } from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import type { ConnectedMethod } from './delivery-methods.ts';

export interface ProgramDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  /** Where the service is reached. */
  readonly baseUrl: string;
  /** The delivery methods that the Project is connected to. Injected, because providers are a higher layer. */
  readonly findConnected: (projectId: string) => Promise<readonly ConnectedMethod[]>;
  /**
   * Counts the measures of a Program's days from a day on, if they are not counted yet. Injected, because facts are a
   * higher layer.
   */
  readonly countDays: (tx: ConfigTx, projectId: string, programId: string, from: string) => void;
}

/** The author of a version. */
export function authorOf(actor: Actor): string {
  return `${actor.type === 'key' ? 'key' : 'user'}:${actor.id}`;
}
