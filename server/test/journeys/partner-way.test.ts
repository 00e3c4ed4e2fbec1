import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { type AffiliateShop, newSibling, openAffiliateShop } from '../affiliate-shop.ts';
import { startService, type TestService } from '../harness.ts';
import { TestMailer } from '../test-mailer.ts';
import { Visitor } from '../visitor.ts';

const EMAIL = 'grace@example.com';
const HOUR_MS = 60 * 60_000;

const mailer = new TestMailer();
let service: TestService;
beforeAll(async () => {
  service = await startService({ mailer });
});
afterAll(() => service.close());

/** Follows the Partner's link as a browser does; returns the handle that its cookie holds. */
async function click(shop: AffiliateShop): Promise<string> {
  const { pathname } = new URL(shop.linkUrl);
  const redirect = await fetch(service.url + pathname, { redirect: 'manual' });
  const landing = new URL(redirect.headers.get('location') ?? '');
  const { body } = await service.call('POST', '/v1/clicks', {
    headers: { origin: 'https://example.com' },
    body: {
      projectKey: shop.project.projectKey,
      click: landing.searchParams.get('service_click'),
      ref: landing.searchParams.get('ref'),
    },
  });
  return body.handle;
}

async function signUpByClick(shop: AffiliateShop, externalId: string): Promise<object> {
  await service.call('PATCH', `/v1/projects/${shop.project.projectId}`, {
    as: 'operator',
    body: { allowedOrigins: ['https://example.com'] },
  });
  const [source] = (await shop.read('/v1/sources')).data;
  const { body } = await shop.post('/v1/track/events', {
    sourceNamespaceId: source.id,
    type: 'signup',
    participant: { kind: 'individual', externalId },
    identify: { handle: await click(shop) },
  });
  return body;
}

const payoutEvents = async (shop: AffiliateShop) =>
  (await shop.feed()).filter(({ type }) => type.startsWith('payout.'));

