import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proposeBook } from '../../src/domain/backtests/decide/propose-book.ts';
import { replayHistory } from '../../src/domain/backtests/replay-history.ts';
import { claimBacktest } from '../../src/domain/backtests/store.ts';
import { loadBook } from '../../src/domain/programs/load-book.ts';
import { listAccounts } from '../../src/outbound/payouts/details/account-queries.ts';
import { addMs, DAY_MS } from '../../src/platform/kit/instant.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { findingsOf } from '../backtest-findings.ts';
import {
  type CallOptions,
  openService,
  ROOT_KEY,
  type TestProject,
  type TestService,
} from '../harness.ts';
import { fillRandomly } from '../random-history.ts';
import { runBacktest } from '../run-backtest.ts';
import { openShop } from '../shop.ts';
import { fillProject } from '../varied-store.ts';

const SEEDS = process.env.TEST_SEEDS?.split(',').map(Number) ?? [1, 2, 3];
const STEPS = Number(process.env.TEST_STEPS ?? 250);

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

/** What every random history contains. */
const SEEN_IN_EACH = [
  'signup 200',
  'purchase 200',
  'restore 200',
  'subscribe 200',
  'import 200',
  'measures 200',
  'erase 200',
];

const RISK = { keyring: createKeyring(ROOT_KEY), listAccounts };
const ALWAYS = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };

async function replayInForce(projectId: string) {
  const book = await loadBook(service.database.reads, projectId);
  const asked = { projectId, programId: '', actual: book, proposed: book, ...ALWAYS };
  return replayHistory(service.database.reads, asked, { risk: RISK });
}

/** Proposes what is in force now, since it is: attribution, risk and all rules. */
async function replayStated(projectId: string, programId: string) {
  const actual = await loadBook(service.database.reads, projectId);
  const program = actual.programs.get(programId);
  if (!program) throw new Error('There is no such Program.');
  const all = [program.policies, program.riskPolicies, ...program.rules.map(({ terms }) => terms)];
  const newest = all.flatMap((versions) => versions.at(-1)?.effectiveAt ?? []).sort();
  const time = { from: newest.at(-1) ?? ALWAYS.from, to: ALWAYS.to };
  const proposal = {
    attribution: program.policies.at(-1) ?? null,
    risk: program.riskPolicies.at(-1) ?? null,
    rules: program.rules.flatMap((rule) => {
      const terms = rule.terms.at(-1);
      return terms ? [{ ...rule, terms }] : [];
    }),
  };
  const proposed = proposeBook(actual, programId, proposal, time);
  const asked = { projectId, programId, actual, proposed, ...time };
  return (await replayHistory(service.database.reads, asked, { risk: RISK })).events;
}

