import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/platform/kit/instant.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { startService, type TestService } from '../harness.ts';
import { MemoryRewards } from '../memory-rewards.ts';
import { openRewardShop, type RewardShop } from '../reward-shop.ts';
import { sample } from '../rounds.ts';

const credits = new MemoryRewards('stripe_balance');
const coupons = new MemoryRewards('stripe_coupon');
const providers = { credit: credits, discount: coupons };
type Kind = keyof typeof providers;

let service: TestService;
beforeAll(async () => {
  service = await startService({ rewardProviders: [credits, coupons] });
});
afterAll(() => service.close());
beforeEach(() => {
  credits.connected.clear();
  coupons.connected.clear();
});

/**
 * Where a Reward of 500, or a coupon, can be when things begin to happen to it.
 * held: on hold · waiting: for an account · lost: sent, and not done · done: sent and done, and
 * nobody heard of it · failed · delivered.
 */
const STATES = ['held', 'waiting', 'lost', 'done', 'failed', 'delivered'] as const;
type State = (typeof STATES)[number];

/**
 * What happens: V void, F full refund, H half refund, R restoration of the full refund, D dispute,
 * W dispute won. Of what was refunded whole nothing is left to dispute; a refund settles a dispute.
 */
const STORIES = [
  ['', 'V', 'F', 'H', 'D', 'FR', 'DW'],
  ['VF', 'FV', 'VD', 'DV', 'FD', 'DF', 'HV', 'VH'],
  ['VFD', 'VDF', 'FVD', 'FDV', 'DVF', 'DFV', 'DWV', 'FRV', 'VFR', 'VDW'],
].flatMap((stories) => sample(stories, 1));

/**
 * How the Reward ends, and what its beneficiary has of it then; if that differs, first when all
 * happens at once, then when it is worked on in between. `*` is for every story not named.
 */
const ENDS: Readonly<Record<Kind, Readonly<Record<State, Readonly<Record<string, string>>>>>> = {
  credit: {
    held: {
      '': 'fulfilled 500',
      H: 'fulfilled 250',
      FR: 'fulfilled 500',
      D: 'pending 0',
      DW: 'fulfilled 500',
      '*': 'cancelled 0',
    },
    waiting: {
      '': 'fulfilled 500',
      H: 'fulfilled 250',
      FR: 'fulfilled 500',
      D: 'pending 0',
      DW: 'fulfilled 500',
      '*': 'cancelled 0',
    },
    lost: {
      '': 'fulfilled 500',
      H: 'fulfilled 250',
      FR: 'fulfilled 500',
      D: 'pending 0',
      DW: 'fulfilled 500',
      HV: 'cancelled 0 | revoked 0',
      FRV: 'cancelled 0 | revoked 0',
      DWV: 'cancelled 0 | revoked 0',
      '*': 'cancelled 0',
    },
    done: {
      '': 'fulfilled 500',
      H: 'fulfilled 250',
      F: 'fulfilled 0',
      D: 'fulfilled 0',
      FD: 'fulfilled 0',
      DF: 'fulfilled 0',
      FR: 'fulfilled 500',
      DW: 'fulfilled 500',
      '*': 'revoked 0',
    },
    failed: {
      '': 'failed 0',
      H: 'failed 0',
      D: 'failed 0',
      DW: 'failed 0',
      // Cancelled, and owed again: it waits as if it were new.
      FR: 'fulfilled 500',
      FRV: 'cancelled 0 | revoked 0',
      '*': 'cancelled 0',
    },
    delivered: {
      '': 'fulfilled 500',
      H: 'fulfilled 250',
      F: 'fulfilled 0',
      D: 'fulfilled 0',
      FD: 'fulfilled 0',
      DF: 'fulfilled 0',
      FR: 'fulfilled 500',
      DW: 'fulfilled 500',
      '*': 'revoked 0',
    },
  },
  discount: {
    held: {
      '': 'fulfilled 1',
      H: 'fulfilled 1',
      D: 'pending 0',
      DW: 'fulfilled 1',
      FR: 'fulfilled 1',
      '*': 'cancelled 0',
    },
    waiting: {
      '': 'fulfilled 1',
      H: 'fulfilled 1',
      D: 'pending 0',
      DW: 'fulfilled 1',
      FR: 'fulfilled 1',
      '*': 'cancelled 0',
    },
    lost: {
      '': 'fulfilled 1',
      H: 'fulfilled 1',
      D: 'pending 0',
      DW: 'fulfilled 1',
      HV: 'cancelled 0 | revoked 0',
      DWV: 'cancelled 0 | revoked 0',
      FR: 'fulfilled 1',
      FRV: 'cancelled 0 | revoked 0',
      '*': 'cancelled 0',
    },
    done: {
      '': 'fulfilled 1',
      H: 'fulfilled 1',
      D: 'fulfilled 1',
      DW: 'fulfilled 1',
      FR: 'fulfilled 1 | revoked 0',
      '*': 'revoked 0',
    },
    failed: {
      '': 'failed 0',
      H: 'failed 0',
      D: 'failed 0',
      DW: 'failed 0',
      // Cancelled, and owed again: it waits as if it were new.
      FR: 'fulfilled 1',
      FRV: 'cancelled 0 | revoked 0',
      '*': 'cancelled 0',
    },
    delivered: {
      '': 'fulfilled 1',
      H: 'fulfilled 1',
      D: 'fulfilled 1',
      DW: 'fulfilled 1',
      FR: 'fulfilled 1 | revoked 0',
      '*': 'revoked 0',
    },
  },
};

