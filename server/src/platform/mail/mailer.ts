/** A mail to one person, in both forms that their program may show. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Resolves once the next server has taken it. Rejects with a `MailError`. */
  send(mail: Mail): Promise<void>;
  /** Gives up the mails under way at once. Nothing is sent after it. */
  close(): void;
}

/**
 * A mail that was not taken. Servers quote addresses in their replies, so the message has
 * none of the reply's words: it can be logged.
 */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** This recipient will never take it: trying again only harms the sender's name. */
  readonly final: boolean;

  constructor(message: string, final: boolean) {
    super(message);
    this.final = final;
  }
}
