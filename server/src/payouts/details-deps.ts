import type { Database } from '../db/database.ts';
import type { ProjectWriter } from '../feed/writer.ts';
import type { ProjectRef } from '../http/principal.ts';
import type { Clock } from '../kit/clock.ts';
import type { NewId } from '../kit/ids.ts';
import type { Keyring } from '../kit/keyring.ts';

/** A provider at which payees have accounts of their own, which they finish on its pages. */
export interface PayeeOnboarding {
  isConnected(project: ProjectRef): Promise<boolean>;
  /** The payee's account, made if there is none yet and the same each time, and where to finish it. */
  begin(project: ProjectRef, participantId: string): Promise<OnboardedPayee>;
  /** The like for an account that the participant has saved; null if they have not. */
  resume(project: ProjectRef, participantId: string): Promise<OnboardedPayee | null>;
}

export interface OnboardedPayee {
  readonly accountId: string;
  /** Null once there is nothing left to finish. */
  readonly onboardingUrl: string | null;
  /** Whether anything can be paid to it yet. */
  readonly isReady: boolean;
}

export interface DetailsDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  /** Null where no provider takes payees. */
  readonly payeeOnboarding: PayeeOnboarding | null;
}
