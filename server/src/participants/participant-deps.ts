import type { Database } from '../db/database.ts';
import type { ProjectWrite } from '../feed/project-write.ts';
import type { ProjectWriter } from '../feed/writer.ts';
import type { Keyring } from '../kit/keyring.ts';
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
