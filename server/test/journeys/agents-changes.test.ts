import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addKey, connectAgent, type TestAgent } from '../agent.ts';
import { becomePartner } from '../become-partner.ts';
import { startService, type TestService } from '../harness.ts';
import { openReviewOf } from '../open-review.ts';
import { openShop, type Shop } from '../shop.ts';
import { addEndpoint } from '../webhook-rows.ts';

const CASH = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '500',
  currency: 'USD',
  currencyExponent: 2,
};
const MINUTE_MS = 60_000;

let service: TestService;
let shop: Shop;
let agent: TestAgent;
let rewardId: string;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openShop(service);
  await shop.addRule(CASH);
  rewardId = (await shop.buy('order-1')).cash as string;
  agent = await connectAgent(service, shop.project.key, { name: 'support-bot' });
  return () => agent.close();
});

const rewardNow = async () => (await shop.read(`/v1/rewards/${rewardId}`)).body;
const voids = async () => (await shop.feed()).filter(({ type }) => type === 'reward.voided');
const auditOf = async (targetId: string) => {
  const { workspaceId } = shop.project;
  const answer = await service.call('GET', '/v1/audit-log', {
    as: 'operator',
    query: { workspaceId, targetId },
  });
  return answer.body.data;
};

describe('a change takes two calls', () => {
  const args = () => ({ rewardId, reasonCode: 'fraud', reason: 'Same card' });

  test('the first shows what would happen, and changes nothing', async () => {
    const seen = await rewardNow();
    const first = await agent.use('void_reward', args());
    expect(first).toMatchObject({
      isDone: false,
      result: null,
      preview: {
        request: {
          method: 'POST',
          path: `/v1/rewards/${rewardId}/void`,
          body: { projectId: shop.project.projectId, reasonCode: 'fraud' },
        },
        current: { reward: { id: rewardId, void: null } },
      },
    });
    expect(first.preview.effects[0]).toContain('It is worth 5.00 USD.');
    expect(await rewardNow()).toEqual(seen);
  });

  test('the second does it, and the audit log names the agent', async () => {
    const { confirmationToken } = await agent.use('void_reward', args());
    const second = await agent.use('void_reward', { ...args(), confirmationToken });
    expect(second).toMatchObject({
      isDone: true,
      preview: null,
      result: { id: rewardId, void: { reasonCode: 'fraud' } },
    });
    expect(await rewardNow()).toMatchObject({ fulfillmentStatus: 'cancelled' });
    expect(await auditOf(rewardId)).toMatchObject([
      { action: 'reward.void', actorType: 'key', agent: 'support-bot 1.2.3' },
    ]);
  });

  test('a repeat returns the first answer, also at once and by another connection', async () => {
    const { confirmationToken } = await agent.use('void_reward', args());
    const confirmed = { ...args(), confirmationToken };
    const other = await connectAgent(service, shop.project.key);
    const answers = await Promise.all(
      [agent, other, agent].map((one) => one.use('void_reward', confirmed)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await voids()).toHaveLength(1);
    await other.close();
  });

  test('a token confirms one change: a second preview has its own', async () => {
    const [one, two] = [
      await agent.use('void_reward', args()),
      await agent.use('void_reward', args()),
    ];
    expect(one.confirmationToken).not.toBe(two.confirmationToken);
    for (const { confirmationToken } of [one, two]) {
      const done = await agent.use('void_reward', { ...args(), confirmationToken });
      expect(done.isDone).toBe(true);
    }
    expect(await voids()).toHaveLength(1);
  });

  test('a token expires after ten minutes', async () => {
    const { confirmationToken, expiresAt } = await agent.use('void_reward', args());
    service.clock.advance(10 * MINUTE_MS);
    expect(expiresAt).toBe(service.clock.now);
    expect(await agent.refusal('void_reward', { ...args(), confirmationToken })).toMatchObject({
      reason: 'confirmation_expired',
    });
    expect(await voids()).toEqual([]);
  });

  test('a token is refused for other arguments, another tool and another key', async () => {
    const { confirmationToken } = await agent.use('void_reward', args());
    const invalid = { code: 'INVALID_REQUEST', reason: 'confirmation_invalid' };
    for (const other of [{ reasonCode: 'error' }, { reason: 'Other card' }, { reason: null }]) {
      const altered = { ...args(), ...other, confirmationToken };
      expect(await agent.refusal('void_reward', altered)).toMatchObject(invalid);
    }
    expect(await agent.refusal('retry_reward', { rewardId, confirmationToken })).toMatchObject(
      invalid,
    );
    const { key } = await addKey(service, shop.project, 'full');
    const other = await connectAgent(service, key);
    expect(await other.refusal('void_reward', { ...args(), confirmationToken })).toMatchObject(
      invalid,
    );
    await other.close();
    const altered = `${confirmationToken.slice(0, -6)}AAAAAA`;
    expect(
      await agent.refusal('void_reward', { ...args(), confirmationToken: altered }),
    ).toMatchObject(invalid);
    expect(await voids()).toEqual([]);
  });

  test('a token is refused in another project', async () => {
    const { workspaceId } = shop.project;
    const body = { workspaceId, name: 'Second', environment: 'sandbox' };
    const made = await service.call('POST', '/v1/projects', { as: 'operator', body });
    const { projectId } = shop.project;
    const { confirmationToken } = await agent.use('void_reward', { ...args(), projectId });
    expect(
      await agent.refusal('void_reward', {
        ...args(),
        projectId: made.body.data.id,
        confirmationToken,
      }),
    ).toMatchObject({ reason: 'confirmation_invalid' });
  });

  test('what the route refuses when it is confirmed is refused', async () => {
    const { confirmationToken } = await agent.use('void_reward', args());
    await shop.post(`/v1/rewards/${rewardId}/void`, { reasonCode: 'error' });
    expect(await agent.refusal('void_reward', { ...args(), confirmationToken })).toMatchObject({
      code: 'CONFLICT',
      reason: 'void_facts_differ',
    });
  });

  test('a preview of what does not exist is refused', async () => {
    for (const [tool, args] of [
      ['void_reward', { rewardId: 'rwd_none', reasonCode: 'fraud' }],
      ['decide_review', { id: 'rvw_none', decision: 'approve' }],
      ['approve_application', { partnerRequestId: 'app_none' }],
      ['replay_deliveries', { endpointId: 'whe_none', eventIds: ['wev_none'] }],
      ['publish_terms', { ruleId: 'rul_none', terms: CASH }],
      ['set_program_status', { programId: 'prg_none', status: 'paused' }],
      ['retry_event', { id: 'evt_none' }],
    ] as const) {
      expect(await agent.refusal(tool, args), tool).toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('what support needs', () => {
  /** Previews and confirms, which returns the same when it is repeated. */
  async function change(tool: string, args: object) {
    const { confirmationToken, preview } = await agent.use(tool, args);
    const { result } = await agent.use(tool, { ...args, confirmationToken });
    service.clock.advance(1_000);
    const again = await agent.use(tool, { ...args, confirmationToken });
    expect(again).toMatchObject({ isDone: true, result });
    return { effects: preview.effects as string[], result };
  }

  test('decides a review', async () => {
    const id = await openReviewOf(service, shop);
    const { effects, result } = await change('decide_review', { id, decision: 'approve' });
    expect(effects[0]).toBe('The referral is approved: 1 held reward (5.00 USD) can be delivered.');
    expect(result.data).toMatchObject({ id, status: 'approved' });
  });

  test('replays a delivery', async () => {
    const { endpointId } = await addEndpoint(service, shop.project.projectId);
    const [event] = await shop.feed();
    const { result } = await change('replay_deliveries', { endpointId, eventIds: [event?.id] });
    expect(result).toEqual({ success: true, queued: 1 });
  });

  test('publishes terms', async () => {
    const { rules } = await agent.use('read_terms', { programId: shop.programId });
    const terms = { ...CASH, fixedAmountMinor: '700', durationMode: 'forever' };
    const args = { ruleId: rules[0].id, terms };
    const { effects, result } = await change('publish_terms', args);
    expect(effects[0]).toBe('Version 2 of the terms is published.');
    expect(result.data).toMatchObject({ version: 2, fixedAmountMinor: '700' });
  });

  test('changes a program by a plan of its file', async () => {
    const { programId } = shop;
    const { file } = await agent.use('read_definition', { programId });
    const definition = file.replace(/holdDays: \d+/, 'holdDays: 14');
    const { data: plan } = await agent.use('plan_program', { programId, definition });
    expect(plan).toMatchObject({ isEmpty: false, programId });
    const { effects, result } = await change('apply_plan', { planId: plan.planId });
    expect(effects).toEqual([
      'Changes deliverySettings.holdDays from 0 to 14, for rewards earned from now on.',
    ]);
    expect(result.data).toMatchObject({ planId: plan.planId, programId });
    const { preview } = await agent.use('apply_plan', { planId: plan.planId });
    expect(preview.effects[0]).toContain('Applying it again changes nothing.');
    expect(await auditOf(programId)).toContainEqual(
      expect.objectContaining({ agent: expect.stringContaining('support-bot') }),
    );
  });

  test('pauses a program', async () => {
    const args = { programId: shop.programId, status: 'paused' };
    const { effects, result } = await change('set_program_status', args);
    expect(effects).toEqual(['The status of the program changes from active to paused.']);
    expect(result.data).toMatchObject({ status: 'paused' });
  });

  test('retries a reward, and no event that did not fail', async () => {
    const reward = await change('retry_reward', { rewardId });
    expect(reward.effects[0]).toContain('is pending, not failed');
    expect(reward.result).toMatchObject({ id: rewardId, fulfillmentStatus: 'pending' });
    const { eventId } = await rewardNow();
    const refused = await agent.refusal('retry_event', { id: eventId });
    expect(refused).toMatchObject({ code: 'CONFLICT', reason: 'invalid_transition' });
  });

  test('approves an application', async () => {
    const seen: object[] = [];
    const partner = await becomePartner(service, shop.project, 'grace@example.com', {
      beforeApproval: async (programId) => {
        const { data } = await agent.use('list_applications', { programId, status: 'pending' });
        const { effects, result } = await change('approve_application', {
          partnerRequestId: data[0].id,
        });
        seen.push(result.data);
        expect(effects).toEqual(['The partner joins the program.']);
      },
    });
    expect(seen).toMatchObject([{ status: 'approved', participantId: partner.participantId }]);
  });

  test('rejects an application', async () => {
    await becomePartner(service, shop.project, 'hopper@example.com', {
      beforeApproval: async (programId) => {
        const { data } = await agent.use('list_applications', { programId });
        const args = { partnerRequestId: data[0].id, reason: 'Spam' };
        const { result } = await change('reject_application', args);
        expect(result.data).toMatchObject({ status: 'rejected', participantId: null });
      },
    }).catch(() => undefined);
    const { data } = await agent.use('list_applications', { status: 'rejected' });
    expect(data).toMatchObject([{ rejectionReason: 'Spam' }]);
  });
});

test('a plain call of the API names no agent', async () => {
  await shop.post(`/v1/rewards/${rewardId}/void`, { reasonCode: 'error' });
  expect(await auditOf(rewardId)).toMatchObject([{ action: 'reward.void', agent: null }]);
});
