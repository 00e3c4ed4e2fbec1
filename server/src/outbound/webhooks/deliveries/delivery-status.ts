import type { Instant } from '../../../platform/kit/instant.ts';
import type { DeliveryRow } from './delivery.ts';

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'dropped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

type Known = Pick<DeliveryRow, 'queued' | 'last'>;

/**
 * What waits is pending; else the last attempt says what became of it. If that one, or a replay
 * after it, left it waiting, it was dropped meanwhile: its endpoint was disabled for too long.
 */
export function statusOf({ queued, last }: Known): DeliveryStatus {
  if (queued) return 'pending';
  if (last?.outcome === 'succeeded') return 'succeeded';
  return last?.outcome === 'failed' && !last.isReplayed ? 'failed' : 'dropped';
}

/** Whether a worker holds it. One that died does so until its lease runs out. */
export function isSending({ queued }: Pick<Known, 'queued'>, now: Instant): boolean {
  return (queued?.leasedUntil ?? '') > now;
}

/** What a retry waits for; null for whatever is due at once, is being sent or does not wait. */
export function waitsUntil({ queued }: Pick<Known, 'queued'>): Instant | null {
  return queued?.isRetry && queued.leasedUntil === null ? queued.dueAt : null;
}
