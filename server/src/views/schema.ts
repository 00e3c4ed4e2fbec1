import Type, { type Static } from 'typebox';
import { Enrollment, Participant, ReferralCode, ReferralLink } from '../participants/schema.ts';
import { Event, Referral } from '../tracking/event-schema.ts';

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
