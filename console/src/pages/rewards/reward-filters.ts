import type { paths } from '../../api/client.ts';
import type { FilterSpec } from '../../ui/lists/specs.ts';

type Query = paths['/v1/rewards']['get']['parameters']['query'];

export type RewardFilters = Partial<Omit<Query, 'projectId' | 'cursor' | 'limit'>>;

const STATUSES = [
  { value: 'pending', label: 'Waiting' },
  { value: 'in_progress', label: 'Under way' },
  { value: 'fulfilled', label: 'Granted or paid' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Voided or refunded' },
  { value: 'revocation_pending', label: 'To be taken back' },
  { value: 'revoked', label: 'Taken back' },
];
export const METHODS = [
  { value: 'operator', label: 'Your product' },
  { value: 'manual', label: 'A person, by hand' },
  { value: 'payout', label: 'Payout' },
  { value: 'stripe_balance', label: 'Stripe balance' },
  { value: 'stripe_coupon', label: 'Stripe coupon' },
];
const KINDS = [
  { value: 'cash', label: 'Cash' },
  { value: 'credit', label: 'Credit' },
  { value: 'discount', label: 'Discount' },
  { value: 'custom', label: 'Custom units' },
];
export const ROLES = [
  { value: 'referrer', label: 'Referrer' },
  { value: 'referee', label: 'Referred person' },
  { value: 'subject', label: 'Loyalty member' },
];

/** The filters of the list of rewards, apart from the program. */
export const REWARD_FILTERS: readonly FilterSpec[] = [
  { kind: 'choice', name: 'fulfillmentStatus', label: 'State', choices: STATUSES },
  { kind: 'choice', name: 'deliveryMethod', label: 'Delivered by', choices: METHODS },
  { kind: 'choice', name: 'benefitKind', label: 'Kind', choices: KINDS },
  { kind: 'choice', name: 'beneficiaryRole', label: 'Role', choices: ROLES },
  { kind: 'person', name: 'beneficiaryParticipantId', label: 'Participant' },
  { kind: 'time', name: 'earned', label: 'Earned', from: 'earnedFrom', to: 'earnedTo' },
];

/** In a sentence: `the referred person`. */
export const roleName = (role: string) => labelIn(ROLES, role).toLowerCase();

export const labelIn = (choices: readonly { value: string; label: string }[], value: string) =>
  choices.find((choice) => choice.value === value)?.label ?? value;
