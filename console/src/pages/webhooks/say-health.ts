import type { Row } from '../../api/client.ts';
import { humanize } from '../../ui/words.ts';

type Health = Row<'/v1/webhook-endpoints/health'>;

/** The share of accepted attempts. It is never rounded to all or none of them. */
export function saySuccess({
  attempts,
  succeeded,
}: Pick<Health, 'attempts' | 'succeeded'>): string {
  if (attempts === 0) return 'Nothing sent yet';
  if (succeeded === attempts) return 'All accepted';
  if (succeeded === 0) return 'None accepted';
  const percent = Math.min(99, Math.max(1, Math.round((succeeded / attempts) * 100)));
  return `${percent}% accepted`;
}

/** `Last failure: 503` or `Last failure: timed out`. */
export function sayFailure({
  responseStatus,
  failure,
}: Pick<NonNullable<Health['lastFailure']>, 'responseStatus' | 'failure'>): string {
  const reason = failure ? humanize(failure.reason).toLowerCase() : responseStatus;
  return `Last failure: ${reason ?? 'unknown'}`;
}
