import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { copyMissedStatuses, suspendPartner } from '../../src/domain/partners/suspend-partner.ts';
import type { ProjectWriter } from '../../src/platform/feed/writer/writer.ts';
import { ownRequest } from '../../src/platform/http/access/principal.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { type AffiliateShop, newSibling, openAffiliateShop } from '../affiliate-shop.ts';
import { openService, type TestService } from '../harness.ts';

let service: TestService;
let one: AffiliateShop;
let two: AffiliateShop;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  const project = await service.newProject();
  one = await openAffiliateShop(service, project, 'grace@example.com');
  two = await openAffiliateShop(service, await newSibling(service, project), 'grace@example.com');
  expect(two.partnerId).toBe(one.partnerId);
});

const act = (action: 'suspend' | 'reinstate', body: object = {}, partnerId = one.partnerId) =>
  service.call('POST', `/v1/partners/${partnerId}/${action}`, { as: 'operator', body });
const explain = async (shop: AffiliateShop, eventId: string) =>
  (await shop.read(`/v1/events/${eventId}/explanation`)).data;
const follow = async (shop: AffiliateShop) => {
  const { pathname } = new URL(shop.linkUrl);
  const answer = await fetch(service.url + pathname, { redirect: 'manual' });
  return answer.headers.get('location') ?? '';
};
const suspendedIn = async (shop: AffiliateShop) => {
  const [row] = await service.database.reads.query<{ suspendedAt: string | null }>(
    `select suspended_at as "suspendedAt" from participants where project_id = $1 and id = $2`,
    [shop.project.projectId, shop.participantId],
  );
  return row?.suspendedAt;
};
const expectSound = async () => {
  for (const { project } of [one, two]) {
    expect((await verifyProject(service.database, project.projectId)).kept).toEqual([]);
  }
};

describe('a suspended Partner (D-PAY-5, D-ATTR-3)', () => {
  test('brings no new Referral and earns nothing in any Project, until it is reinstated', async () => {
    for (const shop of [one, two]) {
      await shop.signUp('bob');
      await shop.buy('bob', 'before');
      expect(await follow(shop)).toContain(`ref=${shop.code}`);
    }
    expect((await act('suspend', { reason: 'Bids on our name.' })).body.data).toMatchObject({
      status: 'suspended',
      suspendedAt: service.clock.now,
      suspensionReason: 'Bids on our name.',
      participants: [one, two]
        .map(({ project: { projectId }, participantId }) => ({ projectId, participantId }))
        .sort((a, b) => (a.projectId < b.projectId ? -1 : 1)),
    });
    for (const shop of [one, two]) {
      const signup = await shop.signUp('carol');
      expect(signup).toMatchObject({ attribution: null, processingReason: 'referrer_unavailable' });
      expect((await explain(shop, signup.eventId)).candidates).toMatchObject([
        { verdict: 'rejected', reason: 'referrer_unavailable' },
      ]);
      const during = await shop.buy('bob', 'during');
      expect((await explain(shop, during)).rules).toMatchObject([
        { verdict: 'skipped', reason: 'referrer_unavailable', rewardId: null },
      ]);
      expect(await follow(shop)).toBe('https://example.com');
      expect(await shop.rewards()).toHaveLength(1);
    }
    expect((await act('reinstate')).body.data).toMatchObject({
      status: 'active',
      suspendedAt: null,
      suspensionReason: null,
    });
    for (const shop of [one, two]) {
      await shop.buy('bob', 'after');
      expect(await shop.rewards()).toHaveLength(2);
      expect((await shop.signUp('dave')).attribution).toMatchObject({
        referrerParticipantId: shop.participantId,
      });
      expect(await follow(shop)).toContain(`ref=${shop.code}`);
    }
    await expectSound();
  });

  test('a click from before brings nothing either while it lasts', async () => {
    await service.call('PATCH', `/v1/projects/${one.project.projectId}`, {
      as: 'operator',
      body: { allowedOrigins: ['https://example.com'] },
    });
    const { handle } = (
      await service.call('POST', '/v1/clicks', {
        headers: { origin: 'https://example.com' },
        body: { projectKey: one.project.projectKey, ref: one.code },
      })
    ).body;
    await act('suspend');
    const [source] = (await one.read('/v1/sources')).data;
    const { body } = await one.post('/v1/track/events', {
      sourceNamespaceId: source.id,
      type: 'signup',
      participant: { kind: 'individual', externalId: 'erin' },
      identify: { handle },
    });
    expect(body).toMatchObject({ identified: true, processingReason: 'referrer_unavailable' });
  });

  test('is left out of new batches, and of drafts when they are approved', async () => {
    const details = { type: 'paypal', email: 'grace@example.com' } as const;
    for (const shop of [one, two]) {
      service.payees.set(shop.participantId, details);
      await shop.signUp('bob');
      await shop.buy('bob', 'before');
    }
    const projectIds = [one, two].map(({ project }) => project.projectId);
    const draft = async () =>
      (await one.post('/v1/payout-batches', { projectIds, method: 'manual_export' })).body.data;
    const before = await draft();
    expect(before.totals).toMatchObject([{ amountMinor: '4000', payoutCount: 1 }]);
    await act('suspend');
    const approved = await one.post(`/v1/payout-batches/${before.id}/approve`);
    expect(approved.body.data).toMatchObject({ status: 'approved', totals: [] });
    for (const shop of [one, two]) {
      const [payout] = (await shop.read('/v1/payouts', { batchId: before.id })).data;
      expect(payout).toMatchObject({
        status: 'cancelled',
        failureMessage: 'At approval, the partner was suspended.',
      });
      expect(await shop.rewards()).toMatchObject([
        { fulfillmentStatus: 'pending', delivery: { reason: 'awaiting_payout' } },
      ]);
    }
    expect((await draft()).totals).toEqual([]);
    await act('reinstate');
    expect((await draft()).totals).toMatchObject([{ amountMinor: '4000', payoutCount: 1 }]);
    await expectSound();
  });
});

