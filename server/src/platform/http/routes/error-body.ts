import { isUnavailable } from '../../db/database.ts';
import { CommitUnknownError } from '../../db/driver.ts';
import { AppError, STATUS_BY_CODE, unavailable } from '../../kit/errors.ts';

/** The only format of refusals. */
export function errorBody(error: AppError, requestId: string) {
  return {
    success: false as const,
    error: {
      code: error.code,
      reason: error.reason,
      message: error.message,
      requestId,
      details: error.details,
    },
  };
}

export function statusOf(error: AppError): number {
  return STATUS_BY_CODE[error.code];
}

/** Converts any thrown value to a refusal; for unexpected errors it does not reveal the cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof CommitUnknownError) {
    return unavailable(
      'The database connection broke while saving. The write may or may not have happened: read before you repeat it.',
      'outcome_unknown',
      error,
    );
  }
  if (isUnavailable(error)) {
    return unavailable('The database is not available.', undefined, error);
  }
  switch ((error as { code?: unknown } | null)?.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError(
        'UNSUPPORTED_MEDIA_TYPE',
        'Send the body as application/json in UTF-8, without a Content-Encoding.',
      );
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('PAYLOAD_TOO_LARGE', 'The body is larger than this route allows.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('INVALID_REQUEST', 'The length of the body differs from Content-Length.');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('INVALID_REQUEST', 'The address is not valid.');
    default:
      // Other refusals by the server itself.
      if (isClientFault(error)) return new AppError('INVALID_REQUEST', 'The request is not valid.');
      return new AppError('INTERNAL_ERROR', 'Something went wrong on our side.', { cause: error });
  }
}

function isClientFault(error: unknown): boolean {
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  const isOfServer = typeof code === 'string' && code.startsWith('FST_ERR_');
  return isOfServer && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
}
