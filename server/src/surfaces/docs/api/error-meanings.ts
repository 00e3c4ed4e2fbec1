import type { ErrorCode } from '../../../platform/kit/errors.ts';

export interface ErrorMeaning {
  readonly when: string;
  /** What the caller does about it. */
  readonly remedy: string;
}

export const ERROR_MEANINGS: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  INVALID_REQUEST: {
    when: 'The request does not match its schema, or is not JSON.',
    remedy: 'Fix the fields that `details` lists. The same request will fail again.',
  },
  UNSUPPORTED_DELIVERY_METHOD: {
    when: 'The Reward’s delivery method does not allow this report.',
    remedy: 'Do not report it: see `delivery.method` for how the Reward is delivered.',
  },
  UNAUTHORIZED: {
    when: 'The credential is missing, unknown, revoked or expired.',
    remedy:
      'Send a valid credential. Too many failures from one IP address lead to `RATE_LIMITED`.',
  },
  FORBIDDEN: {
    when: 'The credential is valid but has no permission for this.',
    remedy: 'Use a key, a role or a page that has the permission.',
  },
  ENVIRONMENT_MISMATCH: {
    when: 'The Project and the key belong to different environments.',
    remedy: 'Use a key of the Project’s environment.',
  },
  INSUFFICIENT_SCOPE: {
    when: 'The Widget token does not have the required scope.',
    remedy: 'Sign tokens with this scope.',
  },
  NOT_FOUND: {
    when: 'The route does not exist, or an id does not exist in this Project.',
    remedy: 'Check the path and the id. A retry does not help.',
  },
  METHOD_NOT_ALLOWED: {
    when: 'The path does not support this method; see `Allow`.',
    remedy: 'Use one of the methods in `Allow`.',
  },
  CONFLICT: {
    when: 'The current state does not allow the call; `reason` says why.',
    remedy: 'Act on the `reason`. The same request fails until the state changes.',
  },
  PAYLOAD_TOO_LARGE: {
    when: 'The body is larger than the limit.',
    remedy: 'Send smaller requests.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body is not `application/json` in UTF-8, or is compressed.',
    remedy: 'Send uncompressed `application/json` in UTF-8.',
  },
  RATE_LIMITED: {
    when: 'Too many calls; see `Retry-After`.',
    remedy: 'Wait for that time, then send the same request again.',
  },
  INTERNAL_ERROR: {
    when: 'An error in the service.',
    remedy:
      'Retry if the call identifies its fact or has an `Idempotency-Key`. Look for the `requestId` in the log.',
  },
  SERVICE_UNAVAILABLE: {
    when: 'The service cannot process the call now; see `Retry-After`.',
    remedy: 'Wait for that time, then send the same request again.',
  },
};
