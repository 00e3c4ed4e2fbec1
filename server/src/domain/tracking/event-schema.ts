import Type, { type Static } from 'typebox';
import { cursorQuery, orderQuery } from '../../platform/http/routes/paging.ts';
import { ACCEPTED_MINOR_PATTERN } from '../../platform/kit/money.ts';
import {
  Closed,
  IdOf,
  InstantIn,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
  Text,
} from '../../platform/kit/schema.ts';
import { ATTRIBUTION_REASONS, REJECT_REASONS } from '../attribution/decide-attribution.ts';
import { CookieText } from '../attribution/schema.ts';
import { Kind, ParticipantRef } from '../participants/schema.ts';
import { EVENT_TYPE_PATTERN } from '../programs/schema.ts';

/** Who is credited with a decided Event, or why nobody is. Stored: never remove one. */
export const CREDIT_REASONS = [
  ...ATTRIBUTION_REASONS,
  'no_referral',
  'no_signup',
  'duplicate_invoice',
] as const;
export type CreditReason = (typeof CREDIT_REASONS)[number];

/** State of an Event. Stored: never remove one. */
export const PROCESSING_REASONS = [
  ...CREDIT_REASONS,
  'awaiting_attribution',
  'retry_scheduled',
  'attempts_exhausted',
] as const;
export type ProcessingReason = (typeof PROCESSING_REASONS)[number];

/** Why a code that was sent with a fact was not accepted. Stored with answers: never remove one. */
const REF_CODE_REASONS = [
  'empty',
  'too_long',
  'unknown',
  'not_a_signup',
  ...REJECT_REASONS,
] as const;
export type RefCodeReason = (typeof REF_CODE_REASONS)[number];

export const PROPERTIES_MAX = 50;
const Scalar = Type.Union([
  Type.String({ maxLength: 1024 }),
  Type.Number(),
  Type.Boolean(),
  Type.Null(),
]);

export const PurchaseIn = Closed(
  {
    amountMinor: Type.String({
      pattern: ACCEPTED_MINOR_PATTERN,
      description: 'The amount paid after discounts, without tax. Rewards are computed from it.',
    }),
    currency: Type.String({ pattern: '^[A-Za-z]{3}$' }),
    currencyExponent: Opt(Type.Integer({ minimum: 0, maximum: 4 })),
    taxAmountMinor: Opt(Type.String({ pattern: ACCEPTED_MINOR_PATTERN })),
    orderId: Opt(Text(1, 255)),
    invoiceId: Opt(
      Text(
        1,
        255,
        'An invoice earns once per participant and currency, even if several Events report it.',
      ),
    ),
    subscriptionId: Opt(Text(1, 255)),
    billingReason: Opt(
      OneOf(['one_time', 'subscription_create', 'subscription_cycle', 'subscription_update']),
    ),
  },
  { title: 'PurchaseIn' },
);
export type PurchaseIn = Static<typeof PurchaseIn>;

export const TrackEvent = Closed({
  sourceNamespaceId: Text(1, 512, 'The id that was returned when you registered the source.'),
  type: Type.String({
    pattern: EVENT_TYPE_PATTERN,
    description: '`signup`, `purchase`, or a type that starts with `custom_`.',
  }),
  participant: ParticipantRef,
  actor: Opt(ParticipantRef),
  identify: Opt(
    Closed({
      handle: CookieText,
    }),
  ),
  refCode: Opt(Type.String({ description: 'A code or slug that the person typed in.' })),
  sourceEventId: Opt(Text(1, 255, 'Your id of the fact. Required, except for signups.')),
  occurredAt: Opt(InstantIn),
  purchase: Opt(PurchaseIn),
  properties: Opt(
    Type.Record(Type.String({ pattern: '^[^\\n\\r\\u2028\\u2029]{1,64}$' }), Scalar, {
      maxProperties: PROPERTIES_MAX,
      additionalProperties: false,
    }),
  ),
});
export type TrackEvent = Static<typeof TrackEvent>;

