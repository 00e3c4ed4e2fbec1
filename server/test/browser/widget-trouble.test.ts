import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isMissing } from './chromium.ts';
import { answer, DETAILS, EVERY_STATE, INIT, REWARDS } from './widget-answers.ts';
import { Stage } from './widget-stage.ts';

const CASH = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '1250',
  currency: 'USD',
  currencyExponent: 2,
};
const NOTHING = {
  configured: false,
  type: null,
  label: null,
  country: null,
  currency: null,
  status: null,
  updatedAt: null,
  onboardingUrl: null,
};

let stage: Stage;
beforeAll(async () => {
  if (!isMissing) stage = await Stage.open();
});
beforeEach(async () => {
  if (!isMissing) await stage.openShop({ productName: 'Acme' });
});
afterAll(async () => {
  if (!isMissing) await stage.close();
});

const rows = () => stage.page.locator('.rows li').count();
const wrong = () => stage.page.getByText('Something went wrong');
const reopen = () => stage.page.evaluate('window.widget.close(); window.widget.open()');

describe.skipIf(isMissing)('a list that is asked for again', () => {
  beforeEach(async () => {
    if (isMissing) return;
    await stage.shop.addRule(CASH);
    await stage.shop.buy('order-1');
  });

  test('and does not come says so above the old one, and comes by a press', async () => {
    await stage.visit();
    await stage.openPanel();
    await answer(stage.page, REWARDS, { status: 503, body: {} });
    await reopen();
    await wrong().waitFor();
    expect(await rows()).toBe(1);
    await answer(stage.page, REWARDS, null);
    await stage.shop.buy('order-2');
    await stage.press('Try again');
    await expect.poll(rows).toBe(2);
    expect(await wrong().count()).toBe(0);
  });

  test('does not wait for one that hangs, whose answer comes to nothing', async () => {
    await stage.visit();
    let release = () => {};
    const late = new Promise<void>((resolve) => {
      release = resolve;
    });
    let calls = 0;
    const one = { ...EVERY_STATE, items: EVERY_STATE.items.slice(0, 1) };
    await answer(stage.page, REWARDS, async () => {
      calls += 1;
      if (calls > 1) return { status: 200, body: one };
      await late;
      return { status: 200, body: EVERY_STATE };
    });
    await stage.press('Invite & earn');
    await stage.page.locator('.rewards .skeleton').waitFor();
    await expect.poll(() => calls).toBe(1);
    await reopen();
    await expect.poll(rows).toBe(1);
    const old = stage.page.waitForResponse(`**${REWARDS}*`);
    release();
    await (await old).finished();
    await stage.page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
    expect(await rows()).toBe(1);
  });

  test('is given up after a while', async () => {
    await stage.visit({ hasClock: true });
    await answer(stage.page, REWARDS, 'silence');
    await stage.press('Invite & earn');
    await stage.page.locator('.rewards .skeleton').waitFor();
    await stage.page.clock.fastForward(20_000);
    await wrong().waitFor();
  });
});

