import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAgent, type TestAgent } from '../agent.ts';
import { becomePartner } from '../become-partner.ts';
import { startService, type TestService } from '../harness.ts';
import { openReviewOf } from '../open-review.ts';
import { readDatabase } from '../read-database.ts';
import { openShop, type Shop } from '../shop.ts';
import { addEndpoint } from '../webhook-rows.ts';

const CASH = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '500',
  currency: 'USD',
  currencyExponent: 2,
};

let service: TestService;
let shop: Shop;
let agent: TestAgent;
let ruleId: string;
let voidedId: string;
let rewardId: string;
let eventId: string;
let reviewId: string;
let decidedId: string;
let endpointId: string;
let disabledId: string;
let unverifiedId: string;
let rejectedId: string;
let approvedId: string;

/** As the agent's calls, by the API itself. */
const callRoute = (method: 'POST', path: string, body: object) =>
  service.call(method, path, {
    as: shop.project.key,
    body: { projectId: shop.project.projectId, ...body },
  });

beforeAll(async () => {
  service = await startService();
  shop = await openShop(service);
  await shop.addRule(CASH);
  const earned = async (order: string) => {
    service.clock.advance(1);
    return (await shop.buy(order)).cash as string;
  };
  voidedId = await earned('1');
  rewardId = await earned('2');
  ({ eventId } = (await shop.read(`/v1/rewards/${rewardId}`)).body);
  await callRoute('POST', `/v1/rewards/${voidedId}/void`, { reasonCode: 'error' });
  const { programId } = shop;
  ruleId = (await shop.read(`/v1/programs/${programId}/benefit-rules`)).body.data[0].id;
  reviewId = await openReviewOf(service, shop);
  await shop.signUp('carol');
  decidedId = await openReviewOf(service, shop, 'carol');
  await callRoute('POST', `/v1/risk-reviews/${decidedId}/decision`, { decision: 'approve' });
  const { projectId } = shop.project;
  ({ endpointId } = await addEndpoint(service, projectId));
  ({ endpointId: disabledId } = await addEndpoint(service, projectId));
  await service.call('PATCH', `/v1/webhook-endpoints/${disabledId}`, {
    as: shop.project.key,
    body: { projectId, enabled: false },
  });
  await becomePartner(service, shop.project, 'grace@example.com', {
    beforeApproval: async (partnerProgram) => {
      const apply = async (email: string) => {
        const person = { name: 'Ada', email, profileType: 'individual' };
        const body = { programId: partnerProgram, ...person };
        return (await callRoute('POST', '/v1/partner-applications', body)).body.data.id;
      };
      unverifiedId = await apply('early@example.com');
      rejectedId = await apply('no@example.com');
      await callRoute('POST', `/v1/partner-applications/${rejectedId}/reject`, {});
    },
  });
  const applications = (await shop.read('/v1/partner-applications', { status: 'approved' })).body;
  approvedId = applications.data[0].id;
  agent = await connectAgent(service, shop.project.key);
});
afterAll(async () => {
  await agent?.close();
  await service.close();
});

interface Refusal {
  readonly tool: string;
  readonly args: () => object;
  readonly path: () => string;
  readonly body: object;
}

const terms = (more: object) => ({
  tool: 'publish_terms',
  args: () => ({ ruleId, terms: more }),
  path: () => `/v1/benefit-rules/${ruleId}/terms`,
  body: { terms: more },
});

