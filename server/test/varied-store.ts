import { followLink } from './follow-link.ts';
import type { TestProject, TestService } from './harness.ts';

/** A Project in which nearly everything has happened that a Project can tell of. */
export interface VariedProject extends TestProject {
  /** By the ids their facts were given. */
  readonly eventIds: Readonly<Record<string, string>>;
}

const person = (externalId: string) => ({ kind: 'individual', externalId });
const FOREVER = { durationMode: 'forever' };
const PERCENT = { benefitKind: 'cash', calculation: 'percentage', rateBps: 333, ...FOREVER };
const CREDIT = { benefitKind: 'credit', currency: 'USD', currencyExponent: 2 };
const POINTS = { key: 'points', name: 'point', namePlural: 'points' };

export async function fillProject(service: TestService): Promise<VariedProject> {
  const project = await service.newProject();
  const call = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body: object) => {
    // Facts a millisecond apart, so that times can be told apart, too.
    service.clock.advance(1);
    const answer = await service.call(method, path, {
      as: project.key,
      body: { projectId: project.projectId, ...body },
    });
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const write = (path: string, body: object) => call('POST', path, body);
  const { sourceNamespaceId } = await write('/v1/sources', {});

  const newProgram = async (kind: string) => {
    const config = { brandConfig: { landingPageUrl: 'https://example.com/' } };
    const { data } = await write('/v1/programs', {
      kind,
      name: kind,
      ...(kind === 'loyalty' ? {} : { config }),
    });
    await write(`/v1/programs/${data.id}/status`, { status: 'active' });
    return data.id as string;
  };
  const newRule = async (
    programId: string,
    eventType: string,
    beneficiaryRole: string,
    terms: object,
  ) => {
    const { data } = await write('/v1/benefit-rules', {
      programId,
      eventType,
      beneficiaryRole,
      purpose: 'bonus',
      name: 'Thanks',
      terms,
    });
    return data.id as string;
  };
  const invite = await newProgram('referral');
  const late = await newProgram('referral');
  const loyalty = await newProgram('loyalty');
  await write(`/v1/programs/${late}/attribution-policies`, { bindingTrigger: 'subscription' });
  await call('PUT', `/v1/programs/${invite}/delivery-settings`, {
    holdDays: 14,
    cashMethod: 'payout',
    creditMethod: 'operator',
    discountMethod: 'manual',
    customMethod: 'operator',
  });
  await newRule(invite, 'signup', 'referrer', {
    ...CREDIT,
    fixedAmountMinor: '500',
    maxRewardsPerBeneficiary: 2,
  });
  await newRule(invite, 'signup', 'referee', { benefitKind: 'discount', rateBps: 1_000 });
  const percent = await newRule(invite, 'purchase', 'referrer', PERCENT);
  await newRule(invite, 'purchase', 'referee', {
    ...CREDIT,
    fixedAmountMinor: '99',
    refundPolicy: 'full',
    ...FOREVER,
  });
  await newRule(invite, 'custom_visit', 'referrer', {
    benefitKind: 'custom',
    quantity: 3,
    unit: POINTS,
    ...FOREVER,
  });
  await newRule(late, 'purchase', 'referrer', { ...PERCENT, refundPolicy: 'none' });
  await newRule(loyalty, 'purchase', 'subject', {
    benefitKind: 'custom',
    quantity: 10,
    unit: POINTS,
    ...FOREVER,
  });
  await newRule(loyalty, 'signup', 'subject', { ...CREDIT, fixedAmountMinor: '7' });

  const share = (programId: string, externalId: string) =>
    write('/v1/referral-links', { programId, participant: person(externalId), slug: externalId });
  await share(invite, 'ada');
  await share(invite, 'grace');
  await share(late, 'linus');
  for (const slug of ['ada', 'ada', 'linus']) {
    await followLink(`${service.url}/l/${project.projectKey}/${slug}`);
  }
  await service.flushClicks();

  const eventIds: Record<string, string> = {};
  const track = async (sourceEventId: string, body: object) => {
    const told = { sourceNamespaceId, sourceEventId, ...body };
    const { eventId } = await write('/v1/track/events', told);
    eventIds[sourceEventId] = eventId;
  };
  const signUp = (who: string, refCode: string, more: object = {}) =>
    track(`signup-${who}`, { type: 'signup', participant: person(who), refCode, ...more });
  const buy = (who: string, order: string, amountMinor: string, more: object = {}) =>
    track(order, {
      type: 'purchase',
      participant: person(who),
      purchase: { amountMinor, currency: 'USD', ...more },
    });
  const adjust = (kind: string, order: string, amountMinor: string, more: object = {}) =>
    write('/v1/track/adjustments', {
      sourceNamespaceId,
      sourceEventId: `${kind}-${order}-${amountMinor}`,
      purchase: { sourceEventId: order },
      kind,
      amountMinor,
      currency: 'USD',
      currencyExponent: 2,
      occurredAt: service.clock.now,
      ...more,
    });

  await signUp('bob', 'ada');
  await signUp('carol', 'ada', { properties: { plan: 'pro' } });
  await signUp('dave', 'ada');
  await signUp('erin', 'grace');
  await signUp('frank', 'nobody');
  await track('signup-team', {
    type: 'signup',
    participant: { kind: 'group', externalId: 'team' },
    actor: person('bob'),
  });
  await track('visit-bob', { type: 'custom_visit', participant: person('bob') });
  await track('visit-frank', { type: 'custom_visit', participant: person('frank') });

  await buy('bob', 'partly', '9999');
  await adjust('refund', 'partly', '3333');
  await adjust('refund', 'partly', '1');
  await buy('bob', 'wholly', '10000', { invoiceId: 'in-1', taxAmountMinor: '800' });
  await buy('bob', 'wholly-again', '10000', { invoiceId: 'in-1' });
  await adjust('refund', 'wholly', '10000');
  await buy('erin', 'restored', '5000');
  await adjust('dispute', 'restored', '6000');
  await adjust('restoration', 'restored', '4000', { restores: 'dispute-restored-6000' });
  await buy('erin', 'disputed', '2500');
  await adjust('dispute', 'disputed', '500');
  await buy('frank', 'unreferred', '0');
  await track('without-amount', { type: 'purchase', participant: person('dave') });

  await write(`/v1/benefit-rules/${percent}/terms`, {
    terms: { ...PERCENT, rateBps: 1_250 },
  });
  service.clock.advance(24 * 3_600_000);
  await buy('dave', 'second-terms', '123456');

  // One purchase that waited for its signup and was refunded meanwhile, and one that waits.
  await buy('heidi', 'outran', '4000');
  await adjust('refund', 'outran', '1000');
  await signUp('heidi', 'grace');
  await buy('ivan', 'waiting', '4000');
  await adjust('refund', 'waiting', '1500');

  await signUp('judy', 'linus');
  await write('/v1/track/subscriptions', {
    sourceNamespaceId,
    sourceEventId: 'subscribed-judy',
    participant: person('judy'),
    subscriptionId: 'sub-1',
    change: 'started',
    occurredAt: service.clock.now,
  });
  await buy('judy', 'untouched', '20000', { subscriptionId: 'sub-1' });
  await adjust('refund', 'untouched', '20000');
  await buy('erin', 'lost', '1000');
  await adjust('dispute', 'lost', '400');
  await adjust('refund', 'lost', '300');
  const loss = { amountMinor: undefined, closes: 'dispute-lost-400' };
  await adjust('dispute_lost', 'lost', '400', loss);
  // One that came before its purchase.
  await adjust('refund', 'never-reported', '100');

  // One that is under review: its address is that of its referrer.
  await write(`/v1/programs/${invite}/risk-policies`, { mode: 'review', reviewAt: 60 });
  await call('PUT', '/v1/participants', { participant: person('ada'), email: 'ada@example.com' });
  await call('PUT', '/v1/participants', {
    participant: person('mallory'),
    email: 'a.da+2@example.com',
  });
  await signUp('mallory', 'ada');

  const query = { projectId: project.projectId, externalId: 'carol' };
  const found = await service.call('GET', '/v1/participants', { as: project.key, query });
  const erased = `/v1/participants/${found.body.data[0].id}`;
  await service.call('DELETE', erased, {
    as: project.key,
    query: { projectId: project.projectId, force: true },
  });
  return { ...project, eventIds };
}
