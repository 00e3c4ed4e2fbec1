import type { components, Reasons } from './generated/api.ts';

type Refusal = components['schemas']['Error']['error'];

/**
 * A code of the API, or one of the client's own: `NO_ANSWER` after a network failure or timeout,
 * `BAD_ANSWER` when something other than Goodword answered, such as a proxy.
 */
export type ErrorCode = Refusal['code'] | 'NO_ANSWER' | 'BAD_ANSWER';

/** The reasons that the API defines for a code. A newer service may have more. */
export type ReasonOf<C extends ErrorCode> = C extends keyof Reasons ? Reasons[C] : never;

/**
 * One fault of a request: `path` is dotted (`purchase.amountMinor`), empty for the whole request.
 */
export interface Issue {
  readonly path: string;
  readonly issue: string;
}

/** Recognises errors across copies of the package (ESM beside CommonJS). */
const BRAND = Symbol.for('@goodword/sdk/error');

interface ErrorFacts {
  readonly code: ErrorCode;
  readonly message: string;
  readonly reason?: string | null;
  readonly status?: number;
  readonly requestId?: string | null;
  readonly issues?: readonly Issue[] | null;
  readonly retryAfterMs?: number | null;
  readonly body?: object | null;
  readonly cause?: unknown;
}

/** The only error that calls throw, besides the reason of an aborted signal. */
export class GoodwordError extends Error {
  override readonly name = 'GoodwordError';
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  /** The exact reason, for programs; null if the code is enough. */
  readonly reason: string | null;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** Identifies the call in the service's log. */
  readonly requestId: string | null;
  /** What is wrong with which fields of the request; empty for other errors. */
  readonly issues: readonly Issue[];
  /** The wait that the service asked for; null if it did not. */
  readonly retryAfterMs: number | null;
  /** Goodword's refusal as received, to pass it on; null if the response was not Goodword's. */
  readonly body: object | null;

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.reason = facts.reason ?? null;
    this.status = facts.status ?? 0;
    this.requestId = facts.requestId ?? null;
    this.issues = facts.issues ?? [];
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.body = facts.body ?? null;
  }

  /**
   * Whether the same call can succeed later: Goodword was not reached or had a fault. A refusal by
   * Goodword itself is permanent. A call without an Idempotency-Key may have been carried out all
   * the same: check before you repeat it.
   */
  get isTransient(): boolean {
    const wasReached = this.code !== 'NO_ANSWER' && this.code !== 'BAD_ANSWER';
    return !wasReached || this.status === 429 || this.status >= 500;
  }
}

/**
 * Whether a thrown value is an error of a call; optionally with this code and reason.
 *
 * @example
 * if (isGoodwordError(error, 'CONFLICT', 'handle_already_identified')) …
 */
export function isGoodwordError<
  C extends ErrorCode = ErrorCode,
  R extends ReasonOf<C> | (string & {}) | null = string | null,
>(
  error: unknown,
  code?: C,
  reason?: R,
): error is GoodwordError & { readonly code: C; readonly reason: R } {
  if (typeof error !== 'object' || error === null || !(BRAND in error)) return false;
  const known = error as GoodwordError;
  return (
    (code === undefined || known.code === code) && (reason === undefined || known.reason === reason)
  );
}

/** The error of a response from the service, or from a proxy in front of it. */
export function toError(
  status: number,
  headers: Headers,
  text: string,
  retryAfterMs: number | null,
): GoodwordError {
  const refusal = readRefusal(text);
  const requestId = headers.get('x-request-id');
  if (!refusal) {
    const message = `Answered ${status} with something that is not an answer of Goodword.`;
    return new GoodwordError({ code: 'BAD_ANSWER', message, status, requestId, retryAfterMs });
  }
  const { code, reason, message, details, requestId: own } = refusal.error;
  return new GoodwordError({
    code,
    reason,
    message,
    status,
    requestId: own ?? requestId,
    issues: details,
    retryAfterMs,
    body: refusal,
  });
}

function readRefusal(text: string): { readonly error: Refusal } | null {
  try {
    const body = JSON.parse(text) as { success?: unknown; error?: Partial<Refusal> };
    const { success, error } = body;
    const isRefusal = typeof error?.code === 'string' && typeof error.message === 'string';
    // Other services also send an `error` with these fields.
    return success === false && isRefusal ? (body as { error: Refusal }) : null;
  } catch {
    return null;
  }
}
