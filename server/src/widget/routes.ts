import { type Route, widgetRoute } from '../http/route.ts';
import { Closed } from '../kit/schema.ts';
import type { DetailsDeps } from '../payouts/details-deps.ts';
import { PayoutDetails, PayoutDetailsIn } from '../payouts/details-schema.ts';
import { saveParticipantDetails, showParticipantDetails } from '../payouts/participant-details.ts';

const TAG = 'Widget';
const saved: PayoutDetails = {
  configured: true,
  type: 'bank',
  label: 'GB•• •••• 6819',
  country: 'GB',
  currency: 'GBP',
  status: 'active',
  updatedAt: '2026-11-15T09:30:00.000Z',
  onboardingUrl: null,
};

export function widgetRoutes(deps: DetailsDeps): Route[] {
  return [
    widgetRoute({
      method: 'GET',
      path: '/v1/widget/payout-details',
      tag: TAG,
      summary: 'Read where the participant of the token is paid, masked',
      description:
        'What they saved last. Somebody whom the Project does not have has nothing saved, and is not made by this.',
      scope: 'widget:read',
      answer: PayoutDetails,
      example: { answer: saved },
      handle: ({ project, caller }) => showParticipantDetails(deps, project, caller.participant),
    }),
    widgetRoute({
      method: 'PUT',
      path: '/v1/widget/payout-details',
      tag: TAG,
      summary: 'Save where the participant of the token is to be paid',
      description:
        'Makes the participant if the Project did not have them. The first details are used at once. A change is used 24 hours later, by the Project’s clock, and until then payouts go to what was there before; the newest change counts, and saving what is in use calls a change off. Details are kept encrypted and come back masked only.',
      scope: 'widget:payout',
      body: Closed({ details: PayoutDetailsIn }),
      answer: PayoutDetails,
      refusals: [
        {
          code: 'CONFLICT',
          reason: 'participant_deleted',
          when: 'the participant was erased',
        },
      ],
      example: {
        body: {
          details: {
            type: 'bank',
            holderName: 'Ada Lovelace',
            country: 'GB',
            currency: 'GBP',
            iban: 'GB29 NWBK 6016 1331 9268 19',
          },
        },
        answer: saved,
      },
      handle: ({ request, project, caller, body }) =>
        saveParticipantDetails(deps, request, project, caller.participant, body.details),
    }),
  ];
}