describe('what is in force differs in nothing from what was decided (D-BT-2)', () => {
  test('in a varied project', async () => {
    const { projectId } = await fillProject(service);
    const { events, refused } = await replayInForce(projectId);
    expect([...events.differences.values()].filter(Boolean)).toEqual([]);
    expect({ unlike: events.unlike, refused }).toEqual({ unlike: [], refused: 0 });
    expect(events.compared).toBeGreaterThan(15);
  });

  test.each(SEEDS)('in a random history with seed %i', async (seed) => {
    const { projectId, programId, steps } = await fillRandomly(service, seed, STEPS);
    const { events, refused, referrals } = await replayInForce(projectId);
    expect([...steps.keys()]).toEqual(expect.arrayContaining(SEEN_IN_EACH));
    const stored = await service.database.reads.query<{ referee: string; referrer: string }>(
      `select referee_participant_id as referee, referrer_participant_id as referrer
       from referrals where project_id = $1`,
      [projectId],
    );
    const bound = [...referrals.actual].map(([referee, one]) => ({
      referee,
      referrer: one.referrerParticipantId,
    }));
    const byReferee = (a: { referee: string }, b: { referee: string }) =>
      a.referee < b.referee ? -1 : 1;
    expect(bound.sort(byReferee)).toEqual(stored.sort(byReferee));
    const seen = JSON.stringify([...steps]);
    expect([...events.differences.values()].flatMap((one) => one?.lines ?? [])).toEqual([]);
    expect({ unlike: events.unlike, refused }, seen).toEqual({ unlike: [], refused: 0 });

    const stated = await replayStated(projectId, programId);
    expect([...stated.differences.values()].flatMap((one) => one?.lines ?? [])).toEqual([]);
    expect(stated.unlike, seen).toEqual([]);
    expect(stated.compared).toBeGreaterThan(0);
  });

  test('although measures were imported after the first facts', async () => {
    const shop = await openShop(service);
    await shop.addRule({
      benefitKind: 'cash',
      calculation: 'percentage',
      tiers: {
        measure: 'referrals',
        steps: [
          { from: '0', rateBps: 1_000 },
          { from: '3', rateBps: 2_000 },
        ],
      },
    });
    const rateOf = async (eventId: string) => {
      const [reward] = (await shop.read('/v1/rewards', { eventId })).body.data;
      return reward.tier.from;
    };
    const before = await shop.order('1');
    service.clock.advance(1_000);
    const rows = [{ externalId: 'ada', startingMeasures: { referrals: '3' } }];
    const imported = await shop.post('/v1/imports/rows', { programId: shop.programId, rows });
    expect(imported.body.data.results).toMatchObject([{ status: 'updated' }]);
    service.clock.advance(1_000);
    expect([await rateOf(before), await rateOf(await shop.order('2'))]).toEqual(['0', '3']);
    const { events, refused } = await replayInForce(shop.project.projectId);
    expect({ unlike: events.unlike, refused }).toEqual({ unlike: [], refused: 0 });
    expect(events.compared).toBeGreaterThan(2);
  });

  test('one course stands for both until the proposal begins: two from the first fact on find the same', async () => {
    const { projectId, programId } = await fillRandomly(service, SEEDS[0] ?? 1, STEPS);
    const asked = await proposeMore(projectId, programId);
    const [late, early] = await Promise.all([
      replayHistory(service.database.reads, asked),
      replayHistory(service.database.reads, { ...asked, partsAt: '' }),
    ]);
    expect(findingsOf(late, programId)).toEqual(findingsOf(early, programId));
    expect([...late.events.differences.values()].filter(Boolean).length).toBeGreaterThan(0);
  });
});

/** Proposes more for purchases, and other attribution, for the later part of a random history. */
async function proposeMore(projectId: string, programId: string) {
  const actual = await loadBook(service.database.reads, projectId);
  const [first] = await service.database.reads.query<{ at: string }>(
    `select percentile_disc(0.3) within group (order by occurred_at) as at
       from events where project_id = $1`,
    [projectId],
  );
  const time = { from: first?.at ?? '', to: ALWAYS.to };
  const rules = (actual.programs.get(programId)?.rules ?? []).flatMap((rule) => {
    const terms = rule.terms.at(-1);
    if (!terms || terms.milestone) return [];
    const rate = terms.rateBps && { rateBps: 7_777 };
    const fixed = terms.fixedAmountMinor && { fixedAmountMinor: 4_321n };
    return [{ ...rule, terms: { ...terms, ...rate, ...fixed, tiers: null, conditions: null } }];
  });
  const attribution = { model: 'first_touch', windowDays: 20, bindingTrigger: 'signup' } as const;
  const proposal = { attribution, risk: null, rules };
  const proposed = proposeBook(actual, programId, proposal, time);
  return { projectId, programId, actual, proposed, ...time };
}

