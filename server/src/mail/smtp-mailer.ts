import { createTransport, type NodemailerError } from 'nodemailer';
import { MailError, type Mailer } from './mailer.ts';

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  readonly smtpUrl: string;
  readonly from: string;
}

const CONNECTIONS_MAX = 2;

/** Sends through the operator's SMTP server, keeping a connection open between mails. */
export function createSmtpMailer(options: SmtpOptions): Mailer {
  const transport = createTransport({
    url: options.smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text, html }) {
      try {
        await transport.sendMail({
          from: options.from,
          // As an object it is taken as one address and never read as a list of them.
          to: { name: '', address: to },
          subject,
          text,
          html,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        throw toMailError(error as NodemailerError);
      }
    },
    close: () => transport.close(),
  };
}

function toMailError({ code, command, responseCode, permanent }: NodemailerError): MailError {
  const parts = [code, command, responseCode].filter((part) => part !== undefined);
  // A refused login or sender is the operator's to mend; only the recipient's refusal is final.
  const final = permanent === true && command === 'RCPT TO';
  return new MailError(`The SMTP server did not take the mail (${parts.join(', ')}).`, final);
}
