import type { ErrorCode } from '../../../platform/kit/errors.ts';

export interface ErrorMeaning {
  readonly when: string;
  /** What the caller does about it. */
  readonly remedy: string;
}

export const ERROR_MEANINGS: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  INVALID_REQUEST: {
    when: 'The request does not fit its description, or is not JSON.',
    remedy: 'Mend what `details` names. The same request is refused again.',
  },
  UNSUPPORTED_DELIVERY_METHOD: {
    when: 'The Reward is delivered in a way that takes no such report.',
    remedy: 'Leave it to whoever delivers it: see `delivery.method`.',
  },
  UNAUTHORIZED: {
    when: 'The credential is missing, unknown, revoked or expired.',
    remedy: 'Send a good one. After many from one address comes `RATE_LIMITED`.',
  },
  FORBIDDEN: {
    when: 'The credential is good, but may not do this.',
    remedy: 'Use a key, a role or a page that may.',
  },
  ENVIRONMENT_MISMATCH: {
    when: 'The Project is of the other environment than the key.',
    remedy: 'Use the key of that environment.',
  },
  INSUFFICIENT_SCOPE: {
    when: 'The Widget token lacks the scope that this needs.',
    remedy: 'Sign tokens with that scope.',
  },
  NOT_FOUND: {
    when: 'There is no such route, or an id names nothing in this Project.',
    remedy: 'Look at the path and the id. Waiting does not help.',
  },
  METHOD_NOT_ALLOWED: {
    when: 'The path takes other methods; see `Allow`.',
    remedy: 'Use one of those.',
  },
  CONFLICT: {
    when: 'The state of things does not allow it; `reason` says what stands in the way.',
    remedy: 'Go by the `reason`. The same request is refused until the state changes.',
  },
  PAYLOAD_TOO_LARGE: {
    when: 'The body is over the limit.',
    remedy: 'Send less at a time.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body is not `application/json` in UTF-8, or is compressed.',
    remedy: 'Send it so.',
  },
  RATE_LIMITED: {
    when: 'Too many calls; see `Retry-After`.',
    remedy: 'Wait that long and send the same request again.',
  },
  INTERNAL_ERROR: {
    when: 'A fault on our side. Tell us the `requestId`.',
    remedy:
      'Repeat it if it names its fact or has an `Idempotency-Key`; the log has the `requestId`.',
  },
  SERVICE_UNAVAILABLE: {
    when: 'Not now; see `Retry-After`.',
    remedy: 'Wait that long and send the same request again.',
  },
};
