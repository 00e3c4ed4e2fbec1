import { ApiError } from '../api/errors.ts';

/** Splits a refusal into what belongs beside a field and what does not. */
export interface FormIssues {
  /** What the service says of this field, by its name in the body. */
  of(field: string): string | undefined;
  /** The refusal itself, if some of it concerns none of the fields. */
  readonly rest: unknown;
}

/** `fields` are those of the form; `eventTypes.0` belongs to `eventTypes`. */
export function readIssues(error: unknown, fields: readonly string[]): FormIssues {
  const issues = error instanceof ApiError ? error.issues : [];
  const fieldOf = (path: string) =>
    fields.find((name) => path === name || path.startsWith(`${name}.`));
  const isAllPlaced = issues.length > 0 && issues.every(({ path }) => fieldOf(path) !== undefined);
  return {
    of: (field) => issues.find(({ path }) => fieldOf(path) === field)?.issue,
    rest: error === null || isAllPlaced ? null : error,
  };
}
