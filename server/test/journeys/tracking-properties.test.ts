import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTracker } from '../../src/domain/tracking/batch/track-event.ts';
import {
  normalizeAdjustment,
  normalizeSubscription,
} from '../../src/domain/tracking/intake/normalize-billing.ts';
import { normalizeEvent } from '../../src/domain/tracking/intake/normalize-event.ts';
import { listAccounts } from '../../src/outbound/payouts/details/account-queries.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { EACH_FIGURE } from '../figures.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';
import { rounds } from '../rounds.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

interface Shop extends TestProject {
  readonly sourceNamespaceId: string;
}

const write = (shop: TestProject, path: string, body: object) =>
  service.call('POST', path, { as: shop.key, body: { projectId: shop.projectId, ...body } });
const read = (shop: TestProject, path: string, query: Record<string, string> = {}) =>
  service.call('GET', path, { as: shop.key, query: { projectId: shop.projectId, ...query } });
const person = (n: number) => ({ kind: 'individual', externalId: `p${n}` });
const group = (n: number) => ({ kind: 'group', externalId: `g${n}` });

/** Person 0 and group 0 refer in a Program that binds at signup, person 1 in one where a subscription does. */
async function openShop(): Promise<Shop> {
  const project = await service.newProject();
  const { body: source } = await write(project, '/v1/sources', {});
  const newProgram = async (kind: string, name: string) => {
    const config = { brandConfig: { landingPageUrl: 'https://example.com/' } };
    const { body } = await write(project, '/v1/programs', {
      kind,
      name,
      ...(kind === 'loyalty' ? {} : { config }),
    });
    return body.data.id as string;
  };
  const addRule = (programId: string, eventType: string, beneficiaryRole: string, terms: object) =>
    write(project, '/v1/benefit-rules', {
      programId,
      eventType,
      beneficiaryRole,
      name: 'Rule',
      terms,
    });
  const forever = { durationMode: 'forever' };
  const percent = { ...forever, benefitKind: 'cash', calculation: 'percentage', rateBps: 333 };
  const unit = { key: 'points', name: 'point', namePlural: 'points' };
  const [signup, subscription, loyalty] = [
    await newProgram('referral', 'By signup'),
    await newProgram('referral', 'By subscription'),
    await newProgram('loyalty', 'Points'),
  ];
  await write(project, `/v1/programs/${subscription}/attribution-policies`, {
    bindingTrigger: 'subscription',
  });
  await addRule(signup, 'signup', 'referrer', {
    benefitKind: 'credit',
    fixedAmountMinor: '500',
    currency: 'USD',
    currencyExponent: 2,
    maxRewardsPerBeneficiary: 2,
  });
  await addRule(signup, 'purchase', 'referrer', percent);
  await addRule(subscription, 'signup', 'referee', {
    benefitKind: 'credit',
    fixedAmountMinor: '700',
    currency: 'USD',
    currencyExponent: 2,
  });
  await addRule(subscription, 'purchase', 'referrer', { ...percent, refundPolicy: 'full' });
  await addRule(loyalty, 'purchase', 'subject', {
    ...forever,
    benefitKind: 'custom',
    quantity: 10,
    unit,
    maxRewardsPerBeneficiary: 2,
  });
  for (const id of [signup, subscription, loyalty]) {
    await write(project, `/v1/programs/${id}/status`, { status: 'active' });
  }
  const owners = [
    [signup, person(0)],
    [subscription, person(1)],
    [signup, group(0)],
  ] as const;
  for (const [n, [programId, participant]] of owners.entries()) {
    await write(project, '/v1/referral-links', { programId, participant, slug: `link-${n}` });
  }
  return { ...project, sourceNamespaceId: source.sourceNamespaceId };
}

const who = fc.nat({ max: 5 });
const order = fc.nat({ max: 4 });
const command = fc.oneof(
  fc.record({
    path: fc.constant('events'),
    type: fc.constant('signup'),
    who,
    refCode: fc.constantFrom('link-0', 'link-1', 'link-2', 'nobody', null),
  }),
  fc.record({
    path: fc.constant('events'),
    type: fc.constant('signup'),
    who,
    group: fc.nat({ max: 1 }),
    refCode: fc.constantFrom('link-0', 'link-1', 'link-2', null),
  }),
  fc.record({
    path: fc.constant('events'),
    type: fc.constant('purchase'),
    who,
    group: fc.option(fc.nat({ max: 1 }), { nil: undefined }),
    order,
    amount: fc.constantFrom('0', '1', '999', '100000', null),
    invoice: fc.constantFrom('inv-1', null),
    subscription: fc.constantFrom('sub', null),
  }),
  fc.record({ path: fc.constant('events'), type: fc.constant('custom_visit'), who, order }),
  fc.record({
    path: fc.constant('adjustments'),
    id: fc.nat({ max: 6 }),
    order,
    kind: fc.constantFrom('refund', 'refund', 'dispute', 'dispute_lost', 'restoration'),
    amount: fc.constantFrom('1', '500', '999', '100000'),
    restores: fc.nat({ max: 6 }),
  }),
  fc.record({
    path: fc.constant('subscriptions'),
    who,
    group: fc.option(fc.nat({ max: 1 }), { nil: undefined }),
    id: fc.nat({ max: 3 }),
  }),
);
type Command = Record<string, unknown> & { path: string };

