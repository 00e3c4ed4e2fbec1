import { ApiError, type FieldIssue } from '../api/errors.ts';

/** Splits a refusal into issues of fields and the rest, so that each is shown once. */
export interface FormIssues {
  /** The service's issue about this field, by its name in the body. */
  of(field: string): string | undefined;
  /** What concerns none of the fields; null if there is nothing. */
  readonly rest: unknown;
}

/** `fields` are those of the form; `eventTypes.0` belongs to `eventTypes`. */
export function readIssues(error: unknown, fields: readonly string[]): FormIssues {
  const issues = error instanceof ApiError ? error.issues : [];
  const fieldOf = (path: string) =>
    fields.find((name) => path === name || path.startsWith(`${name}.`));
  return {
    of: (field) => {
      const own = issues.filter(({ path }) => fieldOf(path) === field);
      return own.length > 0 ? [...new Set(own.map(({ issue }) => issue))].join('; ') : undefined;
    },
    rest: leaveOut(error, ({ path }) => fieldOf(path) !== undefined),
  };
}

/** The refusal without the issues that are shown elsewhere; null if nothing is left. */
export function leaveOut(error: unknown, isPlaced: (issue: FieldIssue) => boolean): unknown {
  if (!(error instanceof ApiError) || !error.issues.some(isPlaced)) return error;
  const left = error.issues.filter((issue) => !isPlaced(issue));
  const { status, code, reason, message, requestId } = error;
  return left.length === 0
    ? null
    : new ApiError(message, { status, code, reason, requestId, details: left, cause: error });
}
