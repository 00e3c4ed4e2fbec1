import { afterAll, beforeAll, expect, test } from 'vitest';
import { flushUsage } from '../../src/accounts/workspaces/usage/worker.ts';
import { HOUR_MS } from '../../src/platform/kit/instant.ts';
import { addEndpoint, listen } from '../endpoints.ts';
import { followLink } from '../follow-link.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';
import { openPayoutShop } from '../payout-shop.ts';
import { openShop } from '../shop.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

const PAGE = 'https://shop.example.com';
let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

async function doneOf({ projectId }: TestProject): Promise<string[]> {
  const { status, body } = await service.call('GET', '/v1/first-steps', {
    as: 'operator',
    query: { projectId },
  });
  expect(status).toBe(200);
  return body.data
    .filter(({ isDone }: { isDone: boolean }) => isDone)
    .map(({ step }: { step: string }) => step);
}

const flush = () => flushUsage(service.database, service.built.usage);

async function usesOf({ projectId }: TestProject) {
  const [row] = await service.database.reads.query<{ uses: Record<string, string> }>(
    'select first_uses as uses from projects where id = $1',
    [projectId],
  );
  return row?.uses;
}

test('an API key that nobody used ticks nothing; its first call does', async () => {
  const project = await service.newProject();
  expect(await doneOf(project)).toEqual([]);
  const call = () =>
    service.call('GET', '/v1/programs', {
      as: project.key,
      query: { projectId: project.projectId },
    });
  await call();
  expect(await doneOf(project)).toEqual(['api_key']);
  const at = service.clock.now;
  await flush();
  service.clock.advance(HOUR_MS);
  await call();
  await flush();
  expect(await usesOf(project)).toEqual({ api_key: at });
});

test('a key that is refused for a project ticks nothing there', async () => {
  const [one, other] = [await service.newProject('sandbox'), await service.newProject('live')];
  const { status } = await service.call('GET', '/v1/programs', {
    as: one.key,
    query: { projectId: other.projectId },
  });
  expect(status).toBe(404);
  expect(await doneOf(other)).toEqual([]);
});

test('what the product has reported is ticked', async () => {
  const shop = await openShop(service);
  const done = await doneOf(shop.project);
  for (const step of ['program', 'source', 'first_event', 'first_signup']) {
    expect(done).toContain(step);
  }
  for (const step of ['landing_script', 'delivery', 'widget']) expect(done).not.toContain(step);
});

test('the landing script is seen when a page of an allowed origin reports a landing', async () => {
  const { project } = await openShop(service);
  const { projectId, projectKey } = project;
  await service.call('PATCH', `/v1/projects/${projectId}`, {
    as: 'operator',
    body: { allowedOrigins: [PAGE] },
  });
  const land = (headers: Record<string, string>) =>
    service.call('POST', '/v1/clicks', { body: { projectKey, ref: 'ada' }, headers });
  await land({});
  await land({ origin: 'https://elsewhere.example.com' });
  expect(await doneOf(project)).not.toContain('landing_script');
  await land({ origin: PAGE });
  expect(await doneOf(project)).toContain('landing_script');
});

test('a link is followed when a browser opens it, not when a page reports a code', async () => {
  const { project } = await openShop(service);
  const { projectKey } = project;
  const landed = await service.call('POST', '/v1/clicks', { body: { projectKey, ref: 'ada' } });
  expect(landed.body.handle).toMatch(/^hdl_/);
  await service.flushClicks();
  expect(await doneOf(project)).not.toContain('first_click');
  const { status } = await followLink(`${service.url}/l/${projectKey}/ada`);
  expect(status).toBe(302);
  await service.flushClicks();
  expect(await doneOf(project)).toContain('first_click');
});

test('the widget is seen when somebody opens it, not when its secret is made', async () => {
  const { project } = await openShop(service);
  const { secret } = await newWidgetSecret(service, project);
  expect(await doneOf(project)).not.toContain('widget');
  const token = await makeSigner(service, project, secret)();
  const { status } = await service.call('POST', '/v1/widget/init', {
    body: { projectId: project.projectId },
    headers: { authorization: `Bearer ${token}` },
  });
  expect(status).toBe(200);
  expect(await doneOf(project)).toContain('widget');
});

test('rewards arrive when a webhook was delivered', async () => {
  const shop = await openShop(service);
  const listener = await listen();
  try {
    listener.answer = () => 500;
    await addEndpoint(service, shop.project, { url: listener.url, fulfillmentMode: 'explicit' });
    await shop.signUp('carol');
    expect(await service.dispatch()).toBeGreaterThan(0);
    expect(await doneOf(shop.project)).not.toContain('delivery');
    listener.answer = () => 200;
    service.clock.advance(HOUR_MS);
    expect(await service.dispatch()).toBeGreaterThan(0);
    expect(await doneOf(shop.project)).toContain('delivery');
  } finally {
    await listener.close();
  }
});

test('rewards arrive when a payout was made, or when the product granted one', async () => {
  const paying = await openPayoutShop(service);
  await paying.earn('1');
  const { payouts } = await paying.submit();
  expect(await doneOf(paying.project)).not.toContain('delivery');
  await paying.result(payouts[0].id, 'paid', { reference: 'SEPA-1' });
  expect(await doneOf(paying.project)).toContain('delivery');

  const granting = await openPayoutShop(service);
  await granting.setDelivery({ cashMethod: 'manual' });
  const [rewardId] = await granting.earn('1');
  expect(await doneOf(granting.project)).not.toContain('delivery');
  await granting.post(`/v1/rewards/${rewardId}/fulfillment`, { externalReference: 'grant-1' });
  expect(await doneOf(granting.project)).toContain('delivery');
});

test('what one process has seen, all know once it is saved, and saving it again changes nothing', async () => {
  const { project } = await openShop(service);
  const { usage } = service.built;
  usage.noteFirst(project.projectId, 'widget');
  const at = service.clock.now;
  await flush();
  service.clock.advance(1_000);
  usage.giveBack({
    keys: new Map(),
    projects: new Map([[project.projectId, { widget: service.clock.now }]]),
  });
  await flush();
  expect((await usesOf(project))?.widget).toBe(at);
});
