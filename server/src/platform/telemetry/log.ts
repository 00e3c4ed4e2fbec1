import { type DestinationStream, type Logger, pino } from 'pino';
import { sqlState } from '../db/database.ts';

export type { Logger };

/**
 * One JSON line per event. No header, body, query or address of a caller is ever handed
 * to the logger, so neither secrets nor personal data can reach it.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return pino(options, destination ?? bufferLines());
}

const BUFFERED_BYTES = 4_096;
const FLUSH_MS = 250;

/** A line per request is a system call per request: under load they leave a few at a time. */
function bufferLines(): DestinationStream {
  const lines = pino.destination({ dest: 1, sync: true, minLength: BUFFERED_BYTES });
  setInterval(() => lines.flush(), FLUSH_MS).unref();
  // Not `flushSync`, which tries for ever if nobody reads any more.
  process.once('exit', () => lines.flush());
  return lines;
}

/**
 * A database error can quote stored values in its message and detail, and a parser what it could
 * not read: only their kind is kept.
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
