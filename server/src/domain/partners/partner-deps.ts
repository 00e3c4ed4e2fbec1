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
  /** Null without SMTP: then an operator hands the links on. */
  readonly mailer: Mailer | null;
  /** Erases, with a Partner, what the domains above keep of it. */
  readonly eraseBesides: (tx: Tx, partnerId: string) => void;
  /** Told after an application was saved, so that its mail need not wait for the next poll. */
  readonly onMailDue: () => void;
}

export interface PartnerRouteDeps extends PartnerDeps {
  /** What broke after a change was saved, and is made good by the worker. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

export interface PartnerPageDeps extends PartnerDeps {
  /** What broke while a page was made; the visitor is only told that it did. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

export interface MailWorkerDeps
  extends Pick<PartnerDeps, 'database' | 'clock' | 'keyring' | 'baseUrl'> {
  readonly mailer: Mailer;
  /** A mail that was not taken, or trouble of the database. */
  readonly onFailure: (error: unknown) => void;
}
