import { afterAll, beforeAll, describe, test } from 'vitest';
import { isMissing, Stage } from './widget-stage.ts';

let stage: Stage;
beforeAll(async () => {
  if (isMissing) return;
  stage = await Stage.open();
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

describe.skipIf(isMissing)('the panel', () => {
  test('look', async () => {
    await stage.openShop({ productName: 'Acme' });
    const { shop } = stage;
    await shop.addRule(CASH);
    await shop.addRule({ benefitKind: 'discount', calculation: 'percentage', rateBps: 1_500 });
    await shop.setDelivery({ cashMethod: 'payout', holdDays: 14 });
    for (let n = 0; n < 3; n += 1) await shop.buy(`order-${n}`);
    await stage.visit();
    await stage.openPanel();
    await stage.expectGood('home-desktop-light');
    await stage.visit({ width: 320, colorScheme: 'dark', isTouch: true });
    await stage.openPanel();
    await stage.expectGood('home-320-dark');
  });
});