describe.skipIf(isMissing)('payout details', () => {
  const field = (label: string) => stage.page.getByLabel(label, { exact: true });

  beforeEach(async () => {
    if (isMissing) return;
    await stage.shop.addRule(CASH);
    await stage.shop.setDelivery({ cashMethod: 'payout' });
    await stage.shop.buy('order-1');
  });

  test('that are saved are not undone by an answer from before', async () => {
    await stage.visit();
    await stage.openPanel();
    await stage.page.locator('.payout').click();
    await field('PayPal').check();
    await stage.press('Back');
    let release = () => {};
    const late = new Promise<void>((resolve) => {
      release = resolve;
    });
    const saved = { ...NOTHING, configured: true, type: 'paypal', label: 'a•••@example.com' };
    await answer(stage.page, DETAILS, async (method) => {
      if (method === 'PUT') return { status: 200, body: saved };
      await late;
      return { status: 200, body: NOTHING };
    });
    await stage.page.locator('.payout').click();
    await field('PayPal').check();
    await field('E-mail address of the account').fill('ada@example.com');
    await stage.press('Save');
    await stage.page.getByText('a•••@example.com').waitFor();
    const old = stage.page.waitForResponse(`**${DETAILS}*`);
    release();
    await (await old).finished();
    await stage.page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
    expect(await stage.text()).toContain('a•••@example.com');
  });

  test('keep what was typed when a selection of it ends beside the dialog', async () => {
    await stage.visit();
    await stage.openPanel();
    await stage.page.locator('.payout').click();
    const holder = field('Account holder');
    await holder.fill('Ada Lovelace');
    const box = await holder.boundingBox();
    await stage.page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 20);
    await stage.page.mouse.down();
    await stage.page.mouse.move(20, 20, { steps: 5 });
    await stage.page.mouse.up();
    // A dialog that was closed is gone a moment later.
    await stage.page.evaluate('new Promise((resolve) => setTimeout(resolve))');
    expect(await stage.page.locator('dialog[open]').count()).toBe(1);
    expect(await holder.inputValue()).toBe('Ada Lovelace');
  });

  test('keep the focus near, from step to step', async () => {
    const { page } = await start();
    await page.locator('.payout').click();
    await field('PayPal').check();
    expect(await stage.focused()).toBe('paypal');
    await field('E-mail address of the account').fill('ada@example.com');
    await page.keyboard.press('Enter');
    await page.locator('.current').waitFor();
    await expect.poll(() => stage.focused()).toBe('Payout details');
    await stage.press('Change');
    expect(await stage.focused()).toBe('paypal');
    await stage.press('Back');
    expect(await stage.focused()).toContain('Payout details');
    await answer(page, REWARDS, { status: 503, body: {} });
    await reopen();
    await stage.press('Try again');
    expect(await stage.focused()).toContain('Payout details');
  });

  test('that a payout failed because of are asked for by a button', async () => {
    await stage.visit();
    const [item] = EVERY_STATE.items;
    const items = [{ ...item, action: 'update_payout_method' }];
    await answer(stage.page, REWARDS, { status: 200, body: { ...EVERY_STATE, items } });
    await stage.openPanel();
    await stage.page.getByRole('button', { name: 'Update payout details' }).click();
    await stage.page.getByRole('heading', { name: 'Payout details' }).waitFor();
  });

  async function start(): Promise<Stage> {
    await stage.visit();
    await stage.openPanel();
    return stage;
  }
});

describe.skipIf(isMissing)('the focus', () => {
  test('stays on the button for more, and goes to the last reward with the last page', async () => {
    await stage.shop.addRule(CASH);
    for (let n = 0; n < 45; n += 1) await stage.shop.order(`order-${n}`);
    await stage.visit({ script: 'delete window.IntersectionObserver' });
    await stage.openPanel();
    await stage.page.getByRole('button', { name: 'Show more' }).focus();
    await stage.page.keyboard.press('Enter');
    await expect.poll(rows).toBe(40);
    expect(await stage.focused()).toBe('Show more');
    await stage.page.keyboard.press('Enter');
    await expect.poll(rows).toBe(45);
    expect(await stage.focused()).toContain('$12.50');
  });

  test('follows what is tried again', async () => {
    await stage.visit({}, (page) => answer(page, INIT, { status: 500, body: {} }));
    await stage.page.waitForFunction(() => 'widget' in globalThis);
    await stage.page.evaluate('window.widget.open()');
    await stage.page.getByRole('dialog', { name: 'Your rewards' }).waitFor();
    const again = stage.page.getByRole('button', { name: 'Try again' });
    // Only then is it known that the first call has failed.
    await again.waitFor();
    await answer(stage.page, INIT, null);
    await again.click();
    await stage.page.locator('.figures').waitFor();
    expect(await stage.focused()).toBe('Invite your friends');
  });
});

