export interface FieldIssue {
  readonly path: string;
  readonly issue: string;
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly reason?: string | null;
  readonly requestId?: string | null;
  readonly details?: unknown;
  readonly cause?: unknown;
}

/** A refusal of the service, or a failure to reach it (status 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly reason: string | null;
  readonly requestId: string | null;
  readonly details: unknown;

  constructor(
    message: string,
    { status, code, reason = null, requestId = null, details = null, cause }: Refusal,
  ) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.reason = reason;
    this.requestId = requestId;
    this.details = details;
  }

  /** What is wrong with which field, if the service says so. */
  get issues(): readonly FieldIssue[] {
    return Array.isArray(this.details)
      ? this.details.filter(
          (one): one is FieldIssue =>
            typeof one?.path === 'string' && typeof one?.issue === 'string',
        )
      : [];
  }
}

/** A problem with the user's file, described so that they can fix it. */
export class FileError extends Error {}

export function toApiError(response: Response, body: unknown): ApiError {
  const error = (body as { error?: Record<string, unknown> } | undefined)?.error;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return new ApiError(text(error?.message) ?? `The service answered ${response.status}.`, {
    status: response.status,
    code: text(error?.code) ?? 'UNKNOWN',
    reason: text(error?.reason),
    requestId: text(error?.requestId) ?? response.headers.get('x-request-id'),
    details: error?.details,
  });
}

/** The service could not be reached, was busy or had a fault: a retry may succeed. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

/** Refused, and a retry would be refused as well. */
export const isFinal = (error: unknown): boolean => error instanceof ApiError && !isPassing(error);

/**
 * The error in words. The message of a refusal repeats its first issue; a list shows all of them.
 */
export function titleOf(error: unknown): string {
  // The service asks for an API key, which means nothing to people.
  if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return 'You are signed out';
  if (error instanceof ApiError && error.issues.length > 0)
    return 'The service did not accept this';
  return error instanceof Error ? error.message : String(error);
}

/** An issue of a whole body or file has no path: its subject is in the message of the refusal. */
export function subjectOf(error: ApiError, { issue }: FieldIssue): string {
  const said = error.message.indexOf(issue);
  const subject = said < 0 ? '' : error.message.slice(0, said).replace(/^Invalid request: /, '');
  const words = subject.trim() || 'the request';
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What was typed at sign-in was wrong: these are answered with 401 as well, and nobody was signed out. */
const MISTYPED: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'Check both and try again.',
  INVALID_PASSWORD: 'Check it and try again.',
  INVALID_CODE:
    'Enter the code that the app shows now. If it is refused again, check that the clock of your phone is right.',
  INVALID_BACKUP_CODE: 'Each backup code works once: try another.',
};

/** What a person can do about it, as a sentence; null if the message is enough. */
export function adviceOn(error: unknown): string | null {
  if (error instanceof FileError) return 'Correct the file and choose it again.';
  if (!(error instanceof ApiError))
    return 'Reload the page. If it happens again, contact the administrator of this service.';
  if (error.status === 0) return 'Check your connection; what you see may be out of date.';
  if (error.status === 401) return MISTYPED[error.code] ?? 'Sign in again.';
  if (error.reason === 'second_approver_required')
    return 'Ask a colleague with permission to pay to review and approve it.';
  if (error.status === 403)
    return 'Your role does not include this. An owner or admin can change that under Team.';
  if (error.status === 404)
    return 'It may have been deleted, belong to another project, or the address is incomplete.';
  if (error.status === 429) return 'Wait a minute and try again.';
  if (error.status === 503) return 'The database is busy or not available. Try again in a moment.';
  if (error.status >= 500)
    return `Contact the administrator of this service and give the request id ${error.requestId ?? '(none)'}.`;
  return null;
}
