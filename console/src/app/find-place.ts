interface Target {
  readonly to: string;
  readonly params: Record<string, string>;
}

/** The page of a search result; null if there is none. */
export function placeOf(type: string, id: string): Target | null {
  switch (type) {
    case 'participant':
      return { to: '/p/$projectId/participants/$participantId', params: { participantId: id } };
    case 'referral':
      return { to: '/p/$projectId/referrals/$referralId', params: { referralId: id } };
    case 'event':
      return { to: '/p/$projectId/events/$eventId', params: { eventId: id } };
    case 'reward':
      return { to: '/p/$projectId/rewards/$rewardId', params: { rewardId: id } };
    case 'risk_review':
      return { to: '/p/$projectId/reviews/$reviewId', params: { reviewId: id } };
    case 'program':
      return { to: '/p/$projectId/programs/$programId', params: { programId: id } };
    case 'payout':
      return { to: '/p/$projectId/payouts/$payoutId', params: { payoutId: id } };
    case 'payout_batch':
      return { to: '/p/$projectId/payouts/batches/$batchId', params: { batchId: id } };
    case 'partner':
      return { to: '/p/$projectId/partners/$partnerId', params: { partnerId: id } };
    case 'webhook_endpoint':
      return { to: '/p/$projectId/webhooks/$endpointId', params: { endpointId: id } };
    default:
      return null;
  }
}

interface Found {
  readonly type: string;
  readonly id: string;
  readonly participantId: string | null;
}

/**
 * Where a search result leads: to itself if it has a page, otherwise to its owner, as for a code.
 */
export const subjectOf = ({ type, id, participantId }: Found) =>
  placeOf(type, id) === null && participantId !== null
    ? { type: 'participant', id: participantId }
    : { type, id };
