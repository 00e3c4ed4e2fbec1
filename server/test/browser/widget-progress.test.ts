import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isMissing } from './chromium.ts';
import { Stage } from './widget-stage.ts';

const USD = { currency: 'USD', currencyExponent: 2 };
const SHARE = {
  benefitKind: 'cash',
  calculation: 'percentage',
  tiers: {
    measure: 'referrals',
    steps: [
      { from: '0', rateBps: 2_000 },
      { from: '3', rateBps: 2_500 },
    ],
  },
};
const BONUS = {
  benefitKind: 'credit',
  calculation: 'milestone',
  durationMode: 'once',
  fixedAmountMinor: '500',
  ...USD,
  milestone: { measure: 'revenue', at: '2000', repeat: true },
};

let stage: Stage;
beforeAll(async () => {
  if (!isMissing) stage = await Stage.open();
});
beforeEach(async () => {
  if (!isMissing) await stage.openShop();
});
afterAll(async () => {
  if (!isMissing) await stage.close();
});

const goals = () => stage.page.locator('section[aria-labelledby=progress] li');
const told = async () =>
  (await goals().allInnerTexts()).map((text) => text.replaceAll(/\s*\n\s*/g, ' | '));
const bars = async () => {
  const all = await stage.page.locator('progress').all();
  const read = (names: readonly string[]) =>
    Promise.all(all.map((bar) => Promise.all(names.map((name) => bar.getAttribute(name)))));
  return read(['aria-label', 'value', 'max', 'aria-valuetext']);
};
const visit = async (locale?: string) => {
  await stage.visit(locale === undefined ? {} : { locale });
  await stage.page.locator('.trigger').click();
  await goals().first().waitFor();
};

describe.skipIf(isMissing)('progress', () => {
  test('a bar leads to the next step, and moves with signups and purchases', async () => {
    await stage.shop.addRule(SHARE);
    await stage.shop.addRule(BONUS);
    await visit();
    expect(await told()).toEqual([
      'Friends joined | 1 of 3 | Now: 20% | Next: 25%',
      'Revenue from friends | $0.00 of $20.00 | Next: $5.00 credit',
    ]);
    expect(await bars()).toEqual([
      ['Friends joined', '1', '3', '1 of 3'],
      ['Revenue from friends', '0', '2000', '$0.00 of $20.00'],
    ]);
    expect(await stage.page.getByRole('progressbar', { name: 'Friends joined' }).count()).toBe(1);
    for (const friend of ['eve', 'mallory']) await stage.shop.signUp(friend);
    for (const order of ['1', '2', '3']) await stage.shop.order(order);
    await visit();
    expect(await told()).toEqual([
      'Friends joined | 3 | Now: 25%',
      'Revenue from friends | $30.00 of $40.00 | Milestones reached: 1 | Next: $5.00 credit',
    ]);
    expect(await bars()).toHaveLength(1);
    expect(stage.problems).toEqual([]);
  });

  test('it is there in every language, and from right to left', async () => {
    await stage.shop.addRule(SHARE);
    const words: Record<string, string[]> = {};
    for (const locale of ['de', 'es', 'fr', 'ja', 'ar']) {
      await visit(locale);
      words[locale] = (await told()).map((text) =>
        text.replaceAll(/[\u00a0\u200e\u200f\u061c]/g, ' '),
      );
    }
    expect(words).toMatchObject({
      de: ['Geworben | 1 von 3 | Jetzt: 20 % | Als Nächstes: 25 %'],
      es: ['Amigos unidos | 1 de 3 | Ahora: 20 % | Después: 25 %'],
      ja: ['登録した友だち | 3のうち1 | 現在:20% | 次:25%'],
    });
    expect(words.fr?.[0]).toMatch(/^Amis inscrits \| 1 sur 3 \| Maintenant : 20/);
    expect(words.ar?.[0]).toContain('من');
    expect(await stage.page.locator('.root').getAttribute('dir')).toBe('rtl');
  });

  test('somebody who was referred sees their own purchases beside those of their friends', async () => {
    await stage.shop.addRule(BONUS);
    for (const measure of ['purchases', 'revenue']) {
      const milestone = { measure, at: '2000', repeat: false };
      await stage.shop.addRule({ ...BONUS, milestone }, 'referee');
    }
    await stage.shop.order('1');
    stage.claims = { sub: 'bob' };
    await visit();
    expect(await told()).toEqual([
      'Revenue from friends | $0.00 of $20.00 | Next: $5.00 credit',
      'Your purchases | 1 of 2,000 | Next: $5.00 credit',
      'Your purchases | $10.00 of $20.00 | Next: $5.00 credit',
    ]);
  });

  test('without steps there is no such part', async () => {
    await stage.visit();
    await stage.openPanel();
    expect(await goals().count()).toBe(0);
  });

  test.each(['light', 'dark'] as const)('it shuts nobody out in %s mode', async (colorScheme) => {
    await stage.shop.addRule(SHARE);
    await stage.shop.addRule(BONUS);
    await stage.shop.addRule({ ...SHARE, tiers: { ...SHARE.tiers, window: 'calendar_month' } });
    for (const order of ['1', '2', '3']) await stage.shop.order(order);
    for (const [name, locale, width] of [
      ['desktop', 'en', 1280],
      ['phone-rtl', 'ar', 400],
    ] as const) {
      await stage.visit({ colorScheme, locale, width });
      await stage.page.locator('.trigger').click();
      await goals().first().scrollIntoViewIfNeeded();
      await stage.expectGood(`progress-${name}-${colorScheme}`);
    }
  });
});