const NOW = '2026-11-15T09:30:00.000Z';

function toBody({ sourceNamespaceId }: Shop, one: Command): object {
  const participant = person(one.who as number);
  if (one.path === 'adjustments') {
    const target = `adjustment-${one.restores}`;
    const isLoss = one.kind === 'dispute_lost';
    return {
      sourceNamespaceId,
      sourceEventId: `adjustment-${one.id}`,
      purchase: { sourceEventId: `purchase-${one.order}` },
      kind: one.kind,
      ...(isLoss ? { closes: target } : { amountMinor: one.amount }),
      currency: 'USD',
      currencyExponent: 2,
      occurredAt: NOW,
      ...(one.kind === 'restoration' ? { restores: target } : {}),
    };
  }
  if (one.path === 'subscriptions') {
    return {
      sourceNamespaceId,
      sourceEventId: `subscription-${one.id}`,
      participant: one.group === undefined ? participant : group(one.group as number),
      subscriptionId: 'sub',
      change: 'started',
      occurredAt: NOW,
    };
  }
  return {
    sourceNamespaceId,
    type: one.type,
    ...(one.group === undefined
      ? { participant }
      : { participant: group(one.group as number), actor: participant }),
    ...(one.type === 'signup'
      ? { refCode: one.refCode }
      : { sourceEventId: `${one.type}-${one.order}` }),
    ...(one.type === 'purchase' && one.amount !== null
      ? {
          purchase: {
            amountMinor: one.amount,
            currency: 'USD',
            invoiceId: one.invoice,
            subscriptionId: one.subscription,
          },
        }
      : {}),
  };
}

const told = (answer: { success: boolean; error?: { code: string; reason: string | null } }) =>
  answer.success ? 'taken' : `${answer.error?.code} ${answer.error?.reason}`;

/** Ids are random: the same one gets the same number wherever it appears, in order. */
function withoutIds(value: unknown): unknown {
  const numbers = new Map<string, string>();
  const text = JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one));
  return JSON.parse(
    text.replaceAll(/\b([a-z]+)_[0-9a-hjkmnp-tv-z]{26}\b/g, (id, prefix) => {
      if (!numbers.has(id)) numbers.set(id, `${prefix}-${numbers.size}`);
      return numbers.get(id) as string;
    }),
  );
}

/** Everything that facts leave, in the order they left it. */
async function portrait(shop: Shop): Promise<unknown> {
  const { reads } = service.database;
  const of = (sql: string) => reads.query(sql, [shop.projectId]);
  const tables = await Promise.all([
    of(`select number, id, type, participant_id, program_id, referral_id, processing_state, processing_reason,
          attempt_count, explanation from events where project_id = $1 order by number`),
    of(`select number, event_id, rule_id, beneficiary_participant_id, amount_minor,
          net_amount_minor, quantity, fulfillment_status, delivery_status, delivery_reason,
          void->>'reasonCode' as voided from rewards where project_id = $1 order by number`),
    of(`select event_id, refunded_minor, disputed_minor, duplicate_of from purchases
        where project_id = $1 order by id`),
    of(`select number, kind, amount_minor, applied_minor, restored_minor, refunded_total_minor,
          disputed_total_minor from purchase_adjustments where project_id = $1 order by number`),
    of(`select number, signed_amount_minor, calculation_snapshot from reward_adjustments
        where project_id = $1 order by number`),
    of(`select number, id, source_event_id, purchase_event_id from early_adjustments
        where project_id = $1 order by number`),
    of('select source_event_id from source_keys where project_id = $1 order by 1'),
    of(`select target_id, changes from audit_entries
        where project_id = $1 and action = 'adjustment.drop' order by changes::text`),
    of('select change, reason from subscription_facts where project_id = $1 order by id'),
    of(`select referrer_participant_id, referee_participant_id, binding_event_id
        from referrals where project_id = $1 order by id`),
    of('select position, type from feed_events where project_id = $1 order by position'),
    of(`select number, external_id, is_referrer, is_referee from participants
        where project_id = $1 order by number`),
    of('select name, enrollment_count from programs where project_id = $1 order by name'),
    of(`select regexp_replace(name, '[a-z]+_[0-9a-z]{26}', 'id') as name, value::text as value from ${EACH_FIGURE} as f
        where project_id = $1 and value <> 0 order by 1, f.value`),
  ]);
  return withoutIds(tables);
}