describe('a back-test over HTTP', () => {
  const person = (externalId: string) => ({ kind: 'individual', externalId });
  const HALF = { benefitKind: 'cash', calculation: 'percentage', durationMode: 'forever' };
  let shop: TestProject;
  let programId: string;
  let sourceNamespaceId: string;

  const post = async (path: string, body: object, as: CallOptions['as'] = shop.key) => {
    service.clock.advance(1);
    return service.call('POST', path, { as, body: { projectId: shop.projectId, ...body } });
  };
  const ok = async (path: string, body: object) => {
    const answer = await post(path, body);
    expect(answer.body).toMatchObject({ success: true });
    return answer.body;
  };
  const read = (path: string, query: object = {}, of: TestProject = shop) =>
    service.call('GET', path, { as: of.key, query: { projectId: of.projectId, ...query } });
  const run = () => runBacktest(service);
  const show = async (id: string) => (await read(`/v1/backtests/${id}`)).body.data;
  const buy = (externalId: string, order: string, amountMinor: string) =>
    ok('/v1/track/events', {
      sourceNamespaceId,
      sourceEventId: order,
      type: 'purchase',
      participant: person(externalId),
      purchase: { amountMinor, currency: 'USD' },
    });

  /** Ada referred bob and carol; she earns a tenth of what they pay. */
  beforeEach(async () => {
    shop = await service.newProject();
    ({ sourceNamespaceId } = await ok('/v1/sources', {}));
    const config = { brandConfig: { landingPageUrl: 'https://example.com/' } };
    programId = (await ok('/v1/programs', { kind: 'referral', name: 'Friends', config })).data.id;
    await ok(`/v1/programs/${programId}/status`, { status: 'active' });
    await ok('/v1/benefit-rules', {
      programId,
      key: 'thanks',
      eventType: 'purchase',
      beneficiaryRole: 'referrer',
      name: 'Thanks',
      terms: { ...HALF, rateBps: 1_000 },
    });
    await ok('/v1/referral-codes', { programId, participant: person('ada'), code: 'ada' });
    for (const externalId of ['bob', 'carol']) {
      const participant = person(externalId);
      await ok('/v1/track/events', {
        sourceNamespaceId,
        type: 'signup',
        participant,
        refCode: 'ada',
      });
    }
    await buy('bob', 'first', '10000');
    await buy('carol', 'second', '5000');
    service.clock.advance(DAY_MS);
  });
  const definition = (rules: object) => ({ apiVersion: 'goodword/v1', kind: 'Program', rules });
  const start = async (more: object = {}) =>
    (await ok('/v1/backtests', { programId, ...ALWAYS, ...more })).data.id as string;
  const doubled = definition({ thanks: { terms: { ...HALF, rateBps: 2_000 } } });

  test('says what other terms would have cost, in all and by rule, person and day (D-BT-1)', async () => {
    const id = await start({ definition: doubled });
    expect(await show(id)).toMatchObject({ status: 'queued', totals: null, events: null });
    expect(await run()).toBe(1);
    const totals = [{ currency: 'USD', actualMinor: '1500', proposedMinor: '3000' }];
    expect(await show(id)).toMatchObject({
      status: 'done',
      progress: { done: 4, all: 4 },
      totals,
      byRule: [{ name: 'Thanks', programId, totals }],
      byBeneficiary: {
        up: [{ participant: { externalId: 'ada' }, actualMinor: '1500', proposedMinor: '3000' }],
        down: [],
      },
      byDay: [{ totals }],
      events: { different: 2, listed: 2, notReproduced: 0 },
    });
  });

  test('explains each difference from both sides, page by page, and as CSV', async () => {
    const id = await start({ definition: doubled });
    await run();
    const first = (await read(`/v1/backtests/${id}/differences`, { limit: 1 })).body;
    expect(first.data).toMatchObject([
      {
        lines: [{ beneficiary: { externalId: 'ada' }, actual: '1000', proposed: '2000' }],
        actual: {
          reason: 'attributed',
          referrer: { externalId: 'ada' },
          explanation: { rules: [{ calculation: { rateBps: 1_000 }, rewardId: null }] },
        },
        proposed: { explanation: { rules: [{ calculation: { rateBps: 2_000 }, rewardId: null }] } },
      },
    ]);
    const query = { limit: 1, cursor: first.nextCursor };
    const second = (await read(`/v1/backtests/${id}/differences`, query)).body;
    expect(second).toMatchObject({ data: [{ lines: [{ proposed: '1000' }] }], nextCursor: null });
    const csv = await read(`/v1/backtests/${id}/export`);
    expect(csv.body.split('\r\n')).toHaveLength(4);
  });

  test('of what is in force differs in nothing, whether it is exported or left out (D-BT-2)', async () => {
    const exported = (await read(`/v1/programs/${programId}/definition`)).body.data;
    const ids = [await start(), await start({ definition: exported })];
    while ((await run()) > 0);
    for (const id of ids) {
      const totals = [{ currency: 'USD', actualMinor: '1500', proposedMinor: '1500' }];
      expect(await show(id)).toMatchObject({ totals, events: { different: 0 } });
    }
  });

  test('tries a new rule, a pruned one, and another window', async () => {
    const bonus = {
      name: 'Welcome',
      eventType: 'signup',
      beneficiaryRole: 'referee',
      terms: { benefitKind: 'credit', fixedAmountMinor: '700', currency: 'USD' },
    };
    const added = await start({ definition: definition({ welcome: bonus }), prune: true });
    const apart = { from: '2000-01-01T00:00:00.000Z', to: '2001-01-01T00:00:00.000Z' };
    const before = await start({ definition: doubled, ...apart });
    while ((await run()) > 0);
    expect(await show(added)).toMatchObject({
      totals: [{ actualMinor: '1500', proposedMinor: '1400' }],
      byRule: expect.arrayContaining([expect.objectContaining({ ruleId: 'new:welcome' })]),
    });
    expect(await show(before)).toMatchObject({ totals: [], events: { compared: 0 } });
  });

  test('says how many reviews a risk policy would have opened, and on whom (D-RISK-6)', async () => {
    const riskPolicy = { mode: 'review', reviewAt: 60 };
    for (const [name, email] of [
      ['ada', 'ada@example.com'],
      ['mallory', 'a.da+2@example.com'],
    ] as const) {
      const body = { projectId: shop.projectId, participant: person(name), email };
      await service.call('PUT', '/v1/participants', { as: shop.key, body });
    }
    const participant = person('mallory');
    await ok('/v1/track/events', {
      sourceNamespaceId,
      type: 'signup',
      participant,
      refCode: 'ada',
    });
    service.clock.advance(1);
    const id = await start({
      definition: { apiVersion: 'goodword/v1', kind: 'Program', riskPolicy },
    });
    await run();
    const { reviews } = await show(id);
    expect(reviews).toMatchObject({
      actual: 0,
      proposed: 1,
      added: [{ referrer: { externalId: 'ada' }, referee: { externalId: 'mallory' } }],
      removed: [],
    });
  });

  test('judges what no policy judged by what is known of people now (D-RISK-6)', async () => {
    const policies = `/v1/programs/${programId}/risk-policies`;
    await ok(policies, { mode: 'off' });
    const none = { emailDomains: [], networks: [], participants: [] };
    const lists = { allowed: none, watched: { ...none, participants: [person('eve')] } };
    const listed = await service.call('PUT', `/v1/projects/${shop.projectId}/risk-lists`, {
      as: shop.key,
      body: lists,
    });
    expect(listed.status).toBe(200);
    for (const [name, email] of [
      ['ada', 'ada@example.com'],
      ['mallory', 'a.da+2@example.com'],
      ['bona', 'bona@example.com'],
    ] as const) {
      const body = { projectId: shop.projectId, participant: person(name), email };
      await service.call('PUT', '/v1/participants', { as: shop.key, body });
    }
    for (const name of ['mallory', 'eve', 'bona']) {
      service.clock.advance(DAY_MS);
      const told = { type: 'signup', participant: person(name), refCode: 'ada' };
      await ok('/v1/track/events', { sourceNamespaceId, ...told });
    }
    service.clock.advance(1);
    const riskPolicy = { mode: 'review', reviewAt: 60, points: { velocity: 60 } };
    const definition = { apiVersion: 'goodword/v1', kind: 'Program', riskPolicy };
    const id = await start({ definition });
    const stated = await start();
    await run();
    await run();
    const { reviews } = await show(id);
    const names = reviews.added.map(
      ({ referee }: { referee: { externalId: string } }) => referee.externalId,
    );
    expect(names.sort()).toEqual(['eve', 'mallory']);
    expect(reviews).toMatchObject({ actual: 0, proposed: 2, removed: [] });
    expect((await show(stated)).reviews).toMatchObject({ actual: 0, proposed: 0 });
  });

  test('refuses what could not be published, by its path, and a time that is none', async () => {
    const wrong = definition({ thanks: { terms: { ...HALF, rateBps: 2_000, durationMonths: 3 } } });
    const refused = await post('/v1/backtests', { programId, ...ALWAYS, definition: wrong });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST' } } });
    expect(refused.body.error.details[0].path).toMatch(/^definition\.rules\.thanks/);
    const turned = await post('/v1/backtests', { programId, from: ALWAYS.to, to: ALWAYS.from });
    expect(turned.status).toBe(400);
    const other = await service.newProject();
    const id = await start();
    for (const path of ['', '/differences', '/export']) {
      expect((await read(`/v1/backtests/${id}${path}`, {}, other)).status, path).toBe(404);
    }
    const foreign = { as: other.key, body: { projectId: other.projectId, programId, ...ALWAYS } };
    expect((await service.call('POST', '/v1/backtests', foreign)).status).toBe(404);
    expect((await post('/v1/backtests', { programId, ...ALWAYS })).status).toBe(202);
  });

  test.each<[string, object, string]>([
    ['to prune without a definition', { prune: true }, 'prune'],
    ['a definition that is empty', { definition: {} }, 'definition.apiVersion'],
    [
      'to prune with a definition of other things',
      { prune: true, definition: { apiVersion: 'goodword/v1', kind: 'Program' } },
      'prune',
    ],
    ['an end at the start', { to: ALWAYS.from }, 'to'],
    ['a start in the future', { from: '2099-01-01T00:00:00Z' }, 'from'],
    ['half a time', { to: undefined }, 'to'],
    ['a text that is no definition', { definition: 'a: [' }, 'definition'],
    [
      'an unknown currency',
      {
        definition: definition({
          thanks: { terms: { benefitKind: 'cash', fixedAmountMinor: '1', currency: 'XXZ' } },
        }),
      },
      'definition.rules.thanks.terms.currency',
    ],
    [
      'a currency that is none',
      { definition: definition({ thanks: { terms: { currency: 'dollars' } } }) },
      'definition.rules.thanks.terms.currency',
    ],
    [
      'the definition of another Program',
      { definition: { apiVersion: 'goodword/v1', kind: 'Program', key: 'another' } },
      'definition.key',
    ],
  ])('of %s is refused by its path, and nothing is queued', async (_, more, path) => {
    const refused = await post('/v1/backtests', { programId, ...ALWAYS, ...more });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST' } } });
    expect(refused.body.error.details.map((one: { path: string }) => one.path)).toContain(path);
    expect((await read('/v1/backtests')).body.data).toEqual([]);
  });

  test('wakes the worker when it is queued, and not when it is refused', async () => {
    let woken = 0;
    const wake = () => {
      woken += 1;
    };
    const { backtestListeners } = service.built;
    backtestListeners.add(wake);
    try {
      await start();
      expect(woken).toBe(1);
      const turned = await post('/v1/backtests', { programId, from: ALWAYS.to, to: ALWAYS.from });
      expect(turned.status).toBe(400);
      expect(woken).toBe(1);
    } finally {
      backtestListeners.delete(wake);
    }
  });

  test('can be cancelled, and no more than five wait', async () => {
    const ids = [];
    for (let n = 0; n < 5; n += 1) ids.push(await start());
    const sixth = await post('/v1/backtests', { programId, ...ALWAYS });
    expect(sixth.body.error).toMatchObject({ code: 'CONFLICT', reason: 'limit_reached' });
    for (let n = 0; n < 2; n += 1) {
      const { data } = await ok(`/v1/backtests/${ids[0]}/cancel`, {});
      expect(data.status).toBe('cancelled');
    }
    while ((await run()) > 0);
    const list = (await read('/v1/backtests')).body.data;
    expect(list.map(({ status }: { status: string }) => status)).toEqual([
      'done',
      'done',
      'done',
      'done',
      'cancelled',
    ]);
  });

  test('is run again from its beginning if its process is gone, and by one process at a time', async () => {
    const id = await start({ definition: doubled });
    const next = await start();
    const { projectId } = shop;
    const claim = (token: string) => {
      const now = service.clock.now;
      return claimBacktest(service.database.reads, {
        projectId,
        token,
        now,
        until: addMs(now, 1_000),
      });
    };
    expect(await claim('gone')).toMatchObject({ id });
    expect(await claim('other')).toBeUndefined();
    service.clock.advance(1_001);
    while ((await run()) > 0);
    expect(await show(id)).toMatchObject({ status: 'done', events: { listed: 2 } });
    expect(await show(next)).toMatchObject({ status: 'done' });
  });

  test('forgets who was erased', async () => {
    const id = await start({ definition: doubled });
    await run();
    const found = (await read('/v1/participants', { externalId: 'ada' })).body.data[0].id;
    const query = { projectId: shop.projectId, force: true };
    await service.call('DELETE', `/v1/participants/${found}`, { as: shop.key, query });
    expect((await read(`/v1/backtests/${id}/differences`)).body.data).toEqual([]);
    const result = await show(id);
    expect(result.byBeneficiary).toEqual({ up: [], down: [] });
    expect(result.totals).toEqual([
      { currency: 'USD', actualMinor: '1500', proposedMinor: '3000' },
    ]);
  });
});
