import type { components, Reasons } from './generated/api.ts';

type Refusal = components['schemas']['Error']['error'];

/**
 * A code of the API; or one of the client's own: `NO_ANSWER` when the network failed or the time was
 * up, `BAD_ANSWER` when something that is not Goodword answered, such as a proxy.
 */
export type ErrorCode = Refusal['code'] | 'NO_ANSWER' | 'BAD_ANSWER';

/** The reasons that the API names for a code. A newer service may have more. */
export type ReasonOf<C extends ErrorCode> = C extends keyof Reasons ? Reasons[C] : never;

/** One fault of a request: `path` is dotted (`purchase.amountMinor`), empty for the whole. */
export interface Issue {
  readonly path: string;
  readonly issue: string;
}

/** So that the error of one copy of the package is known to another (ESM beside CommonJS). */
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

/** The one error that calls end with, besides what an abort signal is given as its reason. */
export class GoodwordError extends Error {
  override readonly name = 'GoodwordError';
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  /** What exactly, for programs; null where the code says it all. */
  readonly reason: string | null;
  /** The HTTP status; 0 if nothing was answered. */
  readonly status: number;
  /** What the service's log knows the call by. */
  readonly requestId: string | null;
  /** What is wrong with which fields of the request; empty unless that is the trouble. */
  readonly issues: readonly Issue[];
  /** How long the service asked to be left alone; null if it did not say. */
  readonly retryAfterMs: number | null;
  /** Goodword’s refusal as it came, for those who pass it on; null if it was none of Goodword’s. */
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
   * Whether the same call can succeed later, as it is: Goodword was not reached, or was in trouble.
   * What Goodword itself refused stays refused. What takes no Idempotency-Key may have been done
   * all the same: look before you repeat that.
   */
  get isTransient(): boolean {
    const wasReached = this.code !== 'NO_ANSWER' && this.code !== 'BAD_ANSWER';
    return !wasReached || this.status === 429 || this.status >= 500;
  }
}

/**
 * Whether something thrown is an error of a call; of this code and this reason, if told.
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

/** The error that an answer of the service, or of what stands before it, tells of. */
export function toError(
  status: number,
  headers: Headers,
  text: string,
  retryAfterMs: number | null,
): GoodwordError {
  const told = readRefusal(text);
  const requestId = headers.get('x-request-id');
  if (!told) {
    const message = `Answered ${status} with something that is not an answer of Goodword.`;
    return new GoodwordError({ code: 'BAD_ANSWER', message, status, requestId, retryAfterMs });
  }
  const { code, reason, message, details, requestId: own } = told.error;
  return new GoodwordError({
    code,
    reason,
    message,
    status,
    requestId: own ?? requestId,
    issues: details,
    retryAfterMs,
    body: told,
  });
}

function readRefusal(text: string): { readonly error: Refusal } | null {
  try {
    const body = JSON.parse(text) as { success?: unknown; error?: Partial<Refusal> };
    const { success, error } = body;
    const isRefusal = typeof error?.code === 'string' && typeof error.message === 'string';
    // Others write an `error` with these, too.
    return success === false && isRefusal ? (body as { error: Refusal }) : null;
  } catch {
    return null;
  }
}