async function listDropped({ projectId }: Shop): Promise<Set<string>> {
  const rows = await service.database.reads.query<{ id: string }>(
    `select changes->>'sourceEventId' as id from audit_entries
     where project_id = $1 and action = 'adjustment.drop'`,
    [projectId],
  );
  return new Set(rows.map(({ id }) => `adjustments ${id}`));
}

/** In order, in this process: the first goes alone, those behind it as the writer takes them. */
async function tellAtOnce(shop: Shop, commands: readonly Command[]): Promise<string[]> {
  const tracker = makeTracker({
    writer: service.writer,
    keyring: createKeyring(ROOT_KEY),
    listAccounts,
    onFailure: () => undefined,
  });
  const request = {
    workspaceId: shop.workspaceId,
    projectId: shop.projectId,
    actor: { type: 'system', id: 'test' } as const,
    requestId: 'req_test',
    ip: null,
    idempotency: null,
  };
  const outcomes = await Promise.allSettled(
    commands.map((one) => {
      const body = toBody(shop, one) as never;
      if (one.path === 'adjustments') return tracker.adjust(request, normalizeAdjustment(body));
      if (one.path === 'subscriptions') {
        return tracker.subscribe(request, normalizeSubscription(body));
      }
      return tracker.track(request, normalizeEvent(body));
    }),
  );
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled'
      ? 'taken'
      : `${outcome.reason.code} ${outcome.reason.reason ?? null}`,
  );
}

test('facts of every kind leave together exactly what they leave one by one, in any split, and repeated nothing more', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(command, { minLength: 2, maxLength: 16 }),
      fc.nat({ max: 15 }),
      async (generated, at) => {
        const commands = generated as Command[];
        const [together, alone] = [await openShop(), await openShop()];
        const singles: string[] = [];
        for (const one of commands) {
          const { body } = await write(alone, `/v1/track/${one.path}`, toBody(alone, one));
          singles.push(told(body));
        }
        const batches = [
          ...(await tellAtOnce(together, commands.slice(0, at))),
          ...(await tellAtOnce(together, commands.slice(at))),
        ];
        expect(batches).toEqual(singles);
        const left = await portrait(together);
        expect(left).toEqual(await portrait(alone));
        // Counters among the rest: each is what a recount gives.
        expect((await verifyProject(service.database, together.projectId)).kept).toEqual([]);
        // What was refused may be taken by now: a refund that came before its purchase, say. What was
        // kept for its purchase and dropped then can be sent again, and is judged anew.
        const dropped = await listDropped(alone);
        const taken = commands.filter(
          (one, n) => singles[n] === 'taken' && !dropped.has(`${one.path} adjustment-${one.id}`),
        );
        expect(await tellAtOnce(together, taken)).toEqual(taken.map(() => 'taken'));
        expect(await portrait(together)).toEqual(left);
      },
    ),
    { numRuns: rounds(3, 8), endOnFailure: true },
  );
});

test('a dry run predicts exactly what the call then does, and leaves nothing (D-SIM-1)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 2, maxLength: 12 }), async (generated) => {
      const shop = await openShop();
      const eventIds = new Set<string>();
      for (const one of generated as Command[]) {
        const body = toBody(shop, one);
        if (one.path !== 'events') {
          await write(shop, `/v1/track/${one.path}`, body);
          continue;
        }
        const before = await portrait(shop);
        const predicted = await write(shop, '/v1/simulations/events', body);
        expect(await portrait(shop)).toEqual(before);
        const [newest] = (await read(shop, '/v1/rewards', { limit: '1' })).body.data;
        const real = await write(shop, '/v1/track/events', body);
        expect(predicted.status).toBe(real.status);
        if (real.status !== 200) {
          expect(told(predicted.body)).toEqual(told(real.body));
          continue;
        }
        const { eventId } = real.body;
        const explanation = await read(shop, `/v1/events/${eventId}/explanation`);
        const all = (await read(shop, '/v1/rewards', { limit: '100' })).body.data as {
          id: string;
        }[];
        const since = all.slice(
          0,
          newest ? all.findIndex(({ id }) => id === newest.id) : undefined,
        );
        expect(withoutIds(predicted.body.data)).toEqual(
          withoutIds({
            response: real.body,
            explanation: explanation.body.data,
            isRepeat: eventIds.has(eventId),
            rewards: since.toReversed(),
          }),
        );
        eventIds.add(eventId);
      }
    }),
    { numRuns: rounds(3, 8), endOnFailure: true },
  );
});
