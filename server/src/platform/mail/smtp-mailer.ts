import { createTransport, type NodemailerError } from 'nodemailer';
import { type Mail, MailError, type Mailer } from './mailer.ts';

interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user and password if the server requires them. */
  readonly smtpUrl: string;
  readonly from: string;
  /** Maximum time for one mail, even if its server keeps responding. */
  readonly deadlineMs?: number;
}

const CONNECTIONS_MAX = 2;
const DEADLINE_MS = 60_000;

/** Sends through the operator's SMTP server, keeping a connection open between mails. */
export function createSmtpMailer(options: SmtpOptions): Mailer {
  const { deadlineMs = DEADLINE_MS } = options;
  /** Functions that abort each mail in progress. */
  const underWay = new Set<(why: MailError) => void>();
  let transport = openPool(options.smtpUrl);
  let isClosed = false;

  /** The socket's own timeouts detect only silence, never a server that trickles. */
  function cutOff(pool: Pool): void {
    pool.close({ force: true });
    // A closed pool accepts nothing more.
    if (transport === pool && !isClosed) transport = openPool(options.smtpUrl);
  }

  async function send(mail: Mail): Promise<void> {
    if (isClosed) throw new MailError('The mailer is closed.', false);
    const pool = transport;
    let giveUp: (why: MailError) => void = () => undefined;
    const givenUp = new Promise<never>((_, reject) => {
      giveUp = reject;
    });
    const deadline = setTimeout(() => {
      giveUp(new MailError(`The SMTP server did not respond within ${deadlineMs} ms.`, false));
      cutOff(pool);
    }, deadlineMs);
    underWay.add(giveUp);
    try {
      await Promise.race([deliver(pool, options.from, mail), givenUp]);
    } finally {
      clearTimeout(deadline);
      underWay.delete(giveUp);
    }
  }

  return {
    send,
    close() {
      isClosed = true;
      for (const giveUp of underWay) giveUp(new MailError('The mailer was closed.', false));
      cutOff(transport);
    },
  };
}

type Pool = ReturnType<typeof openPool>;

function openPool(smtpUrl: string) {
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

async function deliver(pool: Pool, from: string, { to, subject, text, html }: Mail): Promise<void> {
  try {
    await pool.sendMail({
      from,
      // As an object it is taken as one address and never parsed as a list.
      to: { name: '', address: to },
      subject,
      text,
      html,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    throw toMailError(error as NodemailerError);
  }
}

function toMailError({ code, command, responseCode, permanent }: NodemailerError): MailError {
  const parts = [code, command, responseCode].filter((part) => part !== undefined);
  // A refused login or sender is for the operator to fix; only a refused recipient is final.
  const final = permanent === true && command === 'RCPT TO';
  return new MailError(`The SMTP server did not accept the mail (${parts.join(', ')}).`, final);
}
