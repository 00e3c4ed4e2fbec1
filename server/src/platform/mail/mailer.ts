/** A mail to one person, as text and HTML. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Resolves once the next server has accepted it. Rejects with a `MailError`. */
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

  constructor(message: string, final: boolean) {
    super(message);
    this.final = final;
  }
}
