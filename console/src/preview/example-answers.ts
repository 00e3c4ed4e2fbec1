import type { Answer } from '../api/client.ts';
import type { PreviewState } from './message.ts';

type Start = Answer<'/v1/widget/init', 'post'>;
type Rewards = Answer<'/v1/widget/rewards'>;
type Item = Rewards['items'][number];

const CODE = 'ada-friends';

/** The service's response for a participant who has shared a few times. */
function exampleStart({ config, programName }: PreviewState, origin: string): Start {
  const link = `${origin}/l/example/${CODE}`;
  return {
    program: { id: 'prg_example', name: programName, kind: 'referral', status: 'active' },
    config: {
      schemaVersion: 1,
      brandConfig: { landingPageUrl: '', ...config.brandConfig },
      partnerApplicationsOpen: false,
      partnerLeaderboard: false,
      widgetConfig: {
        ...(config.widgetConfig as Start['config']['widgetConfig']),
        referralLink: link,
      },
    },
    participant: { participantId: 'par_example', kind: 'individual', externalId: 'ada' },
    referral: { code: CODE, link },
    payout: { required: false, configured: false, editable: false, types: [] },
    progress: [],
  };
}

const DAY_MS = 86_400_000;

function exampleRewards(nowMs: number): Rewards {
  const ago = (days: number) => new Date(nowMs - days * DAY_MS).toISOString();
  const reward = (id: string, days: number, part: Partial<Item>): Item => ({
    id,
    date: ago(days),
    role: 'referrer',
    referralId: 'ref_example',
    benefitKind: 'credit',
    money: { amountMinor: '1000', netAmountMinor: '1000', currency: 'USD', currencyExponent: 2 },
    discount: null,
    custom: null,
    status: 'granted',
    action: null,
    holdReason: null,
    availableAt: ago(days),
    ...part,
  });
  return {
    summary: {
      referralCount: 3,
      rewardCount: 3,
      earned: [{ currency: 'USD', currencyExponent: 2, netAmountMinor: '2000' }],
      latestRewardAt: ago(1),
    },
    items: [
      reward('rwd_3', 1, { status: 'pending', holdReason: 'waiting_period' }),
      reward('rwd_2', 9, {}),
      reward('rwd_1', 30, { benefitKind: 'discount', money: null, discount: { rateBps: 2000 } }),
    ],
    nextCursor: null,
  };
}

/**
 * The response in place of the service's, as `[status, body]`; null if it is not a call of the API
 * and may be sent: the panel's texts.
 */
export function answerExample(
  path: string,
  state: PreviewState,
  origin: string,
  nowMs: number,
): readonly [number, unknown] | null {
  if (path.startsWith('/widget/')) return null;
  if (path === '/v1/widget/init') return [200, exampleStart(state, origin)];
  if (path === '/v1/widget/rewards') return [200, exampleRewards(nowMs)];
  return [404, { success: false, error: { code: 'NOT_FOUND' } }];
}
