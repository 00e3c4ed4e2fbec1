import { DAY_MS, type Instant, toMs } from '../../../platform/kit/instant.ts';
import type { EndpointRow } from './endpoint.ts';

/** How long an endpoint can return to its previous version (D-WH-7). */
export const GO_BACK_MS = 3 * DAY_MS;

type Pinned = Pick<EndpointRow, 'apiVersion' | 'previousApiVersion' | 'apiVersionChangedAt'>;

/**
 * The version to pin an endpoint to when an existing version is requested at a real time; undefined
 * if it cannot switch to it. An endpoint can go back once: after that it only moves to newer
 * versions.
 */
export function decideApiVersion(
  pinned: Pinned,
  requested: string,
  now: Instant,
): Pinned | undefined {
  const { apiVersion, previousApiVersion, apiVersionChangedAt } = pinned;
  // Versions are named by date.
  if (requested > apiVersion) {
    return { apiVersion: requested, previousApiVersion: apiVersion, apiVersionChangedAt: now };
  }
  if (requested === apiVersion) return { apiVersion, previousApiVersion, apiVersionChangedAt };
  const isInTime =
    apiVersionChangedAt !== null && toMs(now) < toMs(apiVersionChangedAt) + GO_BACK_MS;
  if (requested !== previousApiVersion || !isInTime) return undefined;
  return { apiVersion: requested, previousApiVersion: null, apiVersionChangedAt: null };
}
