/** Every error code of the API, with its HTTP status. */
export const STATUS_BY_CODE = {
  INVALID_REQUEST: 400,
  UNSUPPORTED_DELIVERY_METHOD: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  ENVIRONMENT_MISMATCH: 403,
  INSUFFICIENT_SCOPE: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_BY_CODE;
export const ERROR_CODES = Object.keys(STATUS_BY_CODE) as ErrorCode[];

/** Distinguishes conflicts. */
export const CONFLICT_REASONS = [
  'event_facts_differ',
  'adjustment_exceeds_purchase',
  'dispute_closed',
  'fulfillment_facts_differ',
  'reward_voided',
  'reward_cancelled',
  'revocation_facts_differ',
  'revocation_not_pending',
  'void_facts_differ',
  'under_review',
  'review_decided',
  'handle_already_identified',
  'reference_bound',
  'reference_expired',
  'reference_resolved',
  'code_taken',
  'slug_taken',
  'limit_reached',
  'name_taken',
  'enrollment_ended',
  'program_not_open',
  'invalid_transition',
  'rule_exists',
  'unit_mismatch',
  'key_taken',
  'plan_outdated',
  'plan_expired',
  'application_decided',
  'billing_id_taken',
  'participant_deleted',
  'participant_not_deleted',
  'no_tombstone',
  'unsettled_rewards',
  'version_outdated',
  'source_disabled',
  'endpoint_disabled',
  'connection_exists',
  'connection_disabled',
  'not_connected',
  'mail_not_set_up',
  'mail_not_sent',
  'payouts_open',
  'store_restored',
  'restore_released',
  'checks_open',
  'advances_unassigned',
  'already_member',
  'last_owner',
  'sign_in_first',
  'setup_done',
  'idempotency_key_reused',
] as const;
export type ConflictReason = (typeof CONFLICT_REASONS)[number];

/** One problem of a request: `path` is dotted (`terms.currency`), empty for the whole. */
export interface Issue {
  readonly path: string;
  readonly issue: string;
}

/** A refusal that the caller can understand and act on. Anything else thrown is a bug: 500. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly reason: string | null;
  readonly details: readonly Issue[] | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      reason?: string;
      details?: readonly Issue[];
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.reason = options.reason ?? null;
    this.details = options.details ?? null;
    this.headers = options.headers ?? {};
  }
}

/** 400 about one field. */
export function invalid(path: string, issue: string): AppError {
  return new AppError('INVALID_REQUEST', `Invalid request: ${path} ${issue}.`, {
    details: [{ path, issue }],
  });
}

export function notFound(what: string, reason?: string): AppError {
  return new AppError(
    'NOT_FOUND',
    `No such ${what} in this project.`,
    reason === undefined ? {} : { reason },
  );
}

export function noSuch(what: string): AppError {
  return new AppError('NOT_FOUND', `No such ${what}.`);
}

export function conflict(reason: ConflictReason, message: string): AppError {
  return new AppError('CONFLICT', message, { reason });
}

export function unavailable(message: string, reason?: string, cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message, {
    ...(reason === undefined ? {} : { reason }),
    headers: { 'retry-after': '1' },
    cause,
  });
}