test('a Partner’s whole way: applies, proves, is let in, brings people, earns, is paid, is suspended, leaves (D-PROG-7, D-PAY-5)', async () => {
  // Application, proof by the mailed link and approval, in two Projects: one Partner.
  const project = await service.newProject();
  const one = await openAffiliateShop(service, project, EMAIL);
  const two = await openAffiliateShop(service, await newSibling(service, project), EMAIL);
  const shops = [one, two];
  expect(two.partnerId).toBe(one.partnerId);
  const joined = (await one.feed()).filter(({ type }) => type === 'participant.created');
  expect(joined.map(({ data }) => data.participant)).toEqual([
    { participantId: one.participantId, kind: 'individual', externalId: null },
  ]);

  // A click brings a signup, a purchase earns cash.
  for (const shop of shops) {
    expect(await signUpByClick(shop, 'bob')).toMatchObject({
      identified: true,
      attribution: { referrerParticipantId: shop.participantId },
    });
    await shop.buy('bob', 'first');
    expect(await shop.rewards()).toMatchObject([
      { benefitKind: 'cash', money: { netAmountMinor: '2000' }, fulfillmentStatus: 'pending' },
    ]);
  }

  // Nothing is paid before the Partner said where to.
  const projectIds = shops.map((shop) => shop.project.projectId);
  const draft = async () =>
    (await one.post('/v1/payout-batches', { projectIds, method: 'manual_export' })).body.data;
  expect((await draft()).totals).toEqual([]);
  const grace = new Visitor(service);
  await grace.signIn(EMAIL);
  const before = (await grace.get('/partner')).html;
  expect(before).toContain('Add your payout details to be paid.');
  for (const { code, linkUrl } of shops) {
    expect(before).toContain(code);
    expect(before).toContain(linkUrl);
  }
  await grace.post('/partner/details', {
    kind: 'iban',
    holderName: 'Grace Hopper',
    country: 'DE',
    currency: 'EUR',
    iban: 'DE89370400440532013000',
  });

  // One transfer for both Projects; each has one event with its own line.
  const batch = await draft();
  expect(batch.totals).toMatchObject([{ amountMinor: '4000', payoutCount: 1 }]);
  await one.post(`/v1/payout-batches/${batch.id}/approve`);
  await one.post(`/v1/payout-batches/${batch.id}/submit`);
  expect((await grace.get('/partner')).html).toMatch(/\$40\.00.*On its way/);
  const { body: csv } = await service.call('GET', `/v1/payout-batches/${batch.id}/export`, {
    as: project.key,
    query: { projectId: project.projectId },
  });
  expect(csv).toContain('DE89370400440532013000');
  const [payout] = (await one.read('/v1/payouts', { batchId: batch.id })).data;
  await two.post(`/v1/payouts/${payout.id}/result`, { outcome: 'paid', reference: 'SEPA-1' });
  await service.runPayouts();
  for (const shop of shops) {
    const [event, ...others] = await payoutEvents(shop);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'payout.paid',
      data: { payout: { id: payout.id, amountMinor: '2000' } },
    });
    expect(event?.data.payout.rewards).toHaveLength(1);
  }
  const paid = (await grace.get('/partner')).html;
  expect(paid).toMatch(
    /Earned<\/dt><dd>\$40\.00.*\n.*Paid<\/dt><dd>\$40\.00.*\n.*Not paid yet<\/dt><dd>\$0\.00/,
  );
  expect((await grace.get('/partner/payouts')).html).toMatch(/\$40\.00.*Paid/);

  // Suspended, it earns nothing; what it had earned stays.
  const act = (action: string) =>
    service.call('POST', `/v1/partners/${one.partnerId}/${action}`, { as: 'operator', body: {} });
  await act('suspend');
  for (const shop of shops) {
    await shop.buy('bob', 'while suspended');
    expect(await shop.rewards()).toHaveLength(1);
  }
  expect((await grace.get('/partner')).html).toContain('You are suspended');
  await act('reinstate');
  for (const shop of shops) await shop.buy('bob', 'reinstated');
  const again = (await grace.get('/partner')).html;
  expect(again).not.toContain('suspended');
  expect(again).toMatch(/Not paid yet<\/dt><dd>\$40\.00/);

  // A payout that came back is paid by the next one.
  const returned = { outcome: 'returned', failureReason: 'other' };
  await one.post(`/v1/payouts/${payout.id}/result`, returned);
  await service.runPayouts();
  expect((await grace.get('/partner')).html).toMatch(
    /Returned.*The amount is included in the next payout/,
  );
  expect((await draft()).totals).toMatchObject([{ amountMinor: '8000', payoutCount: 1 }]);

  // Erased in one Project it still is a Partner; with the last it is gone, and so is who was signed in.
  const erase = (shop: AffiliateShop) =>
    service.call('DELETE', `/v1/participants/${shop.participantId}`, {
      as: shop.project.key,
      query: { projectId: shop.project.projectId, force: true },
    });
  service.clock.advance(HOUR_MS);
  await erase(one);
  const half = (await grace.get('/partner')).html;
  expect(half).toContain(two.code);
  expect(half).not.toContain(one.code);
  await erase(two);
  const gone = await grace.get('/partner');
  expect(gone.html).toContain('Send me a link');
  expect((await grace.get('/partner/rewards')).location).toBe('/partner');
  const left = await service.database.reads.query(
    `select 1 from partner_sessions union all select 1 from partner_sign_in_links
     union all select 1 from payout_details`,
  );
  expect(left).toEqual([]);
  const { body } = await service.call('GET', `/v1/partners/${one.partnerId}`, { as: 'operator' });
  expect(body.data).toMatchObject({ name: null, email: null, participants: [] });
  for (const {
    project: { projectId },
  } of shops) {
    expect((await verifyProject(service.database, projectId)).kept).toEqual([]);
  }
});
