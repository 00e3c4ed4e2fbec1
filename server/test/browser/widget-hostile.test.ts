import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing } from './chromium.ts';
import { Stage, type Visit } from './widget-stage.ts';

const CASH = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '1250',
  currency: 'USD',
  currencyExponent: 2,
};
/** Parts of every kind, whose looks are compared. */
const PARTS = [
  '.root',
  '.trigger',
  'dialog',
  '.sheet',
  '.close',
  'h2',
  '#link',
  '.button',
  '.rows b',
];

let stage: Stage;
beforeAll(async () => {
  if (isMissing) return;
  stage = await Stage.open();
  await stage.openShop();
  await stage.shop.addRule(CASH);
  await stage.shop.setDelivery({ cashMethod: 'payout' });
  await stage.shop.buy('order-1');
});
afterAll(async () => {
  if (!isMissing) await stage.close();
});

async function looks(page: Visit['page'] & string): Promise<Record<string, unknown>> {
  await stage.visit({ page });
  await stage.page.locator('.trigger').waitFor({ state: 'attached' });
  await stage.page.evaluate('window.widget.open()');
  await stage.page.locator('.rows').waitFor();
  const found: Record<string, unknown> = {};
  for (const part of PARTS) found[part] = await stage.styles(part);
  return found;
}

const ofThePage = () =>
  stage.page.evaluate(`(() => {
    const styles = {};
    for (const selector of ['html', 'body', 'h1', 'main button']) {
      const computed = getComputedStyle(document.querySelector(selector));
      for (const name of computed) styles[selector + ' ' + name] = computed.getPropertyValue(name);
    }
    return styles;
  })()`);

describe.skipIf(isMissing)(
  'on a page with styles for everything, patched builtins and a strict policy',
  () => {
    test('the panel looks just as it does elsewhere', async () => {
      const plain = await looks('plain');
      const hostile = await looks('hostile');
      expect(hostile).toEqual(plain);
      // No more than that: axe itself does not run on such a page.
      await stage.keepPicture('hostile');
      expect(stage.problems).toEqual([]);
    });

    test('it changes nothing of how the page looks', async () => {
      stage.snippet = '';
      await stage.visit({ page: 'hostile' });
      const without = await ofThePage();
      stage.snippet = null;
      await stage.visit({ page: 'hostile' });
      await stage.page.locator('.trigger').waitFor({ state: 'attached' });
      expect(await ofThePage()).toEqual(without);
      await stage.openPanel();
      expect(await ofThePage()).toEqual(without);
    });

    test('it is used from the trigger to saved details, and what is typed stays in it', async () => {
      await stage.visit({ page: 'hostile' });
      const { page } = stage;
      await stage.openPanel();
      await stage.press('Copy your link');
      await expect.poll(() => page.locator('[role=status]').textContent()).toBe('Copied');
      await page.getByRole('button', { name: 'Add payout details' }).click();
      await page.getByLabel('PayPal').check();
      const email = page.getByLabel('E-mail address of the account');
      await email.pressSequentially('ada@example.com');
      await email.press('Enter');
      await page.getByText('a•••@example.com').waitFor();
      expect(await page.evaluate('window.keys')).toBeUndefined();
      expect(stage.problems).toEqual([]);
    });
  },
);

describe.skipIf(isMissing)('texts of the Program', () => {
  test('are texts, whatever is in them, and a logo that does not come is not there', async () => {
    const text = '<img src=x onerror="window.broken = 1"><b>Hello</b> {product} $&';
    await stage.openShop({
      title: text,
      subtitle: text,
      triggerText: '<b>Open</b>',
      shareMessage: text,
      productName: '"><script>window.broken = 1</script>',
      logoUrl: 'https://logo.invalid/logo.png',
    });
    await stage.visit({ page: 'plain' });
    await stage.openPanel('<b>Open</b>');
    expect(await stage.page.locator('h2').textContent()).toBe(text);
    expect(await stage.page.locator('h2 b, .head p b').count()).toBe(0);
    expect(await stage.page.evaluate('window.broken')).toBeUndefined();
    await stage.page.locator('.logo').waitFor({ state: 'hidden' });
    expect(await stage.page.locator('.logo').count()).toBe(1);
  });

  test('may come with a logo', async () => {
    await stage.openShop({ logoUrl: 'https://logo.invalid/logo.svg' });
    const body =
      '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="32"><path d="M0 0h64v32z"/></svg>';
    await stage.visit({ page: 'plain' }, (page) =>
      page.route('https://logo.invalid/**', (route) =>
        route.fulfill({ contentType: 'image/svg+xml', body }),
      ),
    );
    await stage.openPanel();
    await expect
      .poll(async () => (await stage.page.locator('.logo').boundingBox())?.height)
      .toBe(32);
    expect(await stage.inPanel(`return root.querySelector('.logo').naturalWidth`)).toBe(64);
  });

  test('motion is spared to those who ask for that', async () => {
    await stage.visit({ reducedMotion: 'no-preference' });
    await stage.page.locator('.trigger').click();
    expect((await stage.styles('.sheet'))['animation-name']).toBe('rise');
    await stage.visit({ reducedMotion: 'reduce' });
    await stage.page.locator('.trigger').click();
    expect((await stage.styles('.sheet'))['animation-name']).toBe('none');
  });
});
