import { html } from '../http/server/html.ts';

/** A mail to one person, as text and HTML. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Instead of the installation's sender. */
  readonly from?: { readonly name: string; readonly address: string };
  readonly replyTo?: string;
  /** The same for every attempt, so that mail programs can recognise a repeat. */
  readonly messageId?: string;
  /** Where mail programs unsubscribe, without a question. */
  readonly unsubscribeUrl?: string;
}

export interface Mailer {
  /** Sends to exactly this address, see `readMailbox`, or not at all. Resolves once the next server has accepted it. Rejects with a `MailError`. */
  send(mail: Mail): Promise<void>;
  /** Aborts mails in progress at once. Nothing is sent afterwards. */
  close(): void;
}

/**
 * A mail that was not accepted. Servers quote addresses in their replies, so the message does not
 * contain the reply and can be logged.
 */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** The recipient will never accept it: a retry only harms the sender's reputation. */
  readonly final: boolean;
  readonly fate: MailFate;

  constructor(message: string, final: boolean, fate: MailFate = final ? 'refused' : 'retry') {
    super(message);
    this.final = final;
    this.fate = fate;
  }
}

/**
 * What a failure means: try again later, the recipient was refused for good, the content was refused for good,
 * it is unknown whether the server has accepted the mail, the address is no mailbox, or the server supports only
 * ASCII before the @. Of the last two, nothing was sent.
 */
export type MailFate = 'retry' | 'refused' | 'rejected' | 'unknown' | 'unusable' | 'unsupported';

export interface LinkMail {
  readonly to: string;
  readonly subject: string;
  readonly lead: string;
  /** The sentence before the link; without one, the text of the button. */
  readonly ask?: string;
  readonly button: string;
  readonly link: string;
  readonly end: string;
}

/** A mail whose one purpose is that its reader opens a link. */
export function writeLinkMail({ to, subject, lead, ask, button, link, end }: LinkMail): Mail {
  return {
    to,
    subject,
    text: [lead, '', ask ?? `${button}:`, link, '', end, ''].join('\n'),
    html: html`<!doctype html>
<html lang="en"><body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:32rem;margin:0 auto">
<p>${lead}</p>
${ask === undefined ? null : html`<p>${ask}</p>\n`}<p><a href="${link}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1f5f4a;color:#ffffff;text-decoration:none;font-weight:600">${button}</a></p>
<p>${end}</p>
</div></body></html>
`.text,
  };
}
