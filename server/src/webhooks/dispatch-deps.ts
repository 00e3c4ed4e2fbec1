import type { Database } from '../db/database.ts';
import type { RenderDeps } from '../feed/render-event.ts';
import type { ProjectWriter } from '../feed/writer.ts';
import type { Identities } from '../http/principal.ts';
import type { Clock } from '../kit/clock.ts';
import type { NewId } from '../kit/ids.ts';
import type { Keyring } from '../kit/keyring.ts';
import type { Sender } from './send-request.ts';

/** What sending needs. */
export interface DispatchDeps extends RenderDeps {
  readonly database: Database;
  readonly writer: ProjectWriter;
  readonly findProject: Identities['findProject'];
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly sender: Sender;
  readonly onFailure: (error: unknown) => void;
  readonly onAttempt?: (attempt: { outcome: string; latencyMs: number }) => void;
}
