import type { FeedRow } from '../../../platform/feed/render-event.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { nextAttemptAt } from '../queue/schedule.ts';
import type { SendResult } from '../sender/exchange.ts';

/** An event that this process has leased for sending to an endpoint. */
export interface ClaimedDelivery {
  readonly endpointId: string;
  readonly queueId: string;
  /** Attempts made before this one, since it was queued or replayed. */
  readonly attempts: number;
  readonly isRetry: boolean;
  readonly event: FeedRow;
}

export type Outcome =
  | { readonly outcome: 'succeeded' }
  | { readonly outcome: 'retrying'; readonly dueAt: Instant }
  | { readonly outcome: 'failed' };

/** Any 2xx is success; anything else is retried until the attempts are used up. */
export function decideOutcome(result: SendResult, attemptsMade: number, endedAt: Instant): Outcome {
  if (result.outcome === 'answered' && result.status >= 200 && result.status < 300) {
    return { outcome: 'succeeded' };
  }
  const dueAt = nextAttemptAt(attemptsMade, endedAt);
  return dueAt === null ? { outcome: 'failed' } : { outcome: 'retrying', dueAt };
}

/**
 * The reward that a response grants: that of `reward.earned`, if the product grants it and the
 * status is a 2xx other than 202. Null for every other response.
 */
export function grantedReward(event: FeedRow, result: SendResult): string | null {
  if (event.type !== 'reward.earned' || result.outcome !== 'answered') return null;
  if (result.status < 200 || result.status >= 300 || result.status === 202) return null;
  const { reward }: { reward: { id: string; delivery: { method: string } } } = JSON.parse(
    event.data,
  );
  return ['operator', 'manual'].includes(reward.delivery.method) ? reward.id : null;
}
