import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isMissing } from './chromium.ts';
import { answer, DETAILS, INIT, REWARDS } from './widget-answers.ts';
import { Stage } from './widget-stage.ts';

const CASH = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '1250',
  currency: 'USD',
  currencyExponent: 2,
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

const focused = () => stage.focused();
const clipboard = () => stage.page.evaluate('navigator.clipboard.readText()');
const said = () => stage.said();
const link = () => stage.page.getByLabel('Your link', { exact: true }).inputValue();
const key = (name: string) => stage.page.keyboard.press(name);

describe.skipIf(isMissing)('the dialog', () => {
  test('is opened, walked through and left by keys alone, and the focus comes back', async () => {
    await stage.visit();
    const { page } = stage;
    const trigger = page.getByRole('button', { name: 'Invite & earn' });
    await trigger.focus();
    await key('Enter');
    const dialog = page.getByRole('dialog', { name: 'Invite your friends' });
    await dialog.locator('.figures').waitFor();
    expect(await focused()).toBe('Close');
    await key('Shift+Tab');
    expect(await focused()).toBe('Share with E-mail');
    await key('Tab');
    expect(await focused()).toBe('Close');
    await key('Tab');
    expect(await focused()).toBe('link');
    await key('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await focused()).toBe('Invite & earn');
    expect(await stage.events()).toEqual([['open', null]]);
    expect(stage.problems).toEqual([]);
    expect([...stage.origins].sort()).toEqual([stage.service.url, stage.origin].sort());
  });

  test('is opened and closed by the page, and by a click beside it', async () => {
    await stage.visit();
    const { page } = stage;
    await page.locator('.trigger').waitFor();
    await page.evaluate('window.widget.open(); window.widget.open()');
    await page.locator('dialog .figures').waitFor();
    expect(await stage.events()).toEqual([['open', null]]);
    await page.evaluate('window.widget.close()');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.locator('.trigger').click();
    await page.mouse.click(20, 20);
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.evaluate('window.widget.open(); window.widget.destroy(); window.widget.open()');
    expect(await page.locator('.trigger, dialog').count()).toBe(0);
    expect(await page.evaluate('document.body.children.length')).toBe(1);
    expect(stage.problems).toEqual([]);
  });

  test('goes where the Program says, and is dressed by it', async () => {
    const variables = { '--radius': '2px', '--background': '#fffbe6' };
    await stage.openShop({
      position: 'top-left',
      triggerText: 'Give & get',
      cssVariables: variables,
    });
    await stage.visit();
    const box = await stage.page.getByRole('button', { name: 'Give & get' }).boundingBox();
    expect([box?.x, box?.y]).toEqual([20, 20]);
    await stage.openPanel('Give & get');
    expect(await stage.styles('.sheet')).toMatchObject({
      'border-top-left-radius': '2px',
      'background-color': 'rgb(255, 251, 230)',
    });
  });
});

describe.skipIf(isMissing)('sharing', () => {
  test('link and code are copied, which is said and told to the page', async () => {
    await stage.visit();
    await stage.openPanel();
    await stage.press('Copy your link');
    await expect.poll(said).toBe('Copied');
    expect(await clipboard()).toBe(await link());
    await stage.press('Copy your code');
    await expect.poll(clipboard).toBe(await stage.page.locator('.code b').textContent());
    expect(await stage.events()).toEqual([
      ['open', null],
      ['copy', { what: 'link' }],
      ['copy', { what: 'code' }],
    ]);
  });

  test('a page that may not use the clipboard still copies', async () => {
    await stage.visit({
      script: `navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))`,
    });
    await stage.openPanel();
    await stage.press('Copy your link');
    await expect.poll(said).toBe('Copied');
    expect(await clipboard()).toBe(await link());
    expect(await focused()).toBe('Copied');
  });

  test('only the enabled platforms are there, and lead nowhere but to them', async () => {
    await stage.openShop({
      shareMessage: 'Join & save "10%"',
      enabledPlatforms: { facebook: false, linkedin: false },
    });
    await stage.visit();
    await stage.openPanel();
    const links = stage.page.locator('dialog a');
    const found: Record<string, string> = {};
    for (const one of await links.all()) {
      const { protocol, host, searchParams } = new URL((await one.getAttribute('href')) ?? '');
      found[(await one.getAttribute('aria-label')) ?? ''] = `${protocol}//${host}`;
      expect([...searchParams.values()].join(' ')).toContain(await link());
      expect([...searchParams.values()].join(' ')).toContain('Join & save "10%"');
      expect(await one.getAttribute('rel')).toBe('noopener noreferrer');
    }
    expect(found).toEqual({
      'Share with WhatsApp': 'https://wa.me',
      'Share with Telegram': 'https://t.me',
      'Share with X': 'https://twitter.com',
      'Share with E-mail': 'mailto://',
    });
    await stage.press('Share with Instagram');
    await expect.poll(said).toContain('Your link is copied.');
    expect(await clipboard()).toBe(await link());
    expect(await stage.events()).toContainEqual(['share', { platform: 'instagram' }]);
    expect([...stage.origins].sort()).toEqual([stage.service.url, stage.origin].sort());
  });

  test('phones have their own share sheet', async () => {
    await stage.visit({
      width: 390,
      isTouch: true,
      script: `Object.defineProperty(navigator, 'share', { value: async (what) => { window.sheet = what; } })`,
    });
    await stage.openPanel();
    await stage.press('Share');
    await expect
      .poll(() => stage.page.evaluate('window.sheet'))
      .toMatchObject({
        title: 'Acme',
        url: await link(),
      });
    expect(await stage.events()).toContainEqual(['share', { platform: 'system' }]);
  });
});

describe.skipIf(isMissing)('the token', () => {
  test('is asked for once, again when it has expired, and is kept nowhere', async () => {
    await stage.visit();
    await stage.openPanel();
    await stage.press('Close');
    expect(stage.tokens).toBe(1);
    stage.service.clock.advance(16 * 60_000);
    await stage.shop.addRule(CASH);
    await stage.shop.buy('order-1');
    await stage.openPanel();
    await stage.page.locator('.rows li').waitFor();
    expect(stage.tokens).toBe(2);
    const kept = await stage.page.evaluate(
      'localStorage.length + sessionStorage.length + document.cookie.length',
    );
    expect(kept).toBe(0);
  });

  test('that stays refused is asked for twice and no more; no trigger leads to nothing', async () => {
    stage.claims = { aud: 'another' };
    await stage.visit();
    await expect.poll(() => stage.tokens).toBe(2);
    await stage.page.waitForLoadState('networkidle');
    expect(await stage.page.locator('.trigger').count()).toBe(0);
    await stage.page.evaluate('window.widget.open()');
    await stage.page.getByText('Something went wrong').waitFor();
    expect(stage.tokens).toBe(4);
    stage.claims = {};
    await stage.press('Try again');
    await stage.page.locator('.figures').waitFor();
  });
});

describe.skipIf(isMissing)('the list of rewards', () => {
  const ids = () => stage.page.locator('.rows li').count();

  beforeEach(async () => {
    if (isMissing) return;
    await stage.shop.addRule(CASH);
    for (let n = 0; n < 45; n += 1) await stage.shop.order(`order-${n}`);
  });

  test('comes page by page as it is scrolled, and by a press where nothing watches', async () => {
    await stage.visit();
    await stage.openPanel();
    expect(await ids()).toBe(20);
    await stage.page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded();
    await expect.poll(ids).toBe(40);
    expect(await said()).toBe('40 rewards shown');
    await stage.page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded();
    await expect.poll(ids).toBe(45);
    expect(await stage.page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    expect(await stage.text()).toContain('$562.50');

    await stage.visit({ script: 'delete window.IntersectionObserver' });
    await stage.openPanel();
    await stage.press('Show more');
    await expect.poll(ids).toBe(40);
  });

  test('a page that does not come can be asked for again, and what is there stays', async () => {
    await stage.visit();
    await stage.openPanel();
    await answer(stage.page, REWARDS, { status: 503, body: {} });
    await stage.page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded();
    await stage.page.getByText('Something went wrong').waitFor();
    expect(await ids()).toBe(20);
    await answer(stage.page, REWARDS, null);
    await stage.press('Try again');
    await expect.poll(ids).toBe(40);
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

  test('are saved from the reward that waits for them; a mistake stands at its field', async () => {
    await stage.visit();
    await stage.openPanel();
    await stage.page.getByRole('button', { name: 'Add payout details' }).click();
    await field('Account holder').fill('Ada Lovelace');
    await field('IBAN').fill('GB29 NWBK 6016 1331 9268 18');
    await field('Currency of the account').selectOption('GBP');
    await stage.press('Save');
    const iban = field('IBAN');
    await expect.poll(() => iban.getAttribute('aria-invalid')).toBe('true');
    const error = stage.page.locator(`#${await iban.getAttribute('aria-describedby')}`);
    expect(await error.textContent()).toMatch(/^IBAN is mistyped/);
    expect(await focused()).toBe('iban');
    expect(await field('Account holder').inputValue()).toBe('Ada Lovelace');
    await iban.fill('GB29 NWBK 6016 1331 9268 19');
    await stage.press('Save');
    await expect.poll(said).toBe('Your payout details are saved.');
    expect(await stage.text()).toContain('GB•• •••• 6819');
    expect(await stage.text()).not.toContain('601613');

    // A change waits, and says until when.
    await stage.press('Change');
    expect(await stage.text()).toContain('24 hours');
    await field('PayPal').check();
    await field('E-mail address of the account').fill('ada@example.com');
    await stage.press('Save');
    await stage.page.getByText('Until then, we use your previous details.').waitFor();
    expect(await stage.text()).toContain('a•••@example.com');
    await stage.press('Back');
    // Nothing waits for them any more: the way there is quiet.
    const quiet = stage.page.getByRole('button', { name: 'Payout details' });
    await quiet.waitFor();
    expect(await stage.page.getByText('Add payout details').count()).toBe(0);
    expect(await focused()).toContain('Payout details');
  });

  test.each([
    ['https://connect.stripe.com/setup/1', 1],
    ['javascript:alert(1)', 0],
  ])('that were left unfinished go on at %s: %i link', async (onboardingUrl, links) => {
    const unfinished = { configured: true, type: 'stripe_connect', status: 'needs_update' };
    const rest = { label: 'acct_•••1', country: null, currency: null, updatedAt: null };
    await stage.visit();
    // Only saving gives an address, as it is good for minutes only.
    await answer(stage.page, DETAILS, (method) => ({
      status: 200,
      body: { ...unfinished, ...rest, onboardingUrl: method === 'PUT' ? onboardingUrl : null },
    }));
    await stage.openPanel();
    await stage.page.getByRole('button', { name: 'Add payout details' }).click();
    await stage.page.getByText('You finish this on Stripe’s own pages.').waitFor();
    const saving = stage.page.waitForResponse((found) => found.request().method() === 'PUT');
    await stage.press('Continue at Stripe');
    const saved = (await saving).request().postDataJSON();
    expect(saved.details).toEqual({ type: 'stripe_connect' });
    const link = stage.page.getByRole('link', { name: 'Continue at Stripe' });
    await expect.poll(() => link.count()).toBe(links);
    if (links === 0) return;
    expect(await link.getAttribute('href')).toBe(onboardingUrl);
    expect(await focused()).toBe('Continue at Stripe');
  });

  test('cannot be filled in with a token that may only look', async () => {
    stage.claims = { scope: 'widget:read' };
    await stage.visit();
    await stage.openPanel();
    await stage.page.getByRole('button', { name: 'Payout details' }).click();
    await stage.page.getByText('Payout details cannot be changed on this page.').waitFor();
    expect(await stage.page.locator('form').count()).toBe(0);
  });
});

describe.skipIf(isMissing)('languages', () => {
  test.for([
    ['de-AT', 'Ihre Prämien', 'Laden Sie Freunde ein', '$ 12,50', 'ltr'],
    ['fr', 'Vos récompenses', 'Invitez vos amis', '12,50 $US', 'ltr'],
    ['es', 'Tus recompensas', 'Invita a tus amigos', '12,50 US$', 'ltr'],
    ['ja', 'あなたの特典', '友だちを招待', '$12.50', 'ltr'],
    ['ar', 'مكافآتك', 'ادعُ أصدقاءك', '\u200f12.50 \u2066US$\u2069', 'rtl'],
    ['pt', 'Your rewards', 'Invite your friends', '$12.50', 'ltr'],
  ] as const)(
    '%s has its own words, money and direction',
    async ([locale, words, title, money, dir]) => {
      await stage.shop.addRule(CASH);
      await stage.shop.buy('order-1');
      await stage.visit({ locale });
      await stage.page.locator('.trigger').click();
      // A language that comes late is spoken from then on.
      await stage.page.getByText(words).waitFor();
      await stage.page.locator('.rows').waitFor();
      const text = ((await stage.text()) ?? '').replace(/[\u00a0\u202f]/g, ' ');
      expect(text).toContain(words);
      // The Program has left its texts as they were.
      expect(text).toContain(title);
      expect(text).toContain(money);
      expect(await stage.page.locator('.root').getAttribute('dir')).toBe(dir);
    },
  );

  test('of another version are taken where those of this one are gone', async () => {
    await stage.visit({ locale: 'de' }, (page) =>
      page.route(/\/widget\/de-\w+\.json/, (route) => route.fulfill({ status: 404 })),
    );
    await stage.page.locator('.trigger').click();
    await stage.page.getByText('Ihre Prämien').waitFor();
  });
});

describe.skipIf(isMissing)('failures', () => {
  test('of the first call are shown to whoever opens the panel, who can try again', async () => {
    await stage.visit({}, (page) => answer(page, INIT, { status: 500, body: {} }));
    await stage.page.waitForLoadState('networkidle');
    expect(await stage.page.locator('.trigger').count()).toBe(0);
    await stage.page.evaluate('window.widget.open()');
    await stage.page.getByText('Something went wrong').waitFor();
    await answer(stage.page, INIT, null);
    await stage.press('Try again');
    await stage.page.locator('.figures').waitFor();
  });
});
