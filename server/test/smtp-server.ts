import { createServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ReceivedMail {
  readonly recipients: string[];
  readonly message: string;
  readonly atMs: number;
}

/** Speaks the few words of SMTP that a sender needs, and keeps what it is sent. */
export class TestSmtpServer {
  readonly received: ReceivedMail[] = [];
  /** What to say to a command instead of yes: a test may change it at any time. */
  answers: Record<string, string>;
  /** A command that is answered for ever, a line at a time, and never to the end. */
  trickles: string | null = null;
  /** Whether to hang up after a mail was received in full, instead of saying what became of it. */
  hangsUp = false;
  /** Whether to say nothing more after a mail was received in full. */
  fallsSilent = false;
  /** Connections that get such an answer now. */
  trickling = 0;
  readonly #sockets = new Set<Duplex>();
  readonly #server: Server;

  constructor(answers: Record<string, string> = {}) {
    this.answers = answers;
    this.#server = createServer((socket) => this.accept(socket));
  }

  listen(): Promise<string> {
    return new Promise((resolve) => {
      this.#server.listen(0, '127.0.0.1', () => {
        const address = this.#server.address();
        resolve(`smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
      });
    });
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Serves a connection, also one that is no socket of the machine. */
  accept(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    let buffer = '';
    let recipients: string[] = [];
    let isData = false;
    const say = (line: string) => socket.write(`${line}\r\n`);
    say(this.answers.CONNECT ?? '220 test ESMTP');
    socket.on('data', (chunk) => {
      buffer += chunk.toString('utf8');
      for (;;) {
        const end = isData ? buffer.indexOf('\r\n.\r\n') : buffer.indexOf('\r\n');
        if (end < 0) return;
        const text = buffer.slice(0, end);
        buffer = buffer.slice(end + (isData ? 5 : 2));
        if (isData) {
          isData = false;
          if (!/^[45]/.test(this.answers.END ?? ''))
            this.received.push({ recipients, message: text, atMs: Date.now() });
          recipients = [];
          if (this.hangsUp) {
            socket.destroy();
            return;
          }
          if (!this.fallsSilent) say(this.answers.END ?? '250 taken');
          continue;
        }
        const verb = text.split(/[ :]/, 1)[0]?.toUpperCase() ?? '';
        // Connections are used again: a mail begins without the recipients of one that was given up.
        if (verb === 'MAIL' || verb === 'RSET') recipients = [];
        if (verb === 'RCPT' && !/^[45]/.test(this.answers.RCPT ?? '')) {
          recipients.push(/<(.*)>/.exec(text)?.[1] ?? '');
        }
        if (verb === 'DATA') isData = true;
        if (verb === this.trickles) {
          this.#trickle(socket);
          return;
        }
        say(this.answers[verb] ?? (verb === 'DATA' ? '354 go on' : '250 ok'));
      }
    });
  }

  #trickle(socket: Duplex): void {
    this.trickling += 1;
    const timer = setInterval(() => socket.write('250-wait\r\n'), 10);
    socket.on('close', () => {
      clearInterval(timer);
      this.trickling -= 1;
    });
  }
}