interface Told {
  readonly story: string;
  readonly who: string;
  readonly id: string;
}

const FAULTS = { lost: 'lost_order', done: 'lost_answer', failed: 'rejected' } as const;
const REACHED: Readonly<Record<State, string>> = {
  held: 'pending hold_period',
  waiting: 'pending awaiting_billing_account',
  lost: 'in_progress provider_pending',
  done: 'in_progress provider_pending',
  failed: 'failed provider_rejected',
  delivered: 'fulfilled null',
};

/** A full refund voids a discount, until it is restored; a call's void stays, and replaces a refund's. */
function countVoids(kind: Kind, story: string): number {
  let voidedBy = '';
  let count = 0;
  for (const what of story) {
    if (what === 'R' && voidedBy === 'F') voidedBy = '';
    const isVoided = what === 'V' || (what === 'F' && kind === 'discount' && voidedBy === '');
    if (!isVoided || voidedBy === 'V') continue;
    voidedBy = what;
    count += 1;
  }
  return count;
}

/** Somebody for each story, with a Reward of their own in that state. */
async function bring(shop: RewardShop, kind: Kind, state: State): Promise<Told[]> {
  if (state === 'held') await shop.setDelivery({ holdDays: 7 });
  const all: Told[] = [];
  for (const [index, story] of STORIES.entries()) {
    const who = `p${index}`;
    const id = await shop.earnBy(kind, who);
    if (state !== 'waiting') await shop.bill(`cus_${id}`, who);
    all.push({ story, who, id });
    if (state in FAULTS) providers[kind].fault(FAULTS[state as keyof typeof FAULTS]);
  }
  await service.deliverRewards();
  for (const { id } of all) {
    const { fulfillmentStatus, delivery } = await shop.reward(id);
    expect(`${fulfillmentStatus} ${delivery.reason}`).toBe(REACHED[state]);
  }
  return all;
}

async function happen(shop: RewardShop, what: string, { who, id }: Told): Promise<void> {
  const { status } = await {
    V: () => shop.voidReward(id),
    F: () => shop.adjust('refund', who, '1000'),
    H: () => shop.adjust('refund', who, '500'),
    R: () => shop.adjust('restoration', who, '1000', { restores: `refund-${who}` }),
    D: () => shop.adjust('dispute', who, '1000'),
    W: () =>
      shop.adjust('restoration', who, '1000', {
        sourceEventId: `won-${who}`,
        restores: `dispute-${who}`,
      }),
  }[what as 'V']();
  expect([200, 409]).toContain(status);
}

describe.each(['credit', 'discount'] as const)('a %s, whatever happens to it', (kind) => {
  describe.each(STATES)('when it is %s', (state) => {
    test.each([
      ['at once', 0],
      ['and is worked on in between', 2 * MINUTE_MS],
    ])('%s', async (_, pauseMs) => {
      const connect = (projectId: string) => {
        credits.connected.add(projectId);
        coupons.connected.add(projectId);
      };
      const shop = await openRewardShop(service, connect, [kind], 'referee');
      const all = await bring(shop, kind, state);
      for (let at = 0; all.some(({ story }) => story.length > at); at += 1) {
        for (const told of all) {
          const what = told.story[at];
          if (what) await happen(shop, what, told);
        }
        service.clock.advance(pauseMs);
        if (pauseMs > 0) await service.deliverRewards();
      }
      for (const { who, id } of all) if (state === 'waiting') await shop.bill(`cus_${id}`, who);
      // The hold ends; then what waits, and what that leads to, comes due.
      for (const days of [8, 1, 1]) {
        service.clock.advance(days * DAY_MS);
        await service.deliverRewards();
      }
      const feed = await shop.feed();
      const ends = ENDS[kind][state];
      const found: Record<string, string> = {};
      for (const { story, id } of all) {
        const { fulfillmentStatus: status } = await shop.reward(id);
        found[story] = `${status} ${providers[kind].has(id)}`;
        const orders = [...providers[kind].done.values()].filter((one) => one.rewardId === id);
        const grants = orders.filter(({ step }) => step === 'grant').length;
        const isGranted = ['fulfilled', 'revoked'].includes(status);
        expect([story, grants]).toEqual([story, isGranted ? 1 : 0]);
        const count = (type: string) =>
          feed.filter((one) => one.type === type && one.data.reward.id === id).length;
        expect([story, count('reward.fulfilled')]).toEqual([story, grants]);
        expect([story, count('reward.voided')]).toEqual([story, countVoids(kind, story)]);
        expect([story, count('reward.revoked')]).toEqual([story, status === 'revoked' ? 1 : 0]);
      }
      expect(found).toEqual(
        Object.fromEntries(
          STORIES.map((story) => {
            const [atOnce, between = atOnce] = (ends[story] ?? ends['*'] ?? '').split(' | ');
            return [story, pauseMs === 0 ? atOnce : between];
          }),
        ),
      );
      const { kept } = await verifyProject(service.database, shop.project.projectId);
      expect(kept).toEqual([]);
    });
  });
});