/** Fields of an Event that a visitor controls: invalid values never fail it. */
export const VISITOR_TEXT = ['identify.handle', 'refCode'] as const;

export const TrackAnswer = Type.Object(
  {
    success: Type.Literal(true),
    identified: Type.Boolean({
      description: 'Whether the handle in this call now belongs to this participant.',
    }),
    identifyReason: Nullable(OneOf(['not_a_handle', 'handle_already_identified'])),
    eventId: Type.String(),
    participantId: Type.String(),
    processingState: OneOf(['pending', 'processed', 'failed']),
    processingReason: OneOf(PROCESSING_REASONS),
    attribution: Nullable(
      Type.Object({
        referralId: Type.String(),
        programId: Type.String(),
        referrerParticipantId: Type.String(),
        touchId: Type.String(),
      }),
    ),
    refCode: Nullable(
      Type.Object({
        accepted: Type.Boolean({
          description: 'Whether the code was applied, or will apply when the subscription starts.',
        }),
        reason: Nullable(
          OneOf(REF_CODE_REASONS, {
            description: 'Why the code was not accepted; null if it was.',
          }),
        ),
      }),
    ),
  },
  { title: 'TrackAnswer' },
);
export type TrackAnswer = Static<typeof TrackAnswer>;

export const Event = Type.Object(
  {
    id: Type.String(),
    createdAt: InstantOut,
    updatedAt: InstantOut,
    projectId: Type.String(),
    participantId: Type.String(),
    type: Type.String(),
    actorParticipantId: Nullable(Type.String()),
    sourceNamespaceId: Type.String(),
    sourceEventId: Type.String({
      description:
        'Your id of the fact; `signup:<participantId>` for a signup that was sent without an id.',
    }),
    occurredAt: InstantOut,
    receivedAt: InstantOut,
    normalizedFacts: Type.Record(Type.String(), Type.Unknown()),
    factsHash: Type.String(),
    processingState: OneOf(['pending', 'processed', 'failed']),
    processingReason: OneOf(PROCESSING_REASONS),
    attemptCount: Type.Integer(),
    nextAttemptAt: Nullable(InstantOut),
  },
  { title: 'Event' },
);
export type Event = Static<typeof Event>;

export const Referral = Type.Object(
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
export type Referral = Static<typeof Referral>;

const eventFilters = {
  participantId: Type.Optional(IdOf('participant', 'Only Events of this participant.')),
  type: Type.Optional(
    Text(1, 64, 'Only Events of this type: `signup`, `purchase` or a custom type.'),
  ),
  processingState: Type.Optional(OneOf(['pending', 'processed', 'failed'])),
};

export const CountEvents = Type.Object(eventFilters);
export type CountEvents = Static<typeof CountEvents>;

export const ListEvents = Type.Object({
  ...eventFilters,
  ...orderQuery,
  offset: Type.Optional(
    Type.String({
      pattern: '^(0|[1-9][0-9]*)$',
      description: '`nextOffset` of the previous page. Not with filters or `order=asc`.',
    }),
  ),
  cursor: cursorQuery.cursor,
});
export type ListEvents = Static<typeof ListEvents>;

const Side = Type.Object({
  participantId: Type.String(),
  kind: Kind,
  externalId: Nullable(Type.String({ description: 'Null for a partner.' })),
});

export const ListedReferral = Type.Object(
  { ...Referral.properties, referrer: Side, referee: Side },
  { title: 'ListedReferral' },
);
export type ListedReferral = Static<typeof ListedReferral>;

const referralFilters = {
  programId: Type.Optional(IdOf('program')),
  referrerParticipantId: Type.Optional(IdOf('participant')),
  refereeParticipantId: Type.Optional(IdOf('participant')),
};

export const CountReferrals = Type.Object(referralFilters);
export type CountReferrals = Static<typeof CountReferrals>;

export const ListReferrals = Type.Object({ ...referralFilters, ...orderQuery, ...cursorQuery });
export type ListReferrals = Static<typeof ListReferrals>;
