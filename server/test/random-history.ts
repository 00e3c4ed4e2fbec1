import { makeTracker } from '../src/domain/tracking/batch/track-event.ts';
import { decideDueOnce } from '../src/domain/tracking/due/worker.ts';
import { listAccounts } from '../src/outbound/payouts/details/account-queries.ts';
import { createKeyring } from '../src/platform/kit/keyring.ts';
import { ROOT_KEY, type TestProject, type TestService } from './harness.ts';
import { makeRandom } from './random.ts';

const HOUR_MS = 3_600_000;
const PEOPLE = 24;
const REFERRERS = ['ada', 'grace', 'linus', 'edith'];
const CREDIT = { benefitKind: 'credit', currency: 'USD', currencyExponent: 2 };
const PERCENT = { benefitKind: 'cash', calculation: 'percentage', durationMode: 'forever' };
const POINTS = { key: 'points', name: 'point', namePlural: 'points' };

export interface RandomHistory extends TestProject {
  /** The referral Program, and its rule for purchases. */
  readonly programId: string;
  readonly percentRuleId: string;
  readonly steps: ReadonlyMap<string, number>;
}

interface Shape {
  /** Without one, nobody earns anything but for referrals. */
  readonly hasLoyalty?: boolean;
  /** People who are not named often: many of them come by themselves. */
  readonly strangers?: number;
}

/**
 * A Project in which all kinds of things happened in a random order: facts that are late, early, repeated and taken back,
 * decisions by hand, and terms and policies that change meanwhile.
 */
