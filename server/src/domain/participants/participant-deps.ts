import type { Database } from '../../platform/db/database.ts';
import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import type { Participant } from './schema.ts';

/**
 * Called, in the transaction that saves them, with participants who have a new billing id, so that
 * facts waiting for it can be processed.
 */
export type OnBilled = (write: ProjectWrite, billed: readonly Participant[]) => void;

export interface ParticipantDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly keyring: Keyring;
  /** Base of shared links, without a trailing slash. */
  readonly baseUrl: string;
  readonly onBilled: OnBilled;
}