describe('suspending', () => {
  test('again gives the same answer, keeps the first reason and is audited once', async () => {
    const first = await act('suspend', { reason: 'First.' });
    service.clock.advance(60_000);
    expect((await act('suspend', { reason: 'Second.' })).body).toEqual(first.body);
    const back = await act('reinstate');
    service.clock.advance(60_000);
    expect((await act('reinstate')).body).toEqual(back.body);
    const { body } = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId: one.project.workspaceId, limit: 100 },
    });
    const entries = body.data.filter(({ targetId }: { targetId: string }) => {
      return targetId === one.partnerId;
    });
    expect(entries).toMatchObject([
      { action: 'partner.reinstate', changes: { status: 'active' } },
      { action: 'partner.suspend', changes: { status: 'suspended', reason: 'First.' } },
    ]);
  });

  test('cut off between two Projects is finished by the worker', async () => {
    const writer: ProjectWriter = {
      ...service.writer,
      submit: (handler, request, input) =>
        request.projectId === last
          ? Promise.reject(new Error('The process ended.'))
          : service.writer.submit(handler, request, input),
    };
    const [first, last] = [one, two].map(({ project }) => project.projectId).sort();
    const deps = { ...service.dispatchDeps, writer };
    const failures: unknown[] = [];
    const request = ownRequest('', 'test', 'req_test');
    await suspendPartner(
      { ...deps, onFailure: (error) => failures.push(error) },
      request,
      one.partnerId,
      null,
    );
    expect(failures).toHaveLength(1);
    const at = (projectId: string | undefined) =>
      suspendedIn(one.project.projectId === projectId ? one : two);
    expect([await at(first), await at(last)]).toEqual([service.clock.now, null]);
    const whole = { ...service.dispatchDeps, writer: service.writer };
    const run = () => copyMissedStatuses(whole, (error) => failures.push(error));
    // Whoever changed it may still be at it.
    expect(await run()).toBe(0);
    service.clock.advance(60_000);
    expect(await run()).toBe(1);
    expect(await at(last)).toBe(service.clock.now);
    expect(await run()).toBe(0);
    expect(failures).toHaveLength(1);
  });

  test('and reinstating at once, many times, leave every Project as the Partner is', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => act(index % 2 === 0 ? 'suspend' : 'reinstate')),
    );
    service.clock.advance(60_000);
    await copyMissedStatuses({ ...service.dispatchDeps, writer: service.writer }, (error) => {
      throw error;
    });
    const { body } = await service.call('GET', `/v1/partners/${one.partnerId}`, { as: 'operator' });
    for (const shop of [one, two]) {
      expect((await suspendedIn(shop)) !== null).toBe(body.data.status === 'suspended');
    }
  });

  test('what is not there is 404, what was erased 409, a bad reason 400', async () => {
    expect((await act('suspend', {}, 'ptn_nothing')).status).toBe(404);
    expect((await act('reinstate', {}, 'ptn_nothing')).status).toBe(404);
    expect((await act('suspend', { reason: '' })).status).toBe(400);
    expect((await act('suspend', { reason: 'x'.repeat(501) })).status).toBe(400);
    expect((await act('suspend', { why: 'x' })).status).toBe(400);
    for (const { project, participantId } of [one, two]) {
      await service.call('DELETE', `/v1/participants/${participantId}`, {
        as: project.key,
        query: { projectId: project.projectId },
      });
    }
    const answer = await act('suspend');
    expect([answer.status, answer.body.error.reason]).toEqual([409, 'invalid_transition']);
    const { body } = await service.call('GET', `/v1/partners/${one.partnerId}`, { as: 'operator' });
    expect(body.data).toMatchObject({ name: null, email: null, participants: [] });
    expect(body.data.erasedAt).not.toBeNull();
  });
});

test('the list pages newest first, for each filter', async () => {
  const { workspaceId } = one.project;
  const other = await openAffiliateShop(service, one.project, 'ada@example.com');
  await act('suspend');
  const list = async (query: Record<string, string | number>) =>
    (await service.call('GET', '/v1/partners', { as: 'operator', query })).body;
  const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);
  expect(idsOf(await list({ workspaceId }))).toEqual([other.partnerId, one.partnerId]);
  expect(idsOf(await list({ workspaceId, status: 'suspended' }))).toEqual([one.partnerId]);
  expect(idsOf(await list({ workspaceId, status: 'active' }))).toEqual([other.partnerId]);
  expect(idsOf(await list({ status: 'suspended', limit: 1 }))).toEqual([one.partnerId]);
  const first = await list({ workspaceId, limit: 1 });
  const second = await list({ workspaceId, limit: 1, cursor: first.nextCursor });
  expect([...idsOf(first), ...idsOf(second)]).toEqual([other.partnerId, one.partnerId]);
  expect(second.nextCursor).toBeNull();
  const refused = async (query: Record<string, string>) =>
    (await service.call('GET', '/v1/partners', { as: 'operator', query })).status;
  expect(await refused({ workspaceId: 'ws_nothing' })).toBe(404);
  expect(await refused({ cursor: 'rubbish' })).toBe(400);
  expect(await refused({ status: 'gone' })).toBe(400);
});
