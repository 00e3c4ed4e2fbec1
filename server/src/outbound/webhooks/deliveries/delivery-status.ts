import type { Instant } from '../../../platform/kit/instant.ts';
import type { DeliveryRow } from './delivery.ts';

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'dropped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

type Known = Pick<DeliveryRow, 'queued' | 'last'>;

/**
 * A queued delivery is pending; otherwise the last attempt decides. If that attempt, or a replay
 * after it, left the delivery in the queue, it was dropped since: its endpoint was disabled for too
 * long.
 */
export function statusOf({ queued, last }: Known): DeliveryStatus {
  if (queued) return 'pending';
  if (last?.outcome === 'succeeded') return 'succeeded';
  return last?.outcome === 'failed' && !last.isReplayed ? 'failed' : 'dropped';
}

/** Whether a worker is sending it. If the worker died, this stays true until the lease expires. */
export function isSending({ queued }: Pick<Known, 'queued'>, now: Instant): boolean {
  return (queued?.leasedUntil ?? '') > now;
}

/** When a retry is due; null if it is due at once, being sent or not queued. */
export function waitsUntil({ queued }: Pick<Known, 'queued'>): Instant | null {
  return queued?.isRetry && queued.leasedUntil === null ? queued.dueAt : null;
}
