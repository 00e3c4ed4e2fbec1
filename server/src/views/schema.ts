import Type, { type Static } from 'typebox';
import { InstantOut, Nullable, OneOf } from '../kit/schema.ts';
import { Enrollment, Participant, ReferralCode, ReferralLink } from '../participants/schema.ts';

const Referral = Type.Object(
  {
    id: Type.String(),
    createdAt: InstantOut,
    updatedAt: InstantOut,
    projectId: Type.String(),
    referrerParticipantId: Type.String(),
    refereeParticipantId: Type.String(),
    enrollmentId: Type.String(),
    programId: Type.String(),
    touchId: Type.String(),
    bindingEventId: Nullable(Type.String()),
    bindingSubscriptionFactId: Nullable(Type.String()),
    bindingOccurredAt: InstantOut,
    selectedAt: InstantOut,
    policyVersionId: Type.String(),
  },
  { title: 'Referral' },
);

const Event = Type.Object(
  {
    id: Type.String(),
    createdAt: InstantOut,
    updatedAt: InstantOut,
    projectId: Type.String(),
    participantId: Type.String(),
    type: Type.String({ description: '`signup`, `purchase`, or a type that starts `custom_`.' }),
    actorParticipantId: Nullable(Type.String()),
    sourceNamespaceId: Type.String(),
    sourceEventId: Nullable(Type.String()),
    occurredAt: InstantOut,
    receivedAt: InstantOut,
    normalizedFacts: Type.Record(Type.String(), Type.Unknown()),
    factsHash: Type.String(),
    processingState: OneOf(['pending', 'processed', 'failed']),
    processingReason: Type.String(),
    attemptCount: Type.Integer(),
    nextAttemptAt: Nullable(InstantOut),
  },
  { title: 'Event' },
);

export const ParticipantDetail = Type.Object(
  {
    participant: Participant,
    enrollments: Type.Array(Enrollment),
    refCodes: Type.Array(ReferralCode),
    links: Type.Array(ReferralLink),
    referredBy: Type.Union([Referral, Type.Null()], {
      description: 'The Referral that names it as the referee.',
    }),
    referrals: Type.Array(Referral, { description: 'As the referrer, the 50 newest.' }),
    events: Type.Array(Event, { description: 'The 50 newest.' }),
  },
  { title: 'ParticipantDetail' },
);
export type ParticipantDetail = Static<typeof ParticipantDetail>;
