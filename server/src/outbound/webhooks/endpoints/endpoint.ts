import type { FeedEventType } from '../../../platform/feed/writer/project-write.ts';
import type { Instant } from '../../../platform/kit/instant.ts';

export const FULFILLMENT_MODES = ['on_delivery', 'explicit'] as const;
type FulfillmentMode = (typeof FULFILLMENT_MODES)[number];

export interface SealedSecret {
  readonly sealed: string;
  /** When a newer one took its place; null for the current one. */
  readonly rotatedAt: Instant | null;
}

export interface EndpointRow {
  readonly projectId: string;
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  /** Null for every type, those to come too. */
  readonly eventTypes: readonly FeedEventType[] | null;
  readonly apiVersion: string;
  /** The one before the last change, to which it can go back for a while. */
  readonly previousApiVersion: string | null;
  readonly apiVersionChangedAt: Instant | null;
  readonly fulfillmentMode: FulfillmentMode;
  /** What its deliveries wait under; null while it is disabled. */
  readonly queueId: string | null;
  /** The same while it is disabled: nothing is sent from there until it is enabled again. */
  readonly pausedQueueId: string | null;
  /** Newest first. */
  readonly secrets: readonly SealedSecret[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** What the sealing of a secret is bound to. */
export function secretContext(projectId: string, endpointId: string): string {
  return `${projectId}/${endpointId}`;
}

/** Where an enabled endpoint's deliveries wait. */
export interface OpenQueue {
  readonly queueId: string;
  readonly eventTypes: readonly FeedEventType[] | null;
}

/** Null stands for every type, those to come too. */
export function isSubscribed(
  { eventTypes }: Pick<EndpointRow, 'eventTypes'>,
  type: FeedEventType,
): boolean {
  return eventTypes?.includes(type) ?? true;
}
