import type { Database } from '../../../platform/db/database.ts';
import type { ApiVersions } from '../../../platform/feed/api-versions.ts';
import {
  DEFAULT_EVENT_TYPES,
  type FeedEventType,
} from '../../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import type { Reach } from '../sender/resolve-host.ts';
import type { Sender } from '../sender/send-request.ts';

export const FULFILLMENT_MODES = ['on_delivery', 'explicit'] as const;
type FulfillmentMode = (typeof FULFILLMENT_MODES)[number];

export interface SealedSecret {
  readonly sealed: string;
  /** When a newer secret replaced it; null for the current one. */
  readonly rotatedAt: Instant | null;
}

export interface EndpointRow {
  readonly projectId: string;
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  /** Null for every default type, including future ones. */
  readonly eventTypes: readonly FeedEventType[] | null;
  readonly apiVersion: string;
  /** The version before the last change, to which it can return for a while. */
  readonly previousApiVersion: string | null;
  readonly apiVersionChangedAt: Instant | null;
  readonly fulfillmentMode: FulfillmentMode;
  /** The queue of its deliveries; null while it is disabled. */
  readonly queueId: string | null;
  /**
   * Its queue while it is disabled: nothing is sent from it until the endpoint is enabled again.
   */
  readonly pausedQueueId: string | null;
  /** Newest first. */
  readonly secrets: readonly SealedSecret[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export function secretContext(projectId: string, endpointId: string): string {
  return `${projectId}/${endpointId}`;
}

export interface OpenQueue {
  readonly queueId: string;
  readonly eventTypes: readonly FeedEventType[] | null;
}

/** Null stands for every default type, including future ones. */
export function isSubscribed(
  { eventTypes }: Pick<EndpointRow, 'eventTypes'>,
  type: FeedEventType,
): boolean {
  return (eventTypes ?? DEFAULT_EVENT_TYPES).includes(type);
}

export interface EndpointDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly apiVersions: ApiVersions;
  readonly reach: Reach;
  readonly sender: Sender;
}

export interface ChangeDeps extends EndpointDeps {
  /** Called after a change by which deliveries of a project may be due. */
  readonly onDeliveriesDue: (projectId: string) => void;
}
