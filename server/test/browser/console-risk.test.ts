import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { expectGood, isMissing, type Look } from './chromium.ts';
import { prepareConsole } from './console.ts';

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
];
/** All of them have the referrer's own address, with a tag. */
const SUSPECTS = ['cid', 'dan', 'eve', 'fay'];
let service: TestService;
let shop: Shop;
let page: Page;

const visit = prepareConsole(async (opened) => {
  service = opened;
  shop = await openShop(service);
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 1000 });
  const { programId, project } = shop;
  await shop.post(`/v1/programs/${programId}/risk-policies`, { mode: 'review' });
  const introduce = async (externalId: string, email: string) => {
    const participant = { kind: 'individual', externalId };
    const body = { projectId: project.projectId, participant, email };
    await service.call('PUT', '/v1/participants', { as: project.key, body });
  };
  await introduce('ada', 'ada@example.com');
  for (const name of SUSPECTS) {
    service.clock.advance(1_000);
    await introduce(name, `ada+${name}@example.com`);
    await shop.signUp(name);
    await shop.post('/v1/track/events', {
      sourceNamespaceId: shop.sourceNamespaceId,
      type: 'purchase',
      participant: { kind: 'individual', externalId: name },
      sourceEventId: name,
      purchase: { amountMinor: '1000', currency: 'USD' },
    });
  }
});

const open = async (path: string) => {
  page = await visit({ project: shop.project, path });
};
const button = (name: string) => page.getByRole('button', { name, exact: true });
const rows = () => page.getByRole('row').filter({ has: page.getByRole('cell') });
const reached = () =>
  page.evaluate(`document.activeElement.closest('[role="row"]')?.textContent ?? ''`);
/** The people whose review has this state, as the API has it. */
async function peopleIn(status: string): Promise<string[]> {
  const { body } = await shop.read('/v1/risk-reviews', { status });
  return body.data.map((one: { referee: { externalId: string } }) => one.referee.externalId);
}

describe.skipIf(isMissing)('reviews in the console', () => {
  test('a queue is decided by keys alone: after each decision the next row has the focus', async () => {
    await open('reviews');
    await expect.poll(() => rows().count()).toBe(4);
    await page.getByRole('link', { name: 'Reviews 4 open' }).waitFor();
    await expectGood(page, LOOKS);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(reached).toContain('eve');
    await page.keyboard.press('r');
    const rejection = page.getByText('1 reward worth $1.00 is voided for fraud.');
    await rejection.waitFor();
    await page.keyboard.press('Escape');
    await rejection.waitFor({ state: 'detached' });
    await expect.poll(reached).toContain('eve');
    await page.keyboard.press('r');
    await rejection.waitFor();
    await page.getByRole('textbox', { name: 'Note' }).fill('One person.');
    await page.keyboard.press('Enter');
    await expect.poll(() => rows().count()).toBe(3);
    await expect.poll(reached).toContain('dan');
    await page.keyboard.press('a');
    await page.getByText('1 reward worth $1.00 is released').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows().count()).toBe(2);
    await expect.poll(reached).toContain('cid');
    expect([await peopleIn('rejected'), await peopleIn('approved')]).toEqual([['eve'], ['dan']]);
    await page.getByRole('link', { name: 'Reviews 2 open' }).waitFor();
  });

  test('a review shows why and what connects the people, and is decided on its page', async () => {
    await open('reviews');
    await expect.poll(() => rows().count()).toBe(2);
    await page.keyboard.press('j');
    await expect.poll(reached).toContain('fay');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'ada referred fay' }).waitFor();
    await page.getByText('+60').waitFor();
    await page.getByRole('img', { name: /what connects them/ }).waitFor();
    const mask = "getComputedStyle(document.querySelector('svg.ring-picture')).maskImage";
    expect(await page.evaluate(mask)).toBe('none');
    await page.getByRole('region', { name: 'Referrer' }).getByText('ada@example.com').waitFor();
    await expectGood(page, LOOKS);
    await button('Approve…').click();
    await button('Approve').click();
    await page.getByText('Its rewards were released. It is not reviewed again.').waitFor();
    expect(await button('Reject…').count()).toBe(0);
    expect(await peopleIn('open')).toEqual(['cid']);
  });

  test('a held reward says that it is checked, and leads to the review', async () => {
    const { body } = await shop.read('/v1/rewards', { fulfillmentStatus: 'pending' });
    const held = body.data.find(
      (one: { delivery: { reason: string } }) => one.delivery.reason === 'risk_review',
    );
    await open(`rewards/${held.id}`);
    await page.getByRole('alert').getByRole('link', { name: 'See the review' }).click();
    await page.getByRole('heading', { name: 'ada referred cid' }).waitFor();
  });

  test('a policy is published with other points, after a look at what it would have caught', async () => {
    await open(`programs/${shop.programId}?tab=risk`);
    await button('Change the policy').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Points: Same address' }).fill('101');
    await expect
      .poll(() => dialog.getByRole('button', { name: 'Publish' }).isDisabled())
      .toBe(true);
    await dialog.getByRole('textbox', { name: 'Points: Same address' }).fill('40');
    await dialog.getByRole('radio', { name: /^Observe/ }).click();
    await dialog.getByText(/Every referral gets a score, and nothing is held/).waitFor();
    await dialog.getByRole('button', { name: 'Compare' }).click();
    await dialog.getByText(/of 5 referrals would have been reviewed/).waitFor();
    await expectGood(page, LOOKS);
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Version 2: Observe').waitFor();
    await expectGood(page, LOOKS);
  });

  test('what was pasted is allowed once it is saved, and a wrong line stays to be corrected', async () => {
    await open('reviews?tab=lists');
    await page.getByRole('textbox', { name: 'Add' }).fill('a.example\nnot a domain\n@b.example');
    await button('Add to the list').click();
    await page.getByText('1 line left out').waitFor();
    await page.getByRole('textbox', { name: 'Add' }).fill('');
    await button('Save').click();
    await page.getByText('Saved.').waitFor();
    const { body } = await shop.read(`/v1/projects/${shop.project.projectId}/risk-lists`);
    expect(body.data.allowed.emailDomains).toEqual(['a.example', 'b.example']);
    const find = page.getByRole('textbox', { name: 'Find an entry' });
    await find.fill('c.example');
    await page.getByText('No entry matches.').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await find.fill('');
    await page.getByText('2 entries').waitFor();
    await expectGood(page, LOOKS);
  });
});
