import { AppError, type Issue } from '../../platform/kit/errors.ts';

/** Fails with INVALID_REQUEST naming every issue; returns when there is none. */
export function refuseInvalid(issues: readonly Issue[]): void {
  const [first] = issues;
  if (!first) return;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  throw new AppError('INVALID_REQUEST', `Invalid request: ${first.path} ${first.issue}${more}.`, {
    details: issues,
  });
}
