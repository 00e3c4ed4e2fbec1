import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../api/errors.ts';
import { deliveryBody, holdOf, kindsOf, sayMethod } from './delivery.ts';
import { type Draft, faultOf, NEW_DRAFT, stepsOf } from './draft.ts';
import { planOf } from './plan.ts';
import {
  applyCurrency,
  applyKind,
  applyPreset,
  currencyOf,
  type Preset,
  presetsFor,
} from './presets.ts';
import { NO_PROGRESS, type Progress, runPlan, type Send } from './run-plan.ts';

const draft = (change: Partial<Draft> = {}): Draft => ({
  ...NEW_DRAFT,
  name: 'Invite',
  landingPageUrl: 'https://example.com/welcome',
  ...change,
});
const ids = (made: Draft, allowedOrigins: string[] | null = []) =>
  planOf(made, { allowedOrigins, environment: 'sandbox' }).map(({ id }) => id);

describe('the plan', () => {
  test('makes only what was asked for', () => {
    expect(ids(draft())).toEqual(['program', 'delivery', 'rule-referrer', 'origin', 'status']);
    expect(ids(draft({ activates: false, allowsOrigin: false }))).toEqual([
      'program',
      'delivery',
      'rule-referrer',
    ]);
    expect(ids(draft({ policy: { ...NEW_DRAFT.policy, windowDays: '30' } }), null)).toEqual([
      'program',
      'policy',
      'delivery',
      'rule-referrer',
      'status',
    ]);
  });

  test('an origin is added to those that are allowed, once', () => {
    const task = planOf(draft(), {
      allowedOrigins: ['https://a.example'],
      environment: 'sandbox',
    }).find(({ id }) => id === 'origin');
    expect(task?.body).toEqual({
      allowedOrigins: ['https://a.example', 'https://example.com'],
    });
    expect(ids(draft(), ['https://example.com'])).not.toContain('origin');
  });

  test('loyalty has no links, no policy and one side', () => {
    const loyal = draft({ kind: 'loyalty', policy: { ...NEW_DRAFT.policy, windowDays: '30' } });
    expect(ids(loyal)).toEqual(['program', 'delivery', 'rule-subject', 'status']);
    expect(planOf(loyal, { allowedOrigins: [], environment: 'sandbox' })[0]?.body).toEqual({
      kind: 'loyalty',
      name: 'Invite',
    });
    expect(stepsOf('loyalty')).not.toContain('links');
  });

  test('only an affiliate program is opened for applications', () => {
    expect(
      planOf(draft({ kind: 'affiliate' }), { allowedOrigins: [], environment: 'sandbox' })[0]?.body,
    ).toMatchObject({
      config: { partnerApplicationsOpen: true },
    });
    expect(planOf(draft(), { allowedOrigins: [], environment: 'sandbox' })[0]?.body).toEqual({
      kind: 'referral',
      name: 'Invite',
      config: { brandConfig: { landingPageUrl: 'https://example.com/welcome' } },
    });
  });

  test('every preset, in any currency, is an offer that the service takes', () => {
    for (const kind of ['referral', 'affiliate', 'loyalty'] as const) {
      for (const currency of ['USD', 'JPY', 'KWD']) {
        for (const preset of presetsFor(kind, currency)) {
          const chosen = applyPreset(draft({ kind }), preset);
          expect([preset.id, faultOf('earn', chosen, 'live')]).toEqual([preset.id, null]);
        }
      }
    }
  });

  test('a growing commission is one rule with steps', () => {
    const growing = presetsFor('affiliate', 'USD').find(({ id }) => id === 'growing');
    const task = planOf(applyPreset(draft({ kind: 'affiliate' }), growing as Preset), {
      allowedOrigins: [],
      environment: 'sandbox',
    }).find(({ id }) => id === 'rule-referrer');
    expect(task?.label).toContain('20% up to 4 customers, 25% from the 5th, 30% from the 20th.');
    expect(task?.body).toMatchObject({
      purpose: 'primary',
      terms: {
        calculation: 'percentage',
        tiers: { measure: 'referrals', steps: [{ from: '0' }, { from: '5' }, { from: '20' }] },
      },
    });
  });

  test('a mug for ten friends is a bonus, which a milestone has to be', () => {
    const mug = presetsFor('referral', 'USD').find(({ id }) => id === 'mug');
    const task = planOf(applyPreset(draft(), mug as Preset), {
      allowedOrigins: [],
      environment: 'sandbox',
    }).find(({ id }) => id === 'rule-referrer');
    expect(task?.label).toContain('gets 1 mug when they have brought 10 friends.');
    expect(task?.body).toMatchObject({
      eventType: 'signup',
      purpose: 'bonus',
      name: 'The person who invited gets 1 mug when they have brought 10 friends',
      terms: {
        calculation: 'milestone',
        unit: { key: 'mug' },
        quantity: 1,
        milestone: { measure: 'referrals', at: '10', repeat: false },
      },
    });
  });

  test('a preset leaves out the side that it does not name', () => {
    const [both, , one] = presetsFor('referral', 'USD');
    if (!both || !one) throw new Error('too few presets');
    const first = applyPreset(draft(), both);
    expect(ids(first)).toContain('rule-referee');
    expect(ids(applyPreset(first, one))).not.toContain('rule-referee');
  });
});

