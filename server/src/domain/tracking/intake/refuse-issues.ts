import { AppError, type Issue } from '../../../platform/kit/errors.ts';

/** Ends with INVALID_REQUEST, naming them all, if there are any. */
export function refuseIssues(issues: readonly Issue[]): void {
  const [first] = issues;
  if (!first) return;
  throw new AppError('INVALID_REQUEST', `Invalid request: ${first.path} ${first.issue}.`, {
    details: issues,
  });
}
