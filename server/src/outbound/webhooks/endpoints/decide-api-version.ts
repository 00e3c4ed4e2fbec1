import { DAY_MS, type Instant, toMs } from '../../../platform/kit/instant.ts';
import type { EndpointRow } from './endpoint.ts';

/** How long an endpoint can go back to the version it had (D-WH-7). */
export const GO_BACK_MS = 3 * DAY_MS;

type Pinned = Pick<EndpointRow, 'apiVersion' | 'previousApiVersion' | 'apiVersionChangedAt'>;

/**
 * What an endpoint is pinned to when a version that exists is wanted at a real time; undefined if
 * it cannot go there. Going back uses up the way back: from there it only goes to newer ones.
 */
export function decideApiVersion(pinned: Pinned, wanted: string, now: Instant): Pinned | undefined {
  const { apiVersion, previousApiVersion, apiVersionChangedAt } = pinned;
  // Versions are named by their day.
  if (wanted > apiVersion) {
    return { apiVersion: wanted, previousApiVersion: apiVersion, apiVersionChangedAt: now };
  }
  if (wanted === apiVersion) return { apiVersion, previousApiVersion, apiVersionChangedAt };
  const isInTime =
    apiVersionChangedAt !== null && toMs(now) < toMs(apiVersionChangedAt) + GO_BACK_MS;
  if (wanted !== previousApiVersion || !isInTime) return undefined;
  return { apiVersion: wanted, previousApiVersion: null, apiVersionChangedAt: null };
}
