import { type DestinationStream, type Logger, pino } from 'pino';
import { sqlState } from '../db/database.ts';
import { toInstant } from '../kit/instant.ts';

export type { Logger };

/**
 * One JSON line per event. No header, body, query or address of a caller is ever passed to the
 * logger, so neither secrets nor personal data can reach it.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${toInstant(Date.now())}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return pino(options, destination ?? bufferLines());
}

const BUFFERED_BYTES = 4_096;
const FLUSH_MS = 250;

/** One line per request would be one system call per request: under load lines are written in groups. */
function bufferLines(): DestinationStream {
  const lines = pino.destination({ dest: 1, sync: true, minLength: BUFFERED_BYTES });
  setInterval(() => lines.flush(), FLUSH_MS).unref();
  // Not `flushSync`, which retries forever if nothing reads the output.
  process.once('exit', () => lines.flush());
  return lines;
}

/**
 * A database error can quote stored values in its message and detail, and a parser its input: only
 * the kind of error is logged.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = sqlState(error);
  const quotesValues = error instanceof SyntaxError || (code !== undefined && /^2[23]/.test(code));
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '));
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    message: quotesValues ? 'data exception' : error.message,
    stack: frames?.join('\n'),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
