import { DEFAULT_CONFIG } from '../../domain/programs/program-config.ts';
import type { DetailsDeps } from '../../outbound/payouts/details/details-deps.ts';
import { PayoutDetails, PayoutDetailsIn } from '../../outbound/payouts/details/details-schema.ts';
import {
  saveParticipantDetails,
  showParticipantDetails,
} from '../../outbound/payouts/details/participant-details.ts';
import { type Route, widgetRoute } from '../../platform/http/routes/route.ts';
import { Closed } from '../../platform/kit/schema.ts';
import { listWidgetRewards } from './list-rewards.ts';
import { InitWidget, ListWidgetRewards, WidgetRewards, WidgetStart } from './schema.ts';
import { type StartDeps, startWidget } from './start-widget.ts';

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

const started: WidgetStart = {
  program: { id: 'prg_01ka3m…', name: 'Invite a friend', kind: 'referral', status: 'active' },
  config: {
    ...DEFAULT_CONFIG,
    brandConfig: { ...DEFAULT_CONFIG.brandConfig, landingPageUrl: 'https://example.com/join' },
    widgetConfig: {
      ...DEFAULT_CONFIG.widgetConfig,
      referralLink: 'https://referrals.example.com/l/k7m2/ada4x9q2',
    },
  },
  participant: {
    participantId: 'par_01ka3m…',
    kind: 'individual',
    externalId: 'user-42',
  },
  referral: { code: 'ada4x9q2', link: 'https://referrals.example.com/l/k7m2/ada4x9q2' },
  payout: { required: true, configured: false, editable: true, types: ['paypal', 'wise', 'bank'] },
};
const listed: WidgetRewards = {
  summary: {
    referralCount: 3,
    rewardCount: 4,
    earned: [{ currency: 'USD', currencyExponent: 2, netAmountMinor: '4000' }],
    latestRewardAt: '2026-11-15T09:30:00.000Z',
  },
  items: [
    {
      id: 'rwd_01ka3m…',
      date: '2026-11-15T09:30:00.000Z',
      role: 'referrer',
      referralId: 'ref_01ka3m…',
      benefitKind: 'cash',
      money: {
        amountMinor: '1000',
        netAmountMinor: '1000',
        currency: 'USD',
        currencyExponent: 2,
      },
      discount: null,
      custom: null,
      status: 'on_hold',
      action: 'add_payout_method',
      availableAt: '2026-11-29T09:30:00.000Z',
      holdReason: 'waiting_period',
    },
  ],
  nextCursor: null,
};

export function widgetRoutes(deps: DetailsDeps & StartDeps): Route[] {
  return [
    widgetRoute({
      method: 'POST',
      path: '/v1/widget/init',
      tag: TAG,
      summary: 'Begin to show the panel to the participant of the token',
      description:
        'Makes the participant, enrolls them and gives them a code, whatever of it is not there yet, and answers with all that the panel shows but for the Rewards.',
      scope: 'widget:read',
      body: InitWidget,
      answer: WidgetStart,
      refusals: [
        {
          code: 'NOT_FOUND',
          when: 'the Program is of another Project or of another kind, or none is active',
        },
        { code: 'CONFLICT', reason: 'participant_deleted', when: 'the participant was erased' },
        {
          code: 'CONFLICT',
          reason: 'program_not_open',
          when: 'the Program takes nobody new, and they have no code in it',
        },
        { code: 'CONFLICT', reason: 'enrollment_ended', when: 'they have left the Program' },
      ],
      example: { body: {}, answer: started },
      handle: ({ request, project, caller, body }) =>
        startWidget(deps, project, request, { ...caller, programId: body.programId ?? null }),
    }),
    widgetRoute({
      method: 'GET',
      path: '/v1/widget/rewards',
      tag: TAG,
      summary: 'List what the participant of the token earned in a referral Program',
      description:
        'Newest first. The first page has a summary. Somebody whom the Project does not have earned nothing, and is not made by this.',
      scope: 'widget:read',
      query: ListWidgetRewards,
      answer: WidgetRewards,
      refusals: [
        {
          code: 'NOT_FOUND',
          when: 'the Program is of another Project, or not of kind referral',
        },
      ],
      example: { answer: listed },
      handle: ({ project, caller, query }) =>
        listWidgetRewards(deps, project, caller.participant, query),
    }),
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
        saveParticipantDetails(deps, request, project, {
          participant: caller.participant,
          details: body.details,
        }),
    }),
  ];
}
