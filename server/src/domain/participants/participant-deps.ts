import type { Database } from '../../platform/db/database.ts';
import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import type { Participant } from './schema.ts';

/**
 * Told, in the transaction that saves them, of participants who have a billing id that they did not
 * have before: what waited for it can go on.
 */
export type OnBilled = (write: ProjectWrite, billed: readonly Participant[]) => void;

export interface ParticipantDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly keyring: Keyring;
  /** Where shared links lead, without a slash at its end. */
  readonly baseUrl: string;
  readonly onBilled: OnBilled;
}
