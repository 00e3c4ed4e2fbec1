import Type, { type Static } from 'typebox';
import {
  Closed,
  InstantIn,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
  Text,
} from '../../platform/kit/schema.ts';
import { ATTRIBUTION_REASONS } from '../attribution/decide-attribution.ts';
import { ParticipantRef } from '../participants/schema.ts';
import { TrackAnswer } from './event-schema.ts';
import { Candidate } from './read/explanation.ts';

export const SUBSCRIPTION_CHANGES = [
  'started',
  'renewed',
  'changed',
  'cancelled',
  'ended',
] as const;

export const TrackSubscription = Closed({
  sourceNamespaceId: Text(1, 512, 'The id that was returned when you registered the source.'),
  sourceEventId: Text(1, 255, 'Your id of this fact.'),
  participant: ParticipantRef,
  subscriptionId: Text(1, 255),
  change: OneOf(SUBSCRIPTION_CHANGES),
  planKey: Opt(Text(1, 255)),
  periodStart: Opt(InstantIn),
  periodEnd: Opt(InstantIn),
  occurredAt: InstantIn,
});
export type TrackSubscription = Static<typeof TrackSubscription>;

export const SubscriptionFact = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    participantId: Type.String(),
    sourceNamespaceId: Type.String(),
    sourceEventId: Type.String(),
    subscriptionId: Type.String(),
    change: OneOf(SUBSCRIPTION_CHANGES),
    planKey: Nullable(Type.String()),
    periodStart: Nullable(InstantOut),
    periodEnd: Nullable(InstantOut),
    occurredAt: InstantOut,
    receivedAt: InstantOut,
    factsHash: Type.String(),
    reason: OneOf(ATTRIBUTION_REASONS, {
      description:
        '`attributed` if it bound a Referral, `not_applicable` if it cannot bind one. Otherwise why no candidate was chosen.',
    }),
    candidates: Type.Array(Candidate, {
      description: 'The candidates that were considered, with the verdict on each.',
    }),
  },
  { title: 'SubscriptionFact' },
);
export type SubscriptionFact = Static<typeof SubscriptionFact>;

export const SubscriptionAnswer = Type.Object(
  {
    success: Type.Literal(true),
    data: SubscriptionFact,
    attribution: TrackAnswer.properties.attribution,
  },
  { title: 'SubscriptionAnswer' },
);
export type SubscriptionAnswer = Static<typeof SubscriptionAnswer>;
