import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';

/** Nobody is asked more often, whatever they earn. */
export const REQUEST_PAUSE_MS = 30 * DAY_MS;

/** Somebody with cash that is due in these Programs. */
export interface DuePerson {
  readonly participantId: string;
  readonly programIds: readonly string[];
}

/** A mail that asked for payout details because a Reward was due. */
export interface DetailRequest {
  readonly recipientId: string;
  readonly programId: string;
  /** The unusable payout details that the recipient had then; null for none. */
  readonly detailsId: string | null;
  readonly requestedAt: Instant;
}

/** What is known of one person. */
export interface DetailsState {
  /** Null for none. */
  readonly detailsId: string | null;
  readonly isPayable: boolean;
  /** Of a suspended Partner nothing is paid, whatever they enter. */
  readonly isSuspended: boolean;
  /** Whether a mail would be sent: a request that nobody can read does not count as made. */
  readonly canBeMailed: boolean;
  readonly requests: readonly DetailRequest[];
  /** The last mail about missing details, also one that an operator caused. */
  readonly lastMailAt: Instant | null;
}

export type DetailDecision =
  /** The person gave details: the requests are answered. */
  { readonly answered: true } | { readonly ask: DetailRequest } | null;

/**
 * Whether to ask somebody for payout details now: once for each Program until there are other details, and at most
 * once in 30 days.
 */
export function decideDetailRequest(
  { participantId, programIds }: DuePerson,
  { detailsId, isPayable, isSuspended, canBeMailed, requests, lastMailAt }: DetailsState,
  now: Instant,
): DetailDecision {
  if (isPayable) return requests.length === 0 ? null : { answered: true };
  if (isSuspended || !canBeMailed) return null;
  if (lastMailAt !== null && lastMailAt > addMs(now, -REQUEST_PAUSE_MS)) return null;
  const isOpen = (programId: string) =>
    requests.some((one) => one.programId === programId && one.detailsId === detailsId);
  const programId = programIds.toSorted().find((one) => !isOpen(one));
  if (programId === undefined) return null;
  return { ask: { recipientId: participantId, programId, detailsId, requestedAt: now } };
}
