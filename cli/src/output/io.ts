import { createInterface } from 'node:readline/promises';

/** The terminal, or its replacement in tests. */
export interface Io {
  out(text: string): Promise<void>;
  err(text: string): void;
  /** The maximum line width; null if it is not limited. */
  readonly width: number | null;
  readonly hasColour: boolean;
  /** Without a terminal nobody can be asked. */
  readonly canAsk: boolean;
  ask(question: string): Promise<string>;
  readInput(): Promise<string>;
  /** From now on Ctrl-C ends the command properly: it aborts this signal. */
  untilEnded(): AbortSignal;
}

/** The process's own. It ends quietly when the reader closes the pipe: `goodword … | head`. */
export function openIo(env: Readonly<Record<string, string | undefined>>): Io {
  const { stdout, stderr, stdin } = process;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
  return {
    out: (text) =>
      new Promise((resolve) => {
        if (text === '' || stdout.write(text)) resolve();
        else stdout.once('drain', resolve);
      }),
    err: (text) => void stderr.write(text),
    width: stdout.isTTY ? stdout.columns : null,
    hasColour: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    async ask(question) {
      const lines = createInterface({ input: stdin, output: stderr });
      // Ctrl-C and Ctrl-D at the question mean no.
      const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
      lines.once('SIGINT', () => lines.close());
      const answer = await Promise.race([lines.question(question), closed]);
      lines.close();
      return answer;
    },
    async readInput() {
      const parts: Buffer[] = [];
      for await (const part of stdin) parts.push(part as Buffer);
      return Buffer.concat(parts).toString('utf8');
    },
    untilEnded() {
      const ended = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.once(signal, () => ended.abort());
      }
      return ended.signal;
    },
  };
}
