import type { FindPayable } from '../../domain/rewards/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { conflict } from '../../platform/kit/errors.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { FindPayeeDetails } from '../payouts/details/payee-details.ts';

export interface MailDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly baseUrl: string;
  /** Null without SMTP. */
  readonly mailer: Mailer | null;
}

export interface MailRouteDeps extends MailDeps {
  readonly writer: ProjectWriter;
  readonly findPayable: FindPayable;
  /** Called when a mail is ready to be sent. */
  readonly onMailDue: () => void;
}

export interface MailWorkerDeps extends MailDeps {
  readonly findDetails: FindPayeeDetails;
  /** Reports a rejected mail or a database error. */
  readonly onFailure: (error: unknown) => void;
}

export interface MailSenderDeps extends MailWorkerDeps {
  readonly mailer: Mailer;
}

/** Refuses to mail what somebody has asked for by hand, and says what is missing. */
export const notSetUp = (mailer: MailRouteDeps['mailer']) =>
  conflict(
    'mail_not_set_up',
    mailer === null
      ? 'No mail server is set. Start the service with SMTP_URL.'
      : 'The project has no sender. Set one under Mail, Sender.',
  );
