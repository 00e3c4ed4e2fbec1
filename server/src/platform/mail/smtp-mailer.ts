import type { Readable } from 'node:stream';
import { createTransport, type NodemailerError } from 'nodemailer';
import { readMailbox } from '../kit/mailbox.ts';
import { type Mail, MailError, type Mailer } from './mailer.ts';
import { offersUtf8 } from './offers-utf8.ts';

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
  const underWay = new Set<() => void>();
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
    const mailbox = readMailbox(mail.to);
    if (mailbox === null) {
      throw new MailError('No mail can be sent to this address.', true, 'unusable');
    }
    const pool = transport;
    const track = createTrack();
    const asking = new AbortController();
    let giveUp: (why: MailError) => void = () => undefined;
    const givenUp = new Promise<never>((_, reject) => {
      giveUp = reject;
    });
    const deadline = setTimeout(() => {
      giveUp(cutOffError(`The SMTP server did not respond within ${deadlineMs} ms.`, track));
      cutOff(pool);
    }, deadlineMs);
    const onClose = () => giveUp(cutOffError('The mailer was closed.', track));
    underWay.add(onClose);
    const checkAndDeliver = async () => {
      if (mailbox.needsUtf8) await checkUtf8(options.smtpUrl, asking.signal, track);
      // An attempt that was given up while the server was asked must not go on.
      if (asking.signal.aborted) return;
      await deliver(pool, options.from, { ...mail, to: mailbox.recipient }, track);
    };
    try {
      await Promise.race([checkAndDeliver(), givenUp]);
    } finally {
      asking.abort();
      clearTimeout(deadline);
      underWay.delete(onClose);
    }
  }

  return {
    send,
    close() {
      isClosed = true;
      for (const abort of underWay) abort();
      cutOff(transport);
    },
  };
}

type Pool = ReturnType<typeof openPool>;

/** Whether any of a mail was given to its connection: until then, the server cannot have accepted it. */
interface Track {
  follow(stream: Readable): void;
  hasBegun(): boolean;
}

function createTrack(): Track {
  const streams: Readable[] = [];
  return {
    follow: (stream) => streams.push(stream),
    hasBegun: () => streams.some(({ readableDidRead }) => readableDidRead),
  };
}

function cutOffError(message: string, track: Track): MailError {
  return new MailError(message, false, track.hasBegun() ? 'unknown' : 'retry');
}

function openPool(smtpUrl: string) {
  const pool = createTransport({
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
  pool.use('stream', (mail, done) => {
    const { track } = mail.data as { track?: Track };
    const { message } = mail;
    const open = message.createReadStream.bind(message);
    message.createReadStream = (...options) => {
      const stream = open(...options);
      track?.follow(stream);
      return stream;
    };
    done();
  });
  return pool;
}

async function checkUtf8(smtpUrl: string, signal: AbortSignal, track: Track): Promise<void> {
  const isOffered = await offersUtf8(smtpUrl, signal).catch((error: NodemailerError) => {
    throw toMailError(error, track);
  });
  if (!isOffered) {
    throw new MailError('The SMTP server does not support SMTPUTF8.', true, 'unsupported');
  }
}

async function deliver(pool: Pool, from: string, mail: Mail, track: Track): Promise<void> {
  const { to, subject, text, html, replyTo, messageId, unsubscribeUrl } = mail;
  try {
    const options = {
      from: mail.from ?? from,
      // As an object it is taken as one address and never parsed as a list.
      to: { name: '', address: to },
      subject,
      text,
      html,
      ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
      ...(messageId === undefined ? {} : { messageId }),
      headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) },
      track,
    };
    await pool.sendMail(options);
  } catch (error) {
    throw toMailError(error as NodemailerError, track);
  }
}

/** RFC 8058: a mail program unsubscribes with one POST. */
function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

function toMailError(error: NodemailerError, track: Track): MailError {
  const { code, command, responseCode, permanent } = error;
  const parts = [code, command, responseCode].filter((part) => part !== undefined);
  // A refused login or sender is for the operator to fix; only a refused recipient is final.
  const final = permanent === true && command === 'RCPT TO';
  const message = `The SMTP server did not accept the mail (${parts.join(', ')}).`;
  if (responseCode === undefined && track.hasBegun())
    return new MailError(message, false, 'unknown');
  const isRejected = permanent === true && command === 'DATA';
  return new MailError(message, final, isRejected ? 'rejected' : undefined);
}
