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
    referrals: Type.Array(Referral, { description: 'As the referrer, the 50 newest.' }),
    events: Type.Array(Event, { description: 'The 50 newest.' }),
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
    pendingQuantity: Type.Integer({ description: 'Not given yet, failed deliveries included.' }),
    voidedQuantity: Type.Integer({ description: 'Cancelled, taken back, or to be taken back.' }),
  },
  { title: 'UnitTotals' },
);

export const ProgramSummary = Type.Object(
  {
    enrollments: Type.Integer({ description: 'Active now.' }),
    referrals: Type.Integer({ description: 'All there ever were.' }),
    earnedRewards: Type.Integer({ description: 'All there ever were, whatever became of them.' }),
    customTotals: Type.Array(UnitTotals, {
      description: 'Of each unit that was ever earned, the oldest unit first.',
    }),
  },
  { title: 'ProgramSummary' },
);
export type ProgramSummary = Static<typeof ProgramSummary>;
