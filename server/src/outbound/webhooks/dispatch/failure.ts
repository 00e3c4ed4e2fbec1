/** Why a request got no response. */
export const FAILURE_REASONS = [
  'invalid_url',
  'name_not_resolved',
  'address_refused',
  'connection_failed',
  'tls_failed',
  'timed_out',
  'connection_lost',
  'invalid_answer',
  'cancelled',
  'unexpected',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

export interface Failure {
  readonly reason: FailureReason;
  /**
   * For the endpoint's owner: never contains the URL, whose query can be secret, nor an address.
   */
  readonly message: string;
}

export class SendError extends Error {
  override readonly name = 'SendError';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Describes an error of sending. Errors of libraries contribute only their code: their messages
 * contain addresses.
 */
export function explainFailure(error: unknown): Failure {
  if (error instanceof SendError) return { reason: error.reason, message: error.message };
  if (isAboutAnswer(error)) {
    return { reason: 'invalid_answer', message: 'The response is not valid HTTP.' };
  }
  const code = codeOf(error);
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return { reason: 'cancelled', message: 'The service stopped before there was a response.' };
  }
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') {
    return { reason: 'connection_lost', message: 'The connection was closed without a response.' };
  }
  return { reason: 'unexpected', message: `Sending failed in an unexpected way (${code}).` };
}

const ABOUT_ANSWER = new Set([
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  // undici assumes that a status is at least 100.
  'ERR_ASSERTION',
]);

/** By names and codes: undici is loaded only where something is sent. */
function isAboutAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === 'UND_ERR_SOCKET') return error.message.startsWith('bad ');
  return error.name === 'HTTPParserError' || ABOUT_ANSWER.has(code);
}

export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
}
