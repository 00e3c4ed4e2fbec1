import type { PartyRef } from '../../../platform/feed/writer/project-write.ts';
import type { Purchase, TrackedEvent } from '../batch/facts.ts';
import type { CreditReason, Event, Referral } from '../event-schema.ts';
import { signupIdOf } from '../intake/normalize-event.ts';
import type { EventRow } from '../store.ts';

export function presentEvent(row: EventRow): Event {
  return {
    id: row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    projectId: row.projectId,
    participantId: row.participantId,
    type: row.type,
    actorParticipantId: row.actorParticipantId,
    sourceNamespaceId: row.sourceNamespaceId,
    sourceEventId: row.sourceEventId ?? signupIdOf(row.participantId),
    occurredAt: row.occurredAt,
    receivedAt: row.receivedAt,
    normalizedFacts: row.facts as unknown as Record<string, unknown>,
    factsHash: row.factsHash,
    processingState: row.processingState,
    processingReason: row.processingReason,
    attemptCount: row.attemptCount,
    nextAttemptAt: row.nextAttemptAt,
  };
}

const party = (participantId: string): PartyRef => ({ $party: participantId });

/** `data` of `event.recorded`. */
export function eventData(
  event: TrackedEvent,
  purchase: Purchase | null,
  attribution: Record<string, unknown> | null,
): Record<string, unknown> {
  return {
    event: {
      id: event.id,
      type: event.type,
      participant: party(event.participantId),
      actor: event.actorParticipantId === null ? null : party(event.actorParticipantId),
      sourceNamespaceId: event.sourceNamespaceId,
      sourceEventId: event.sourceEventId ?? signupIdOf(event.participantId),
      occurredAt: event.occurredAt,
      receivedAt: event.receivedAt,
      purchase: purchase && {
        purchaseId: purchase.id,
        amountMinor: purchase.amountMinor,
        taxAmountMinor: purchase.taxAmountMinor,
        currency: purchase.currency,
        currencyExponent: purchase.currencyExponent,
        orderId: purchase.orderId,
        invoiceId: purchase.invoiceId,
        subscriptionId: purchase.subscriptionId,
      },
      properties: { $properties: event.id },
    },
    attribution,
  };
}

export function attributionData(
  reason: CreditReason,
  referral: Referral | null,
): Record<string, unknown> {
  return {
    status: referral ? 'attributed' : 'not_attributed',
    reason,
    referralId: referral?.id ?? null,
    programId: referral?.programId ?? null,
    referrer: referral ? party(referral.referrerParticipantId) : null,
    touchId: referral?.touchId ?? null,
    policyVersionId: referral?.policyVersionId ?? null,
  };
}

/** `data` of `referral.created`. */
export function referralData(referral: Referral): Record<string, unknown> {
  return {
    referral: {
      id: referral.id,
      programId: referral.programId,
      referrer: party(referral.referrerParticipantId),
      referee: party(referral.refereeParticipantId),
      bindingEventId: referral.bindingEventId,
      bindingSubscriptionFactId: referral.bindingSubscriptionFactId,
      boundAt: referral.selectedAt,
    },
  };
}