describe('how rewards reach people', () => {
  const cash = applyPreset(draft(), presetsFor('referral', 'USD')[2] as Preset);
  const credit = applyPreset(draft(), presetsFor('referral', 'USD')[0] as Preset);

  test('cash is paid in payouts unless another way is chosen, everything else by the product', () => {
    expect(deliveryBody(cash, 'sandbox')).toEqual({ holdDays: 0, cashMethod: 'payout' });
    expect(deliveryBody(credit, 'sandbox')).toBeNull();
    const chosen = { ...cash, delivery: { methods: { cash: 'operator' }, holdDays: '0' } };
    expect(deliveryBody(chosen, 'live')).toBeNull();
  });

  test('in a live project cash is held for 30 days unless another time is typed', () => {
    expect(holdOf(cash, 'live')).toBe('30');
    expect(holdOf(credit, 'live')).toBe('0');
    const typed = { ...cash, delivery: { methods: {}, holdDays: ' 7 ' } };
    expect(deliveryBody(typed, 'live')).toEqual({ holdDays: 7, cashMethod: 'payout' });
  });

  test('only what the draft gives is asked for and saved', () => {
    expect(kindsOf(cash)).toEqual(['cash']);
    expect(kindsOf(credit)).toEqual(['credit']);
    const held = { ...credit, delivery: { methods: { cash: 'manual' }, holdDays: '14' } };
    expect(deliveryBody(held, 'live')).toEqual({ holdDays: 14, creditMethod: 'operator' });
  });

  test('a sentence says who does what, and when', () => {
    expect(sayMethod('cash', 'payout', 30)).toBe(
      'Cash is collected and paid in batches under Payouts after 30 days.',
    );
    expect(sayMethod('cash', 'payout', 0)).toContain('right away');
    expect(sayMethod('credit', 'operator', 30)).not.toContain('30');
  });
});

describe('the currency', () => {
  test('is one for all sides, also for those that get nothing yet', () => {
    const yen = applyCurrency(draft(), 'JPY');
    expect(Object.values(yen.sides).map(({ terms }) => terms.currency)).toEqual([
      'JPY',
      'JPY',
      'JPY',
    ]);
    expect(yen.sides.referrer.terms.amount).toBe(draft().sides.referrer.terms.amount);
  });

  test('an offer has round amounts in each, and stays chosen', () => {
    const dollars = applyKind(draft(), 'referral');
    expect([dollars.preset, dollars.sides.referee.terms.amount]).toEqual(['give-get', '10']);
    const yen = applyCurrency(dollars, 'JPY');
    expect([yen.preset, yen.sides.referee.terms.amount]).toEqual(['give-get', '1000']);
    // Another kind starts with its own first offer, in the same currency.
    const affiliate = applyKind(yen, 'affiliate');
    expect([affiliate.preset, currencyOf(affiliate)]).toEqual(['share-year', 'JPY']);
  });
});