export async function fillRandomly(
  service: TestService,
  seed: number,
  steps: number,
  { hasLoyalty = true, strangers = 0 }: Shape = {},
): Promise<RandomHistory> {
  const random = makeRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const project = await service.newProject();
  const { projectId, key, projectKey } = project;
  const counts = new Map<string, number>();
  let facts = 0;
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: object = {},
  ) => {
    service.clock.advance(1 + random(5_000));
    return method === 'GET' || method === 'DELETE'
      ? service.call(method, path, { as: key, query: { projectId, ...body } })
      : service.call(method, path, { as: key, body: { projectId, ...body } });
  };
  const must = async (path: string, body: object, method: 'POST' | 'PUT' = 'POST') => {
    const answer = await send(method, path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { sourceNamespaceId } = await must('/v1/sources', {});
  const config = { brandConfig: { landingPageUrl: 'https://example.com/' } };
  const open = async (kind: string) => {
    const body = { kind, name: kind, ...(kind === 'loyalty' ? {} : { config }) };
    const { data } = await must('/v1/programs', body);
    await must(`/v1/programs/${data.id}/status`, { status: 'active' });
    return data.id as string;
  };
  const [invite, late, loyalty] = [
    await open('referral'),
    await open('referral'),
    hasLoyalty ? await open('loyalty') : null,
  ];
  await must(`/v1/programs/${late}/attribution-policies`, { bindingTrigger: 'subscription' });
  const rule = async (
    programId: string,
    eventType: string,
    beneficiaryRole: string,
    terms: object,
  ) => {
    const body = { programId, eventType, beneficiaryRole, purpose: 'bonus', name: 'Thanks', terms };
    return (await must('/v1/benefit-rules', body)).data.id as string;
  };
  const newMilestone = () => {
    const measure = pick(['purchases', 'revenue']);
    const at = pick(measure === 'revenue' ? ['2000', '4000'] : ['2', '4']);
    return { measure, at, repeat: pick([true, false]) };
  };
  const percentRuleId = await rule(invite, 'purchase', 'referrer', {
    ...PERCENT,
    rateBps: 1_000,
    tiers: {
      measure: pick(['referrals', 'purchases']),
      window: pick(['all_time', 'calendar_month', 'rolling_30_days']),
      steps: [
        { from: '0', rateBps: 500 },
        { from: '3', rateBps: 1_250 },
      ],
    },
  });
  const rules = [
    percentRuleId,
    await rule(invite, 'signup', 'referrer', {
      ...CREDIT,
      fixedAmountMinor: '500',
      maxRewardsPerBeneficiary: 3,
    }),
    await rule(invite, 'signup', 'referee', { benefitKind: 'discount', rateBps: 1_000 }),
    await rule(invite, 'purchase', 'referee', {
      ...CREDIT,
      fixedAmountMinor: '99',
      refundPolicy: 'full',
    }),
    await rule(invite, 'custom_visit', 'referrer', {
      benefitKind: 'custom',
      quantity: 3,
      unit: POINTS,
      durationMode: 'months',
      durationMonths: 1,
    }),
    await rule(invite, 'purchase', 'referrer', {
      ...CREDIT,
      calculation: 'milestone',
      fixedAmountMinor: '5000',
      milestone: newMilestone(),
    }),
    await rule(late, 'purchase', 'referrer', { ...PERCENT, rateBps: 777 }),
  ];
  if (loyalty) {
    rules.push(
      await rule(loyalty, 'purchase', 'subject', {
        benefitKind: 'custom',
        quantity: 10,
        unit: POINTS,
        durationMode: 'forever',
        refundPolicy: 'full',
      }),
      await rule(loyalty, 'signup', 'subject', { ...CREDIT, fixedAmountMinor: '7' }),
    );
  }
  const person = (externalId: string) => ({ kind: 'individual', externalId });
  const somebody = () =>
    strangers > 0 && random(2) === 0 ? `s${random(strangers)}` : `p${random(PEOPLE)}`;
  const parties = () => {
    if (random(5) > 0) return { participant: person(somebody()) };
    return {
      participant: { kind: 'group', externalId: `g${random(5)}` },
      actor: person(somebody()),
    };
  };
  for (const name of REFERRERS) {
    await must('/v1/referral-links', { programId: invite, participant: person(name), slug: name });
    await must('/v1/referral-links', {
      programId: late,
      participant: person(name),
      slug: `${name}-late`,
    });
  }
  const code = () =>
    pick([...REFERRERS, ...REFERRERS, ...REFERRERS.map((name) => `${name}-late`), 'nobody']);
  const orders: string[] = [];
  const adjustments: { id: string; order: string; kind: string; amount: number }[] = [];
  const fact = () => {
    facts += 1;
    return `f${facts}`;
  };
  const ago = () =>
    random(4) === 0
      ? { occurredAt: new Date(Date.parse(service.clock.now) - random(72) * HOUR_MS).toISOString() }
      : {};
  const adjust = (order: string, kind: string, more: object) => {
    const money = kind === 'dispute_lost' ? {} : { currency: 'USD', currencyExponent: 2 };
    const sourceEventId = fact();
    const body = {
      sourceNamespaceId,
      sourceEventId,
      purchase: { sourceEventId: order },
      kind,
      ...money,
      occurredAt: service.clock.now,
      ...more,
    };
    return { sourceEventId, sent: send('POST', '/v1/track/adjustments', body) };
  };
  const handles: string[] = [];
  const doings: Record<string, () => Promise<unknown>> = {
    async signup() {
      const handle =
        handles.length > 0 && random(3) === 0 ? { identify: { handle: pick(handles) } } : {};
      const refCode = random(3) > 0 ? { refCode: code() } : {};
      return send('POST', '/v1/track/events', {
        sourceNamespaceId,
        type: 'signup',
        ...parties(),
        ...refCode,
        ...handle,
        ...ago(),
      });
    },
    async purchase() {
      const sourceEventId = fact();
      orders.push(sourceEventId);
      const purchase = {
        amountMinor: String(random(20) * 333),
        currency: 'USD',
        ...(random(6) === 0 ? { invoiceId: `i${random(3)}` } : {}),
        ...(random(4) === 0 ? { subscriptionId: `s${random(4)}` } : {}),
      };
      const amounts = random(12) === 0 ? {} : { purchase };
      return send('POST', '/v1/track/events', {
        sourceNamespaceId,
        sourceEventId,
        type: 'purchase',
        ...parties(),
        ...amounts,
        ...ago(),
      });
    },
    visit: () =>
      send('POST', '/v1/track/events', {
        sourceNamespaceId,
        sourceEventId: fact(),
        type: 'custom_visit',
        ...parties(),
      }),
    async refund() {
      if (orders.length === 0) return;
      const amount = 1 + random(20) * 111;
      const [order, kind] = [pick(orders), pick(['refund', 'refund', 'dispute'])];
      const { sourceEventId, sent } = adjust(order, kind, { amountMinor: String(amount) });
      if ((await sent).status === 200) adjustments.push({ id: sourceEventId, order, kind, amount });
    },
    async restore() {
      if (adjustments.length === 0) return;
      const { id, order, kind, amount } = pick(adjustments);
      if (kind === 'dispute' && random(2) === 0)
        return adjust(order, 'dispute_lost', { closes: id }).sent;
      return adjust(order, 'restoration', { restores: id, amountMinor: String(1 + random(amount)) })
        .sent;
    },
    async early() {
      const order = `f${facts + 2 + random(6)}`;
      return adjust(order, 'refund', { amountMinor: String(1 + random(2_000)) }).sent;
    },
    subscribe: () =>
      send('POST', '/v1/track/subscriptions', {
        sourceNamespaceId,
        sourceEventId: fact(),
        participant: parties().participant,
        subscriptionId: `s${random(4)}`,
        change: pick(['started', 'started', 'renewed']),
        occurredAt: service.clock.now,
        ...ago(),
      }),
    async click() {
      const known = handles.length > 0 && random(2) === 0 ? { handle: pick(handles) } : {};
      const url = 'https://example.com/';
      service.clock.advance(HOUR_MS);
      const { body } = await service.call('POST', '/v1/clicks', {
        body: { projectKey, ref: code(), url, ...known },
      });
      if (body.handle) handles.push(body.handle);
    },
    async identify() {
      if (handles.length > 0)
        await send('POST', '/v1/identify', {
          handle: pick(handles),
          participant: person(somebody()),
        });
    },
    address: () =>
      send('PUT', '/v1/participants', {
        participant: person(pick([somebody(), ...REFERRERS])),
        email: `some.${pick(['one', 'body'])}+${random(9)}@example.com`,
      }),
    async import() {
      const rows = [{ externalId: somebody(), referredByCode: pick(REFERRERS) }];
      return send('POST', '/v1/imports/rows', { programId: invite, rows });
    },
    /** Counted elsewhere before, and told after the first facts, again and again. */
    async measures() {
      const startingMeasures = { referrals: String(random(5)), purchases: String(random(5)) };
      const rows = [{ externalId: pick([somebody(), ...REFERRERS]), startingMeasures }];
      return send('POST', '/v1/imports/rows', { programId: invite, rows });
    },
    async erase() {
      const asked = { externalId: pick([somebody(), somebody(), ...REFERRERS]) };
      const [found] = (await send('GET', '/v1/participants', asked)).body.data;
      if (found) return send('DELETE', `/v1/participants/${found.id}`, { force: true });
    },
    async settle() {
      const { body } = await send('GET', '/v1/rewards', { limit: 50 });
      if (body.data.length === 0) return;
      const { id } = pick<{ id: string }>(body.data);
      return random(3) === 0
        ? send('POST', `/v1/rewards/${id}/void`, {
            reasonCode: pick(['fraud', 'error', 'terms_violation']),
          })
        : send('POST', `/v1/rewards/${id}/fulfillment`, { externalReference: `r${random(100)}` });
    },
    wait: async () => {
      service.clock.advance(pick([1, 5, 30]) * HOUR_MS);
      if (random(3) === 0) await settleDue(service);
    },
    async publish() {
      const id = pick(rules);
      const { data } = (await send('GET', `/v1/benefit-rules/${id}/terms`)).body;
      const { changeNote: _n, ...last } = data[0];
      const asked = [
        'benefitKind',
        'calculation',
        'fixedAmountMinor',
        'currency',
        'currencyExponent',
        'rateBps',
        'durationMode',
        'durationMonths',
        'quantity',
        'tiers',
        'milestone',
        'refundPolicy',
      ];
      const terms = Object.fromEntries(
        asked.flatMap((name) =>
          last[name] === null || last[name] === undefined ? [] : [[name, last[name]]],
        ),
      );
      const unit = last.unit ? { customUnitId: last.unit.id } : {};
      await send('POST', `/v1/benefit-rules/${id}/terms`, {
        terms: {
          ...terms,
          ...unit,
          enabled: random(5) > 0,
          maxRewardsPerBeneficiary: pick([null, 1, 4]),
        },
      });
    },
    policy: () =>
      send('POST', `/v1/programs/${invite}/attribution-policies`, {
        windowDays: pick([1, 7, 90]),
        model: pick(['first_touch', 'last_touch']),
      }),
    risk: () =>
      send('POST', `/v1/programs/${invite}/risk-policies`, {
        mode: pick(['review', 'observe']),
        reviewAt: pick([1, 30]),
      }),
    async review() {
      const { body } = await send('GET', '/v1/risk-reviews', { status: 'open' });
      if (body.data.length === 0) return;
      return send('POST', `/v1/risk-reviews/${pick<{ id: string }>(body.data).id}/decision`, {
        decision: pick(['approve', 'reject']),
      });
    },
    pause: async () => {
      await send('POST', `/v1/programs/${invite}/status`, { status: 'paused' });
      await send('POST', '/v1/track/events', {
        sourceNamespaceId,
        type: 'signup',
        ...parties(),
        refCode: code(),
      });
      await send('POST', `/v1/programs/${invite}/status`, { status: 'active' });
    },
  };
  const often = [
    'signup',
    'signup',
    'signup',
    'purchase',
    'purchase',
    'purchase',
    'purchase',
    'visit',
    'refund',
    'refund',
    'restore',
    'click',
    'identify',
    'wait',
    'settle',
  ];
  const seldom = [
    'address',
    'early',
    'subscribe',
    'import',
    'measures',
    'erase',
    'publish',
    'policy',
    'risk',
    'review',
    'pause',
  ];
  for (let step = 0; step < steps; step += 1) {
    const name = random(4) === 0 ? pick(seldom) : pick(often);
    const answer = (await doings[name]?.()) as { status?: number } | undefined;
    const label = `${name} ${answer?.status ?? ''}`.trim();
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return { ...project, programId: invite, percentRuleId, steps: counts };
}

/** Decides what waited for too long. */
async function settleDue({ writer, database, clock, built }: TestService): Promise<void> {
  const onFailure = (error: unknown) => {
    throw error;
  };
  const tracker = makeTracker({
    writer,
    keyring: createKeyring(ROOT_KEY),
    listAccounts,
    onFailure,
  });
  await decideDueOnce({ writer, database, clock, newId: built.newId, tracker, onFailure });
}