const REFUSALS: Readonly<Record<string, Refusal>> = {
  'terms that are fixed and a rate': terms({
    ...CASH,
    durationMode: 'forever',
    rateBps: 100,
  }),
  'terms of an unknown unit': terms({
    benefitKind: 'custom',
    customUnitId: 'unt_none',
    quantity: 1,
    durationMode: 'forever',
  }),
  'terms after a version that is not the newest': {
    ...terms(CASH),
    args: () => ({ ruleId, terms: { ...CASH, durationMode: 'forever' }, afterVersion: 0 }),
    body: { terms: { ...CASH, durationMode: 'forever' }, afterVersion: 0 },
  },
  'another void without a reason': {
    tool: 'void_reward',
    args: () => ({ rewardId, reasonCode: 'other' }),
    path: () => `/v1/rewards/${rewardId}/void`,
    body: { reasonCode: 'other' },
  },
  'a void after another one': {
    tool: 'void_reward',
    args: () => ({ rewardId: voidedId, reasonCode: 'fraud' }),
    path: () => `/v1/rewards/${voidedId}/void`,
    body: { reasonCode: 'fraud' },
  },
  'the retry of a voided reward': {
    tool: 'retry_reward',
    args: () => ({ rewardId: voidedId }),
    path: () => `/v1/rewards/${voidedId}/retry`,
    body: {},
  },
  'the retry of an event that did not fail': {
    tool: 'retry_event',
    args: () => ({ id: eventId }),
    path: () => `/v1/events/${eventId}/retry`,
    body: {},
  },
  'the other decision of a review': {
    tool: 'decide_review',
    args: () => ({ id: decidedId, decision: 'reject' }),
    path: () => `/v1/risk-reviews/${decidedId}/decision`,
    body: { decision: 'reject' },
  },
  'the approval of somebody unverified': {
    tool: 'approve_application',
    args: () => ({ partnerRequestId: unverifiedId }),
    path: () => `/v1/partner-applications/${unverifiedId}/approve`,
    body: {},
  },
  'the approval of a rejected application': {
    tool: 'approve_application',
    args: () => ({ partnerRequestId: rejectedId }),
    path: () => `/v1/partner-applications/${rejectedId}/approve`,
    body: {},
  },
  'the rejection of an approved application': {
    tool: 'reject_application',
    args: () => ({ partnerRequestId: approvedId }),
    path: () => `/v1/partner-applications/${approvedId}/reject`,
    body: {},
  },
  'a replay of nothing': {
    tool: 'replay_deliveries',
    args: () => ({ endpointId }),
    path: () => `/v1/webhook-endpoints/${endpointId}/replay`,
    body: {},
  },
  'a replay of an unknown event': {
    tool: 'replay_deliveries',
    args: () => ({ endpointId, eventIds: ['wev_none'] }),
    path: () => `/v1/webhook-endpoints/${endpointId}/replay`,
    body: { eventIds: ['wev_none'] },
  },
  'a replay to a disabled endpoint': {
    tool: 'replay_deliveries',
    args: () => ({ endpointId: disabledId, since: '2020-01-01T00:00:00Z' }),
    path: () => `/v1/webhook-endpoints/${disabledId}/replay`,
    body: { since: '2020-01-01T00:00:00Z' },
  },
  'a status that does not follow': {
    tool: 'set_program_status',
    args: () => ({ programId: shop.programId, status: 'archived' }),
    path: () => `/v1/programs/${shop.programId}/status`,
    body: { status: 'archived' },
  },
  'an unknown plan': {
    tool: 'apply_plan',
    args: () => ({ planId: 'pln_none' }),
    path: () => '/v1/program-plans/pln_none/apply',
    body: {},
  },
};

test.each(Object.entries(REFUSALS))('a preview of %s is refused as the call is', async (_, one) => {
  const { error } = (await callRoute('POST', one.path(), one.body)).body;
  expect(error.code).toMatch(/INVALID_REQUEST|NOT_FOUND|CONFLICT/);
  const { code, reason, message, details } = await agent.refusal(one.tool, one.args());
  expect({ code, reason, message, details }).toEqual({
    code: error.code,
    reason: error.reason,
    message: error.message,
    details: error.details,
  });
});

