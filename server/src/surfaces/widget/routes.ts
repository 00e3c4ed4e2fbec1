import type { UsageLog } from '../../accounts/workspaces/usage/usage-log.ts';
import { DEFAULT_CONFIG } from '../../domain/programs/program-config.ts';
import type { RecordNetwork } from '../../domain/risk/networks/record-network.ts';
import { PayoutDetails, PayoutDetailsIn } from '../../outbound/payouts/details/details-schema.ts';
import {
  saveParticipantDetails,
  showParticipantDetails,
} from '../../outbound/payouts/details/participant-details.ts';
import type { DetailsDeps } from '../../outbound/payouts/payout-deps.ts';
import { widgetRoute } from '../../platform/http/routes/public-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
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
  progress: [
    {
      ruleId: 'rul_01ka3m…',
      role: 'referrer',
      type: 'tiers',
      measure: 'referrals',
      window: 'all_time',
      benefitKind: 'cash',
      currency: null,
      currencyExponent: null,
      unitName: null,
      unitNamePlural: null,
      value: '3',
      current: { at: '0', reached: null, rateBps: 2000, fixedAmountMinor: null, quantity: null },
      next: { at: '5', missing: '2', rateBps: 2500, fixedAmountMinor: null, quantity: null },
    },
  ],
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

interface WidgetRouteDeps extends DetailsDeps, StartDeps {
  readonly usage: Pick<UsageLog, 'noteFirst'>;
  readonly recordNetwork: RecordNetwork;
}

export function widgetRoutes(deps: WidgetRouteDeps): Route[] {
  return [
    widgetRoute({
      method: 'POST',
      path: '/v1/widget/init',
      tag: TAG,
      summary: 'Start the Widget for the participant of the token',
      description:
        'Creates the participant, their enrollment and their code if these do not exist yet. Returns everything that the panel shows, except the Rewards.',
      scope: 'widget:read',
      body: InitWidget,
      answer: WidgetStart,
      refusals: [
        {
          code: 'NOT_FOUND',
          when: 'the Program belongs to another Project or is of another kind, or no Program is active',
        },
        { code: 'CONFLICT', reason: 'participant_deleted', when: 'the participant was erased' },
        {
          code: 'CONFLICT',
          reason: 'program_not_open',
          when: 'the Program does not accept new participants, and the participant has no code in it',
        },
        {
          code: 'CONFLICT',
          reason: 'enrollment_ended',
          when: 'the participant has left the Program',
        },
      ],
      example: { body: {}, answer: started },
      handle: async ({ request, project, caller, body, browser }) => {
        const answer = await startWidget(deps, project, request, {
          ...caller,
          programId: body.programId ?? null,
        });
        deps.usage.noteFirst(project.id, 'widget');
        await deps.recordNetwork(project, answer.participant.participantId, browser.ip);
        return answer;
      },
    }),
    widgetRoute({
      method: 'GET',
      path: '/v1/widget/rewards',
      tag: TAG,
      summary: 'List the Rewards of the token’s participant in a referral Program',
      description:
        'Newest first. The first page has a summary. For a participant that the Project does not have, the list is empty. This call does not create participants.',
      scope: 'widget:read',
      query: ListWidgetRewards,
      answer: WidgetRewards,
      refusals: [
        {
          code: 'NOT_FOUND',
          when: 'the Program belongs to another Project, or is not a referral Program',
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
      summary: 'Read the payout details of the token’s participant, masked',
      description:
        'Returns the details that were saved last. A participant that the Project does not have has no details. This call does not create participants.',
      scope: 'widget:read',
      answer: PayoutDetails,
      example: { answer: saved },
      handle: ({ project, caller }) => showParticipantDetails(deps, project, caller.participant),
    }),
    widgetRoute({
      method: 'PUT',
      path: '/v1/widget/payout-details',
      tag: TAG,
      summary: 'Save the payout details of the token’s participant',
      description:
        'Creates the participant if the Project does not have them. The first details take effect immediately. A change takes effect after 24 hours by the Project’s clock; until then, payouts use the previous details. Only the newest change counts. Saving the details that are in use cancels a pending change. Details are stored encrypted and only returned masked.',
      scope: 'widget:payout',
      body: Closed({ details: PayoutDetailsIn }),
      answer: PayoutDetails,
      refusals: [
        { code: 'CONFLICT', reason: 'participant_deleted', when: 'the participant was erased' },
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
