import { invalid } from '../../../platform/kit/errors.ts';
import { parseInstant } from '../../../platform/kit/instant.ts';
import type { ParticipantRef } from '../../participants/schema.ts';
import type { SubscriptionFact, TrackSubscription } from '../subscription-schema.ts';
import { hashFacts } from './fact-keys.ts';

type Told = Pick<
  SubscriptionFact,
  | 'sourceNamespaceId'
  | 'sourceEventId'
  | 'subscriptionId'
  | 'change'
  | 'planKey'
  | 'periodStart'
  | 'periodEnd'
  | 'occurredAt'
>;

/** A change of a subscription, in the canonical form that is hashed, stored and decided. */
export interface SubscriptionInput extends Told {
  readonly participant: ParticipantRef;
  readonly factsHash: string;
}

/** Fails with INVALID_REQUEST. */
export function normalizeSubscription(body: TrackSubscription): SubscriptionInput {
  const time = (text: string | null | undefined) => (text ? (parseInstant(text) ?? null) : null);
  const occurredAt = time(body.occurredAt);
  if (occurredAt === null) throw invalid('occurredAt', 'must be a time');
  const [periodStart, periodEnd] = [time(body.periodStart), time(body.periodEnd)];
  if (periodStart !== null && periodEnd !== null && periodEnd < periodStart) {
    throw invalid('periodEnd', 'must not come before periodStart');
  }
  const { participant, subscriptionId, change } = body;
  const planKey = body.planKey ?? null;
  const told = { subscriptionId, change, planKey, periodStart, periodEnd, occurredAt };
  return {
    ...told,
    sourceNamespaceId: body.sourceNamespaceId,
    sourceEventId: body.sourceEventId,
    participant,
    factsHash: hashFacts({ participant, ...told }),
  };
}
