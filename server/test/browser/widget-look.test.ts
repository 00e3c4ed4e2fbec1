import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTurn, sample } from '../rounds.ts';
import { isMissing } from './chromium.ts';
import { answer, DETAILS, EVERY_STATE, INIT, REWARDS } from './widget-answers.ts';
import { Stage, type Visit } from './widget-stage.ts';

let stage: Stage;
beforeAll(async () => {
  if (isMissing) return;
  stage = await Stage.open();
  await stage.openShop({ productName: 'Acme' });
  await stage.shop.addRule(CASH);
  await stage.shop.setDelivery({ cashMethod: 'payout', holdDays: 14 });
});
afterAll(async () => {
  if (!isMissing) await stage.close();
});

const CASH = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '1250',
  currency: 'USD',
  currencyExponent: 2,
};
const PHONE = { width: 320, isTouch: true } as const;
const LOOKS: [string, Visit][] = [
  ['desktop-light', { colorScheme: 'light' }],
  ['desktop-dark-rtl', { colorScheme: 'dark', locale: 'ar' }],
  ['phone-dark', { colorScheme: 'dark', ...PHONE }],
  ['phone-dark-rtl', { colorScheme: 'dark', locale: 'ar', ...PHONE }],
  ['phone-light-rtl', { colorScheme: 'light', locale: 'ar', ...PHONE }],
  ['phone-light-german', { colorScheme: 'light', locale: 'de', ...PHONE }],
];
/** Where the list of rewards may be scrolled to. */
const PLACES = [
  ['rewards-top', 'h2'],
  ['rewards', '.rows li:nth-child(5)'],
  ['rewards-end', '.how'],
] as const;
const failed = { status: 500, body: {} };
const closed = { status: 409, body: {} };
const details = {
  configured: true,
  type: 'paypal',
  label: 'a•••@example.com',
  country: null,
  currency: null,
  status: 'cooling_down',
  updatedAt: '2026-11-15T09:30:00.000Z',
  onboardingUrl: null,
};

const openNow = () => stage.page.evaluate('window.widget.open()');
const closeNow = () => stage.page.evaluate('window.widget.close()');

/** Nobody is shut out of any state by axe's rules, and nothing of it is cut off. */
describe.skipIf(isMissing).each(sample(LOOKS, 2))('on %s', (look, visit) => {
  const inItsLanguage = `[lang=${visit.locale ?? 'en-US'}]`;
  const seen = (selector: string) =>
    stage.page.locator(`${inItsLanguage} ${selector}`).first().waitFor();

  test('everything that can be shown shuts nobody out', async () => {
    await stage.visit(visit, (page) => answer(page, INIT, 'silence'));
    const { page } = stage;
    await page.waitForFunction(() => 'widget' in globalThis);
    await openNow();
    await seen('.skeleton');
    await stage.expectGood(`${look}-loading`);

    for (const [name, reply] of [
      ['error', failed],
      ['closed', closed],
    ] as const) {
      await stage.visit(visit, (fresh) => answer(fresh, INIT, reply));
      await stage.page.waitForFunction(() => 'widget' in globalThis);
      await openNow();
      await seen('.state');
      await stage.expectGood(`${look}-${name}`);
    }

    await stage.visit(visit);
    await seen('.trigger');
    await stage.expectGood(`${look}-trigger`);
    await stage.page.locator('.trigger').click();
    await seen('.figures');
    await stage.expectGood(`${look}-empty`);
    await closeNow();
    await answer(stage.page, REWARDS, { status: 200, body: EVERY_STATE });
    await stage.page.locator('.trigger').click();
    await seen('.rows');
    for (const [name, part] of inTurn(PLACES, 0)) {
      await stage.page.locator(part).first().scrollIntoViewIfNeeded();
      await stage.expectGood(`${look}-${name}`);
    }

    await stage.page.locator('.payout').click();
    await seen('form');
    await stage.expectGood(`${look}-payout`);
    await stage.page.locator('[value=account]').check();
    await stage.page.locator('[type=submit]').click();
    await seen('.error');
    await stage.expectGood(`${look}-payout-errors`);
    await stage.page.locator('.back').click();
    await answer(stage.page, DETAILS, { status: 200, body: details });
    await stage.page.locator('.payout').click();
    await seen('.current');
    await stage.expectGood(`${look}-payout-cooling`);
  });

  test('a page that was opened goes on after the connection is back', async () => {
    await stage.visit(visit);
    await seen('.trigger');
    await stage.setOffline(true);
    await stage.page.locator('.trigger').click();
    await seen('.state');
    await stage.expectGood(`${look}-offline`);
    await stage.setOffline(false);
    await seen('.figures');
  });

  test('it stands in a page', async () => {
    await stage.visit({ ...visit, inline: true });
    await seen('.figures');
    expect(await stage.page.locator('dialog, .trigger').count()).toBe(0);
    await stage.expectGood(`${look}-inline`);
  });
});

const COLORS = ['#ffffff', '#000000', '#ffee00', '#808080'];

describe.skipIf(isMissing)('whatever the colour of the brand', () => {
  test.each(COLORS)('%s can be read', async (primaryColor) => {
    await stage.openShop({}, { primaryColor });
    await stage.shop.addRule(CASH);
    await stage.shop.setDelivery({ cashMethod: 'payout' });
    await stage.shop.buy('order-1');
    for (const colorScheme of inTurn(['light', 'dark'] as const, COLORS.indexOf(primaryColor))) {
      await stage.visit({ colorScheme });
      await stage.openPanel();
      await stage.expectGood(`brand-${primaryColor.slice(1)}-${colorScheme}`);
    }
  });
});