test('a preview changes nothing, whatever the tool', async () => {
  const { programId } = shop;
  const { file } = await agent.use('read_definition', { programId });
  const definition = file.replace(/holdDays: \d+/, 'holdDays: 14');
  const { data: plan } = await agent.use('plan_program', { programId, definition });
  const [event] = await shop.feed();
  const changes: [string, object][] = [
    ['void_reward', { rewardId, reasonCode: 'fraud' }],
    ['retry_reward', { rewardId }],
    ['decide_review', { id: reviewId, decision: 'reject' }],
    ['approve_application', { partnerRequestId: approvedId }],
    ['reject_application', { partnerRequestId: unverifiedId }],
    ['replay_deliveries', { endpointId, eventIds: [event?.id] }],
    ['replay_deliveries', { endpointId, since: '2020-01-01T00:00:00Z' }],
    ['publish_terms', { ruleId, terms: { ...CASH, durationMode: 'forever' } }],
    ['apply_plan', { planId: plan.planId }],
    ['set_program_status', { programId, status: 'paused' }],
  ];
  const before = await readDatabase(service);
  for (const [tool, args] of changes) {
    expect(await agent.use(tool, args), tool).toMatchObject({ isDone: false, result: null });
  }
  expect(await readDatabase(service)).toBe(before);
});

describe('terms', () => {
  /** Good terms with a few changes, many of which cannot be published. */
  const someTerms = fc
    .subarray<object>(
      [
        { rateBps: 100 },
        { calculation: 'percentage' },
        { fixedAmountMinor: '0' },
        { fixedAmountMinor: '900' },
        { currency: 'EUR' },
        { currency: 'XXX' },
        { currencyExponent: 3 },
        { benefitKind: 'credit' },
        { benefitKind: 'discount' },
        { durationMode: 'months' },
        { durationMonths: 3 },
        { maxRewardsPerBeneficiary: 2 },
        { enabled: false },
      ],
      { maxLength: 3 },
    )
    .map((changes) => Object.assign({}, CASH, { durationMode: 'forever' }, ...changes));

  test('what a preview accepts is published, and what it refuses is not', async () => {
    const seen = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(someTerms, async (given) => {
        const args = { ruleId, terms: given };
        const preview = await agent.use('publish_terms', args).catch(() => undefined);
        if (preview) {
          const { confirmationToken } = preview;
          const done = await agent.use('publish_terms', { ...args, confirmationToken });
          expect(done).toMatchObject({ isDone: true });
          seen.accepted += 1;
        } else {
          const path = `/v1/benefit-rules/${ruleId}/terms`;
          const { status } = await callRoute('POST', path, { terms: args.terms });
          expect(status).toBe(400);
          seen.refused += 1;
        }
      }),
      { numRuns: 60, seed: 7 },
    );
    expect(seen.accepted).toBeGreaterThan(5);
    expect(seen.refused).toBeGreaterThan(15);
  });

  test('a version that somebody else published after the preview is not replaced unseen', async () => {
    const args = { ruleId, terms: { ...CASH, durationMode: 'forever' } };
    const { confirmationToken, preview } = await agent.use('publish_terms', args);
    const { version } = preview.current.terms;
    expect(preview.request.body).toMatchObject({ afterVersion: version });
    await callRoute('POST', `/v1/benefit-rules/${ruleId}/terms`, { terms: args.terms });
    const confirmed = { ...args, confirmationToken };
    expect(await agent.refusal('publish_terms', confirmed)).toMatchObject({
      code: 'CONFLICT',
      reason: 'version_outdated',
    });
    const next = await agent.use('publish_terms', args);
    const again = { ...args, confirmationToken: next.confirmationToken };
    const done = await agent.use('publish_terms', again);
    expect(done.result.data).toMatchObject({ version: version + 2 });
    expect(await agent.use('publish_terms', again)).toEqual(done);
  });
});

test('a plan that was outdated after the preview is refused, and so is its preview', async () => {
  const { programId } = shop;
  const { file } = await agent.use('read_definition', { programId });
  const definition = file.replace(/holdDays: \d+/, 'holdDays: 21');
  const { data: plan } = await agent.use('plan_program', { programId, definition });
  const args = { planId: plan.planId };
  const { confirmationToken } = await agent.use('apply_plan', args);
  await callRoute('POST', `/v1/benefit-rules/${ruleId}/terms`, {
    terms: { ...CASH, durationMode: 'forever' },
  });
  const outdated = { code: 'CONFLICT', reason: 'plan_outdated' };
  expect(await agent.refusal('apply_plan', { ...args, confirmationToken })).toMatchObject(outdated);
  expect(await agent.refusal('apply_plan', args)).toMatchObject(outdated);
});
