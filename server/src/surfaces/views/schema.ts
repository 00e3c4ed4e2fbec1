import Type, { type Static } from 'typebox';
import {
  Enrollment,
  Kind,
  Participant,
  ProgramStart,
  ReferralCode,
  ReferralLink,
} from '../../domain/participants/schema.ts';
import { Event, Referral } from '../../domain/tracking/event-schema.ts';
import { InstantOut, Nullable, OneOf, Text } from '../../platform/kit/schema.ts';

export const ParticipantDetail = Type.Object(
  {
    participant: Participant,
    enrollments: Type.Array(Enrollment),
    refCodes: Type.Array(ReferralCode),
    links: Type.Array(ReferralLink),
    startingMeasures: Type.Array(ProgramStart, {
      description: 'What imports carried over, by Program.',
    }),
    referredBy: Type.Union([Referral, Type.Null()], {
      description: 'The Referral that names it as the referee.',
    }),
    referrals: Type.Array(Referral, {
      description: 'The 50 newest Referrals with the participant as referrer.',
    }),
    events: Type.Array(Event, { description: 'The 50 newest Events.' }),
  },
  { title: 'ParticipantDetail' },
);
export type ParticipantDetail = Static<typeof ParticipantDetail>;

const UnitTotals = Type.Object(
  {
    customUnitId: Type.String(),
    unitKey: Type.String(),
    name: Type.String(),
    namePlural: Type.String(),
    rewardCount: Type.Integer(),
    earnedQuantity: Type.Integer({ description: 'The sum of the three below.' }),
    fulfilledQuantity: Type.Integer(),
    pendingQuantity: Type.Integer({ description: 'Not granted yet, including failed deliveries.' }),
    voidedQuantity: Type.Integer({ description: 'Cancelled, taken back, or to be taken back.' }),
  },
  { title: 'UnitTotals' },
);

export const ProgramSummary = Type.Object(
  {
    enrollments: Type.Integer({ description: 'Enrollments that are active now.' }),
    referrals: Type.Integer({ description: 'All Referrals ever bound.' }),
    earnedRewards: Type.Integer({ description: 'All Rewards ever earned, in any status.' }),
    customTotals: Type.Array(UnitTotals, {
      description: 'Totals for each unit that was ever earned, oldest unit first.',
    }),
  },
  { title: 'ProgramSummary' },
);
export type ProgramSummary = Static<typeof ProgramSummary>;

const ATTENTION_KINDS = [
  'rewards_to_grant',
  'rewards_to_take_back',
  'rewards_failed',
  'risk_reviews_open',
  'payout_batches_to_approve',
  'payout_batches_to_submit',
  'payouts_unanswered',
  'partner_applications',
  'webhook_deliveries_failed',
  'webhook_deliveries_retrying',
  'stripe_events_parked',
  'events_failed',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

export const Attention = Type.Object(
  {
    kind: OneOf(ATTENTION_KINDS),
    count: Type.Integer({ minimum: 1, maximum: 100 }),
    isMore: Type.Boolean({ description: 'Whether there are more than `count`.' }),
    list: Type.Object(
      {
        path: Type.String({ description: 'The route that lists them, with ids filled in.' }),
        query: Type.Record(Type.String(), Type.String(), {
          description:
            'The query parameters that select exactly these items, in addition to `projectId`.',
        }),
      },
      { title: 'AttentionList' },
    ),
    endpoint: Nullable(
      Type.Object(
        { id: Type.String(), url: Type.String() },
        { title: 'AttentionEndpoint', description: 'The webhook endpoint concerned.' },
      ),
    ),
  },
  { title: 'Attention' },
);
export type Attention = Static<typeof Attention>;

export const NamedParticipant = Type.Object(
  {
    participantId: Type.String(),
    kind: Kind,
    externalId: Nullable(Type.String({ description: 'Null for a partner.' })),
    name: Nullable(Type.String({ description: 'For a partner, the name in the application.' })),
    partnerId: Nullable(Type.String()),
    deletedAt: Nullable(InstantOut),
  },
  { title: 'NamedParticipant' },
);
export type NamedParticipant = Static<typeof NamedParticipant>;

export const NAMES_MAX = 100;

export const NamesQuery = Type.Object({
  ids: Type.String({
    pattern: `^[^,\\s]{1,64}(,[^,\\s]{1,64}){0,${NAMES_MAX - 1}}$`,
    description: `Ids of participants, separated by commas; at most ${NAMES_MAX}.`,
  }),
});

const FOUND_TYPES = [
  'participant',
  'referral_code',
  'referral_link',
  'referral',
  'event',
  'reward',
  'program',
  'payout',
  'payout_batch',
  'partner_application',
  'webhook_endpoint',
] as const;

export const SearchQuery = Type.Object({
  q: Text(
    1,
    512,
    'The beginning of a name (of any of its words), of an e-mail address, of your own id of a participant, of a code or of a slug; or an id of this service, a billing id, or a source’s id of an Event (including `signup:<participantId>`). Surrounding white space is ignored.',
  ),
});

export const Found = Type.Object(
  {
    type: OneOf(FOUND_TYPES),
    id: Type.String(),
    label: Type.String({ description: 'The name of the result.' }),
    detail: Nullable(
      Type.String({ description: 'Additional text to distinguish it from similar results.' }),
    ),
    participantId: Nullable(Type.String({ description: 'The participant it belongs to.' })),
    participant: Nullable(NamedParticipant),
  },
  { title: 'Found' },
);
export type Found = Static<typeof Found>;
