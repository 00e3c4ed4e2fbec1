import { TestSmtpServer } from '../../smtp-server.ts';
import { listenAt } from '../authority/virtual-sockets.ts';
import type { VirtualTime } from '../authority/virtual-time.ts';

/** By its number: nobody looks up a name. */
const HOST = '192.0.2.25';
export const SMTP_URL = `smtp://${HOST}:25`;

/** How the server of the installation behaves from now on. */
export const SMTP_MODES = [
  ...(['ok', 'ok', 'ok', 'refuses', 'busy', 'later', 'later_for_this_one'] as const),
  ...(['hangs_up', 'hangs_up', 'falls_silent', 'no_such_user', 'no_such_content'] as const),
] as const;
export type SmtpMode = (typeof SMTP_MODES)[number];

const ANSWERS: Readonly<Partial<Record<SmtpMode, Record<string, string>>>> = {
  busy: { CONNECT: '421 come back later' },
  later: { END: '451 come back later' },
  later_for_this_one: { RCPT: '451 come back later' },
  no_such_user: { RCPT: '550 no such user' },
  no_such_content: { END: '554 no such content here' },
};

/** A mail that the server has taken, whether or not its sender was told. */
export interface Arrived {
  /** Of the mail at the service. */
  readonly id: string;
  readonly to: string;
  readonly atMs: number;
  /** Where a mail program posts to. */
  readonly unsubscribePath: string;
}

/** The SMTP server of the installation, and everybody's mailbox. */
export class Mailbox {
  readonly #smtp = new TestSmtpServer();
  #mode: SmtpMode = 'ok';

  constructor(time: VirtualTime) {
    listenAt(time, `${HOST}:25`, (socket) => {
      if (this.#mode === 'refuses') socket.destroy();
      else this.#smtp.accept(socket);
    });
  }

  setMode(mode: SmtpMode): void {
    this.#mode = mode;
    this.#smtp.answers = ANSWERS[mode] ?? {};
    this.#smtp.hangsUp = mode === 'hangs_up';
    this.#smtp.fallsSilent = mode === 'falls_silent';
  }

  get arrived(): readonly Arrived[] {
    return this.#smtp.received.map(({ recipients, message, atMs }) => ({
      id: headerOf(message, 'Message-ID').replace(/^<(.*)@.*>$/, '$1'),
      to: recipients.join(' and '),
      atMs,
      unsubscribePath: headerOf(message, 'List-Unsubscribe').replace(/^<https:..[^/]*(.*)>$/, '$1'),
    }));
  }
}

/** A long one is on several lines. */
function headerOf(message: string, name: string): string {
  const lines = message.replace(/\r\n[ \t]/g, ' ').split('\r\n');
  return lines.find((one) => one.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
}
