import type { Body } from '../../api/client.ts';

export type EventType = Body<'/v1/webhook-endpoints/{endpointId}/test'>['type'];

/** When each is sent. */
export const EVENT_TYPES: Readonly<Record<EventType, string>> = {
  'participant.created': 'A participant is created, or a partner joins',
  'referral.created': 'A person was referred by another',
  'event.recorded': 'A signup, purchase or custom event was saved, and its attribution was decided',
  'reward.earned': 'A participant earned a reward',
  'reward.voided': 'A reward was voided',
  'reward.restored': 'A granted reward that was voided for a refund is valid again',
  'reward.fulfilled': 'A reward reached its owner',
  'reward.revoked': 'A voided reward was taken back',
  'payout.paid': 'A transfer arrived',
  'payout.failed': 'A transfer failed before it was paid',
  'payout.returned': 'A transfer was returned',
  'risk.review_opened': 'A referral waits for a review. Only sent if it is selected',
  'risk.review_decided': 'A referral was approved or rejected. Only sent if it is selected',
};

export const ALL_TYPES = Object.keys(EVENT_TYPES) as EventType[];

/** Sent only to endpoints that name them. */
const isNamedOnly = (type: string): boolean => type.startsWith('risk.');

/** What an endpoint gets that names no types. */
export const DEFAULT_TYPES = ALL_TYPES.filter((type) => !isNamedOnly(type));

export const hasAllTypes = (types: readonly string[]): boolean =>
  DEFAULT_TYPES.every((type) => types.includes(type)) && !types.some(isNamedOnly);
