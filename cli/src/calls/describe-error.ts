import { type GoodwordError, isGoodwordError } from '@goodword/sdk';
import { CliError, EXIT } from '../cli-error.ts';

/** The maximum duration of a call. */
export const TIMEOUT_MS = 30_000;

/** Turns an error of the SDK into a message for the user. Other errors stay as they are. */
export function describeError(baseUrl: string, error: unknown): unknown {
  // The SDK refuses values that would lead to another address or cannot be sent, such as an id of
  // two dots.
  if (error instanceof TypeError) return new CliError(error.message, EXIT.usage);
  if (!isGoodwordError(error)) return error;
  if (error.body !== null) return new CliError(describeRefusal(error), EXIT.refused, error.body);
  return error.status > 0 ? notGoodword(baseUrl, error.status) : unreachable(baseUrl, error);
}

/** A table that started and then broke off or stalled is incomplete. */
export function describeBrokenTable(baseUrl: string, error: unknown, hasBegun: boolean): unknown {
  const isSilent = isGoodwordError(error) && isTimeout(error);
  if (!isGoodwordError(error, 'NO_ANSWER') || !(hasBegun || isSilent)) {
    return describeError(baseUrl, error);
  }
  const why = isSilent ? `No data from ${baseUrl} for 60 s` : `The connection to ${baseUrl} broke`;
  return new CliError(`${why}: the table is not complete.`, EXIT.unreachable);
}

export function notGoodword(baseUrl: string, status: number): CliError {
  return new CliError(
    `The server at ${baseUrl} is not Goodword (HTTP ${status}). Set GOODWORD_URL to the address of Goodword.`,
    EXIT.unreachable,
  );
}

function describeRefusal({ code, reason, message, issues, requestId }: GoodwordError): string {
  const lines = issues.map(({ path, issue }) => `  ${path} ${issue}\n`).join('');
  return `${code}${reason ? `/${reason}` : ''}: ${message}\n${lines}Request id: ${requestId}`;
}

const isTimeout = ({ cause }: GoodwordError): boolean =>
  (cause as Error | undefined)?.name === 'TimeoutError';

function unreachable(baseUrl: string, error: GoodwordError): CliError {
  const { name, cause } = (error.cause ?? error) as Error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  const why = isTimeout(error) ? `not within ${TIMEOUT_MS / 1000} s` : (code ?? name);
  return new CliError(
    `Goodword does not answer at ${baseUrl} (${why}).\nStart it with: npm start\nIf it runs elsewhere, set GOODWORD_URL, or PORT for another port on this machine.`,
    EXIT.unreachable,
  );
}
