import Type, { type Static } from 'typebox';
import {
  Enrollment,
  Participant,
  ReferralCode,
  ReferralLink,
} from '../../domain/participants/schema.ts';
import { Event, Referral } from '../../domain/tracking/event-schema.ts';

export const ParticipantDetail = Type.Object(
  {
    participant: Participant,
    enrollments: Type.Array(Enrollment),
    refCodes: Type.Array(ReferralCode),
    links: Type.Array(ReferralLink),
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
