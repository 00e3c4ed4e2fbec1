import { invalid } from '../../../platform/kit/errors.ts';

/** The lists of the console that have filters, by their names in the API, with the names of their filters. */
export const FILTERS_OF_LISTS = {
  rewards: [
    'fulfillmentStatus',
    'deliveryMethod',
    'benefitKind',
    'beneficiaryRole',
    'programId',
    'beneficiaryParticipantId',
    'earned',
    'earnedFrom',
    'earnedTo',
    'order',
  ],
  participants: ['kind'],
  referrals: ['programId', 'referrerParticipantId', 'refereeParticipantId', 'order'],
  events: ['type', 'processingState', 'participantId', 'order'],
  payouts: ['status', 'method', 'currency', 'order'],
  'payout-batches': ['status'],
  partners: ['status'],
  'partner-applications': ['status', 'programId'],
  'webhook-deliveries': ['status'],
  'audit-log': ['actorId', 'targetId', 'action'],
  mails: ['state'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ViewList = keyof typeof FILTERS_OF_LISTS;
export const VIEW_LISTS = Object.keys(FILTERS_OF_LISTS) as ViewList[];

export type ViewFilters = Readonly<Record<string, string>>;

export const FILTERS_BYTES_MAX = 2_048;

/** Fails with INVALID_REQUEST for filters that the list does not have, for none at all, and for too many bytes. */
export function checkFilters(list: ViewList, filters: ViewFilters): void {
  const known: readonly string[] = FILTERS_OF_LISTS[list];
  const names = Object.keys(filters);
  if (names.length === 0) throw invalid('filters', 'must have at least one filter');
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw invalid(`filters.${unknown}`, `is not a filter of this list (${known.join(', ')})`);
  }
  if (Buffer.byteLength(JSON.stringify(filters)) > FILTERS_BYTES_MAX) {
    throw invalid('filters', `must have at most ${FILTERS_BYTES_MAX} bytes as JSON`);
  }
}
