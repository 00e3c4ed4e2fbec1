import { ApiError, type FieldIssue } from '../api/errors.ts';

/** Splits a refusal into what belongs beside a field and what does not: each is said once. */
export interface FormIssues {
  /** What the service says of this field, by its name in the body. */
  of(field: string): string | undefined;
  /** What concerns none of the fields; null if there is nothing of that kind. */
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

/** The refusal without the issues that stand elsewhere; null once nothing of it is left. */
export function leaveOut(error: unknown, isPlaced: (issue: FieldIssue) => boolean): unknown {
  if (!(error instanceof ApiError) || !error.issues.some(isPlaced)) return error;
  const left = error.issues.filter((issue) => !isPlaced(issue));
  const { status, code, reason, message, requestId } = error;
  return left.length === 0
    ? null
    : new ApiError(message, { status, code, reason, requestId, details: left, cause: error });
}
