import { expect, vi } from 'vitest';
import type { Mail, Mailer } from '../src/platform/mail/mailer.ts';

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

  /** Some mails leave after the answer to what they are about: the link in the one that `act` causes. */
  async linkAfter(email: string, act: () => Promise<unknown>): Promise<URL> {
    const count = () => this.sent.filter(({ to }) => to === email).length;
    const before = count();
    await act();
    await vi.waitFor(() => expect(count()).toBe(before + 1), 10_000);
    return this.linkTo(email);
  }

  /** The link in the last mail to an address; fails if there is none. */
  linkTo(email: string): URL {
    const mail = this.sent.findLast(({ to }) => to === email);
    const link = /^https?:\S+$/m.exec(mail?.text ?? '')?.[0];
    if (link === undefined) throw new Error(`No link was mailed to ${email}.`);
    return new URL(link);
  }
}