describe.skipIf(isMissing)('a Program', () => {
  test('that has ended is shared no more, and what was earned in it stays', async () => {
    const { shop } = stage;
    await shop.addRule(CASH);
    await shop.buy('order-1');
    await stage.visit();
    await stage.openPanel();
    expect(await stage.text()).toContain('How it works');
    expect(await stage.text()).toContain('A friend joins Acme through it.');
    await shop.post(`/v1/programs/${shop.programId}/status`, { status: 'ended' });
    await stage.visit();
    await stage.openPanel();
    expect(await rows()).toBe(1);
    expect(await stage.text()).toContain('This program is not open to you at the moment.');
    expect(await stage.text()).not.toContain('How it works');
    expect(await stage.page.locator('#link, .share, .code').count()).toBe(0);
  });

  test.each([
    ['bottom-left', 'heart', 20, 'bottom'],
    ['top-right', 'zap', null, 'top'],
    ['bottom-right', 'star', null, 'bottom'],
  ])('has its trigger %s, with a %s', async (position, icon, left, end) => {
    await stage.openShop({ position, icon });
    await stage.visit();
    const trigger = stage.page.locator('.trigger');
    await trigger.waitFor();
    const box = await trigger.boundingBox();
    const right = 1280 - (box?.x ?? 0) - (box?.width ?? 0);
    const bottom = 800 - (box?.y ?? 0) - (box?.height ?? 0);
    expect([left === null ? right : box?.x, end === 'top' ? box?.y : bottom]).toEqual([20, 20]);
    expect(await trigger.locator('path').getAttribute('d')).toMatch(PATHS[icon] ?? /^$/);
  });

  const PATHS: Record<string, RegExp> = { heart: /^M12 20S4/, zap: /^M13 3L5/, star: /^M12 3l2/ };
});

test.skipIf(isMissing)('rewards say in plain words how they stand, and since when', async () => {
  await stage.visit();
  await answer(stage.page, REWARDS, { status: 200, body: EVERY_STATE });
  await stage.openPanel();
  const items = stage.page.locator('.rows li');
  const texts = await items.allTextContents();
  for (const [n, ...words] of [
    [0, '$12.50', 'On hold', 'For inviting a friend', 'Nov 15, 2026', 'Available on Feb 20, 2020'],
    [1, 'We are checking it'],
    [2, '$12.50 credit', 'Confirmed'],
    [3, '$10.00', 'On its way', 'Reduced from $12.50'],
    [4, 'Paid'],
    [5, '3 seats', 'Received', 'Welcome reward', 'Valid for 30 days'],
    [6, '15% discount', 'Received'],
    [7, 'Not delivered', 'Please contact support'],
    [8, 'Cancelled'],
    [9, 'Taken back'],
  ] as [number, ...string[]][]) {
    for (const word of words) expect(texts[n]).toContain(word);
  }
});

describe.skipIf(isMissing)('the first call', () => {
  test('is made once more by itself some time after it failed', async () => {
    await stage.visit({ hasClock: true }, (page) => answer(page, INIT, { status: 503, body: {} }));
    await stage.page.waitForLoadState('networkidle');
    await answer(stage.page, INIT, null);
    expect(await stage.page.locator('.trigger').count()).toBe(0);
    await stage.page.clock.fastForward(30_000);
    await stage.page.locator('.trigger').waitFor();
  });

  test('that finds the panel closed to somebody is not to be tried again', async () => {
    await stage.visit({}, (page) => answer(page, INIT, { status: 409, body: {} }));
    await stage.page.waitForFunction(() => 'widget' in globalThis);
    await stage.page.evaluate('window.widget.open()');
    await stage.page.getByText('Not available').waitFor();
    expect(await stage.page.getByText('Try again').count()).toBe(0);
  });
});