describe('each step says why one cannot go on', () => {
  test.each<[Parameters<typeof faultOf>[0], Partial<Draft>, boolean]>([
    ['kind', { name: ' ' }, false],
    ['kind', {}, true],
    ['delivery', { delivery: { methods: {}, holdDays: '366' } }, false],
    ['delivery', { delivery: { methods: {}, holdDays: '' } }, false],
    ['delivery', { delivery: { methods: {}, holdDays: '365' } }, true],
    ['delivery', {}, true],
    ['links', { landingPageUrl: '' }, false],
    ['links', { landingPageUrl: 'example.com' }, false],
    ['links', { landingPageUrl: 'http://example.com' }, false],
    ['links', { landingPageUrl: 'http://localhost:3000' }, true],
    ['links', { policy: { ...NEW_DRAFT.policy, windowDays: '366' } }, false],
    ['links', {}, true],
  ])('%s %o', (step, change, isRight) => {
    expect(faultOf(step, draft(change), 'live') === null).toBe(isRight);
  });

  test('a sandbox takes http', () => {
    expect(faultOf('links', draft({ landingPageUrl: 'http://example.com' }), 'sandbox')).toBeNull();
  });

  test('somebody must earn something', () => {
    const { referrer } = NEW_DRAFT.sides;
    const sides = { ...NEW_DRAFT.sides, referrer: { ...referrer, isOn: false } };
    expect(faultOf('earn', draft({ sides }), 'live')).not.toBeNull();
  });
});

describe('making it', () => {
  const plan = planOf(draft(), { allowedOrigins: [], environment: 'sandbox' });
  let count = 0;
  const newKey = () => `key-${++count}`;

  function stand(fail: Record<string, unknown> = {}) {
    const calls: { id: string; programId: string | null; key: string }[] = [];
    let progress: Progress = NO_PROGRESS;
    const send: Send = async (task, programId, key) => {
      calls.push({ id: task.id, programId, key });
      const fault = fail[task.id];
      delete fail[task.id];
      if (fault) throw fault;
      return task.type === 'program' ? 'prg_1' : null;
    };
    const run = (tasks = plan) =>
      runPlan(tasks, progress, {
        send,
        newKey,
        onProgress: (next) => {
          progress = next;
        },
      });
    return { calls, run, progress: () => progress };
  }

  test('goes in order, and what follows knows the program', async () => {
    const { calls, run, progress } = stand();
    await run();
    expect(calls.map(({ id, programId }) => [id, programId])).toEqual([
      ['program', null],
      ['delivery', 'prg_1'],
      ['rule-referrer', 'prg_1'],
      ['origin', 'prg_1'],
      ['status', 'prg_1'],
    ]);
    expect(progress().done).toEqual(plan.map(({ id }) => id));
  });

  test('after a failure in the middle it goes on there, without making anything twice', async () => {
    const { calls, run } = stand({ 'rule-referrer': new Error('away') });
    await expect(run()).rejects.toThrow('away');
    await run();
    expect(calls.map(({ id }) => id)).toEqual([
      'program',
      'delivery',
      'rule-referrer',
      'rule-referrer',
      'origin',
      'status',
    ]);
    // The response may have been lost: with the same key the service repeats it.
    expect(calls[2]?.key).toBe(calls[3]?.key);
  });

  test('a program whose answer was lost is asked for under the same key', async () => {
    const { calls, run } = stand({ program: new Error('offline') });
    await expect(run()).rejects.toThrow();
    await run();
    expect(calls[0]?.key).toBe(calls[1]?.key);
  });

  test('what was changed after a refusal is sent under a key of its own', async () => {
    const { calls, run } = stand({ program: new Error('refused') });
    await expect(run()).rejects.toThrow();
    await run(planOf(draft({ name: 'Other' }), { allowedOrigins: [], environment: 'sandbox' }));
    expect(calls[0]?.key).not.toBe(calls[1]?.key);
  });

  test('a rule that is there already is as good as made', async () => {
    const refusal = { status: 409, code: 'CONFLICT', reason: 'rule_exists' };
    const exists = new ApiError('There is one.', refusal);
    const { run, progress } = stand({ 'rule-referrer': exists });
    await run();
    expect(progress().done).toContain('rule-referrer');
    const other = stand({ status: exists });
    await expect(other.run()).rejects.toBe(exists);
  });
});
