import type { Database, Tx } from '../../platform/db/database.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';

export interface PartnerDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly baseUrl: string;
  readonly applicationsPerMinute: number;
  /** Null without SMTP: then an operator forwards the links. */
  readonly mailer: Mailer | null;
  /** Erases, with a Partner, what higher-level domains store about it. */
  readonly eraseBesides: (tx: Tx, partnerId: string) => Promise<void>;
  /** Called after an application was saved, so that its mail does not wait for the next poll. */
  readonly onMailDue: () => void;
}

export interface PartnerRouteDeps extends PartnerDeps {
  /** Reports an error after a change was saved, which the worker completes, or while a page is rendered. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

export interface MailWorkerDeps
  extends Pick<PartnerDeps, 'database' | 'clock' | 'keyring' | 'baseUrl'> {
  readonly mailer: Mailer;
  /** Reports a rejected mail or a database error. */
  readonly onFailure: (error: unknown) => void;
}
