import type { Page } from 'playwright-core';

/** What the service would answer, for states that are hard to bring about. */
const REWARD = {
  role: 'referrer',
  referralId: 'ref_1',
  benefitKind: 'cash',
  money: { amountMinor: '1250', netAmountMinor: '1250', currency: 'USD', currencyExponent: 2 },
  discount: null,
  custom: null,
  action: null,
  date: '2026-11-15T09:30:00.000Z',
  availableAt: '2026-11-15T09:30:00.000Z',
  holdReason: null,
};
const seats = { quantity: 3, validityDays: 30, unitName: 'seat', unitNamePlural: 'seats' };
const other = { money: null, benefitKind: 'custom', custom: seats };

const ITEMS = [
  {
    status: 'on_hold',
    // By the clock of the Project, which may be any: whether that is to come is the service's to say.
    availableAt: '2020-02-20T12:00:00.000Z',
    holdReason: 'waiting_period',
    action: 'add_payout_method',
  },
  { status: 'on_hold', holdReason: 'review' },
  { status: 'pending', benefitKind: 'credit' },
  { status: 'processing', money: { ...REWARD.money, netAmountMinor: '1000' } },
  { status: 'paid' },
  { status: 'granted', ...other, role: 'referee' },
  { status: 'granted', money: null, benefitKind: 'discount', discount: { rateBps: 1_500 } },
  { status: 'failed', action: 'contact_support' },
  { status: 'cancelled' },
  { status: 'revoked', ...other },
].map((item, n) => ({ ...REWARD, ...item, id: `rwd_${n}` }));

export const EVERY_STATE = {
  summary: {
    referralCount: 7,
    rewardCount: 10,
    earned: [
      { currency: 'USD', currencyExponent: 2, netAmountMinor: '123450' },
      { currency: 'JPY', currencyExponent: 0, netAmountMinor: '1250' },
    ],
    latestRewardAt: REWARD.date,
  },
  items: ITEMS,
  nextCursor: null,
};

type Reply = { status: number; body: unknown } | 'silence';
/** By the method of the call, and when the test sees fit. */
type Replies = (method: string) => Reply | Promise<Reply>;

/** Answers in the service's place from now on; null lets the service answer again. */
export async function answer(
  page: Page,
  path: string,
  reply: Reply | Replies | null,
): Promise<void> {
  const matches = `**${path}*`;
  await page.unroute(matches);
  if (reply === null) return;
  await page.route(matches, async (route) => {
    const given = typeof reply === 'function' ? await reply(route.request().method()) : reply;
    if (given === 'silence') return;
    await route.fulfill({
      status: given.status,
      contentType: 'application/json',
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
      body: JSON.stringify(given.body),
    });
  });
}

export const REWARDS = '/v1/widget/rewards';
export const INIT = '/v1/widget/init';
export const DETAILS = '/v1/widget/payout-details';
