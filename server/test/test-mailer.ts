import type { Mail, Mailer } from '../src/mail/mailer.ts';

/** Keeps what it is given instead of sending it. */
export class TestMailer implements Mailer {
  readonly sent: Mail[] = [];
  /** What sending ends with instead; null to take every mail. */
  failure: Error | null = null;

  async send(mail: Mail): Promise<void> {
    if (this.failure) throw this.failure;
    this.sent.push(mail);
  }

  close(): void {}

  /** The link in the last mail to an address; fails if there is none. */
  linkTo(email: string): URL {
    const mail = this.sent.findLast(({ to }) => to === email);
    const link = /^https?:\S+$/m.exec(mail?.text ?? '')?.[0];
    if (link === undefined) throw new Error(`No link was mailed to ${email}.`);
    return new URL(link);
  }
}