describe.skipIf(isMissing)('a language', () => {
  const FILES = /\/widget\/de(-\w+)?\.json/;

  test('that hangs leaves the panel in English', async () => {
    await stage.visit({ locale: 'de', hasClock: true }, (page) => page.route(FILES, () => {}));
    await stage.page.waitForFunction(() => 'widget' in globalThis);
    await stage.page.clock.fastForward(2_000);
    await stage.openPanel();
    await stage.page.getByText('Your rewards').waitFor();
  });

  test('that did not come is asked for again once the connection is back', async () => {
    let failed: Promise<unknown> | undefined;
    await stage.visit({ locale: 'de' }, async (page) => {
      failed = page.waitForEvent('requestfailed', (request) => /\/de\.json$/.test(request.url()));
      await page.route(FILES, (route) => route.abort());
    });
    await failed;
    await stage.openPanel();
    await stage.page.getByText('Your rewards').waitFor();
    await stage.page.unroute(FILES);
    await stage.page.evaluate(`dispatchEvent(new Event('online'))`);
    await stage.page.getByText('Ihre Prämien').waitFor();
  });

  test('from right to left draws a currency in its own order', async () => {
    await stage.shop.addRule(CASH);
    await stage.shop.buy('order-1');
    await stage.visit({ locale: 'ar' });
    await stage.page.locator('.trigger').click();
    await stage.page.locator('[dir=rtl] .rows').waitFor();
    const [u, dollar] = (await stage.inPanel(`
      const text = root.querySelector('.rows bdi').firstChild;
      const places = [];
      for (const sign of ['U', '$']) {
        const range = document.createRange();
        const at = text.data.indexOf(sign);
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        places.push(range.getBoundingClientRect().left);
      }
      return places;`)) as [number, number];
    expect(u).toBeLessThan(dollar);
  });
});

describe.skipIf(isMissing)('what is said', () => {
  test('is said again when the same is done again', async () => {
    await stage.visit();
    await stage.openPanel();
    await stage.inPanel(`
      window.heard = [];
      const region = root.querySelector('[role=status]');
      new MutationObserver(() => window.heard.push(region.textContent))
        .observe(region, { childList: true, characterData: true, subtree: true });`);
    await stage.press('Copy your link');
    await stage.press('Copied');
    await expect
      .poll(() => stage.page.evaluate(`window.heard.filter((text) => text === 'Copied').length`))
      .toBe(2);
  });

  test('is in sight, however long the panel stands in a page', async () => {
    await stage.shop.addRule(CASH);
    for (let n = 0; n < 20; n += 1) await stage.shop.order(`order-${n}`);
    await stage.visit({ inline: true });
    await stage.page.locator('.rows').waitFor();
    await stage.press('Share with Instagram');
    const box = await stage.page.locator('.notice').boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(800);
  });
});

describe.skipIf(isMissing)('sharing', () => {
  const NO_CLIPBOARD = `
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    document.execCommand = () => false;`;

  test('is told of a link that was opened', async () => {
    await stage.visit();
    await stage.openPanel();
    await stage.page.evaluate(`addEventListener('click', (event) => event.preventDefault())`);
    await stage.page.getByRole('link', { name: 'Share with WhatsApp' }).click();
    expect(await stage.events()).toContainEqual(['share', { platform: 'whatsapp' }]);
  });

  test('is not told of when nothing could be copied', async () => {
    await stage.visit({ script: NO_CLIPBOARD });
    await stage.openPanel();
    await stage.press('Share with Instagram');
    await expect.poll(() => stage.said()).toContain('Copying did not work.');
    expect(await stage.events()).toEqual([['open', null]]);
  });

  test.each([
    ['NotAllowedError', 'Copied'],
    ['AbortError', ''],
  ])('by a sheet that ends with %s says "%s"', async (name, words) => {
    await stage.visit({
      width: 390,
      isTouch: true,
      script: `Object.defineProperty(navigator, 'share', { value: async () => { window.asked = 1; throw new DOMException('', '${name}'); } })`,
    });
    await stage.openPanel();
    await stage.press('Share');
    await stage.page.waitForFunction(() => 'asked' in globalThis);
    await expect.poll(() => stage.said()).toBe(words);
    expect(await stage.events()).not.toContainEqual(['share', { platform: 'system' }]);
  });
});
