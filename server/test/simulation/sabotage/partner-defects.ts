import type { Defect } from './defects.ts';

/** Of partners, and of their suspension. */
export const OF_PARTNERS: readonly Defect[] = [
  {
    name: 'the code of a suspended partner goes on referring',
    edits: [
      {
        file: 'domain/tracking/decide/attribute.ts',
        from: 'isThere(view, referrerId) && !isSuspended(view, referrerId),',
        to: 'isThere(view, referrerId),',
      },
    ],
  },
  {
    name: 'a suspended partner goes on earning',
    edits: [
      {
        file: 'domain/rewards/decide/earn-rewards.ts',
        from: "if (sides.isReferrerSuspended) return skip('referrer_unavailable');",
        to: '',
      },
    ],
  },
  {
    name: 'a click on the link of a suspended partner counts',
    edits: [
      {
        file: 'domain/participants/names/queries.ts',
        from: 'enrolled.is_enrolled and p.suspended_at is null as',
        to: 'enrolled.is_enrolled as',
      },
    ],
  },
  {
    name: 'a partner who is reinstated stays suspended',
    edits: [
      {
        file: 'domain/partners/suspend-partner.ts',
        from: "if (partner) setSuspended(write, place.participantId, partner.status === 'suspended');",
        to: 'if (partner) setSuspended(write, place.participantId, true);',
      },
    ],
  },
  {
    name: 'an erasure leaves what a partner has applied with',
    edits: [
      {
        file: 'surfaces/privacy/erase-participant.ts',
        from: '    erasePartnerApplications,\n    eraseParticipantDetails,',
        to: '    eraseParticipantDetails,',
      },
    ],
  },
];
