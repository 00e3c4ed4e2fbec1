import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_POINTS } from '../../src/domain/programs/policies/risk-policy.ts';
import { DAY_MS, MINUTE_MS } from '../../src/platform/kit/instant.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { purgeOnce } from '../../src/surfaces/privacy/worker.ts';
import { addVersions } from '../add-versions.ts';
import { type Answer, startService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await startService({ settings: { trustProxy: 1 } });
});
beforeEach(async () => {
  shop = await openShop(service);
});
afterAll(() => service.close());

const HOME = '203.0.113.7';
const OFFICE = '198.51.100.9';
const FIXED = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '500',
  currency: 'USD',
  currencyExponent: 2,
};

const ok = ({ status, body }: Answer) => {
  expect([status, body]).toMatchObject([200, {}]);
  return body;
};
const put = (path: string, body: object) =>
  service.call('PUT', path, {
    as: shop.project.key,
    body: { projectId: shop.project.projectId, ...body },
  });
const meet = async (externalId: string, email: string) =>
  ok(await put('/v1/participants', { participant: { kind: 'individual', externalId }, email }));
const policies = () => `/v1/programs/${shop.programId}/risk-policies`;
const lists = () => `/v1/projects/${shop.project.projectId}/risk-lists`;
const NONE = { emailDomains: [], networks: [], participants: [] };

/** A browser follows ada's link. */
async function click(from: string): Promise<string> {
  const answer = await service.call('POST', '/v1/clicks', {
    body: { projectKey: shop.project.projectKey, ref: 'ada', url: 'https://example.com/' },
    headers: { 'x-forwarded-for': from },
  });
  return ok(answer).handle;
}

async function signUp(externalId: string, more: object = { refCode: 'ada' }): Promise<string> {
  const { sourceNamespaceId } = shop;
  const participant = { kind: 'individual', externalId };
  const body = { sourceNamespaceId, type: 'signup', participant, ...more };
  return ok(await shop.post('/v1/track/events', body)).eventId;
}

/** Somebody opens the panel. */
async function openPanel(sub: string, from: string) {
  const { secret } = await newWidgetSecret(service, shop.project);
  const token = await makeSigner(service, shop.project, secret)({ claims: { sub } });
  const answer = await service.call('POST', '/v1/widget/init', {
    as: 'nobody',
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from },
    body: { projectId: shop.project.projectId, programId: shop.programId },
  });
  return ok(answer).participant.participantId;
}

const riskOf = async (eventId: string) =>
  ok(await shop.read(`/v1/events/${eventId}/explanation`)).data.risk;
/** `signal value` of each that fired. */
const firedBy = async (eventId: string): Promise<string[]> =>
  (await riskOf(eventId)).signals.map(
    ({ signal, value }: Record<string, string>) => `${signal} ${value}`,
  );
const rowsOf = (table: string, columns: string) =>
  service.database.reads.query<Record<string, unknown>>(
    `select ${columns} from ${table} where project_id = $1`,
    [shop.project.projectId],
  );
const expectVerified = async () =>
  expect((await verifyProject(service.database, shop.project.projectId)).kept).toEqual([]);

describe('a policy', () => {
  test('is the default until one is published, and is published as versions', async () => {
    expect(ok(await shop.read(policies())).data).toEqual([]);
    const first = ok(await shop.post(policies(), { mode: 'review', points: { velocity: 5 } }));
    expect(first.data).toMatchObject({
      version: 1,
      mode: 'review',
      reviewAt: 60,
      points: { ...DEFAULT_POINTS, velocity: 5 },
      effectiveAt: service.clock.now,
      author: expect.stringMatching(/^key:key_/),
    });
    const second = ok(await shop.post(policies(), { reviewAt: 80 }));
    expect(second.data).toMatchObject({ version: 2, mode: 'observe', points: DEFAULT_POINTS });
    expect(ok(await shop.read(policies())).data).toEqual([second.data, first.data]);
  });

  test('has at most 500 versions, and is refused for a loyalty program', async () => {
    ok(await shop.post(policies()));
    await addVersions(service.database, shop.project, 'risk_policies', 500);
    expect(await shop.post(policies())).toMatchObject({
      status: 409,
      body: { error: { reason: 'limit_reached' } },
    });
    const made = ok(await shop.post('/v1/programs', { kind: 'loyalty', name: 'Points' }));
    const refused = await shop.post(`/v1/programs/${made.data.id}/risk-policies`);
    expect(refused.body.error.details).toMatchObject([{ path: 'programId' }]);
  });

  test('goes with a copy of its program', async () => {
    const { data } = ok(await shop.post(policies(), { mode: 'review', reviewAt: 33 }));
    const copy = ok(await shop.post('/v1/programs/copies', { programId: shop.programId })).data.id;
    const [copied] = ok(await shop.read(`/v1/programs/${copy}/risk-policies`)).data;
    expect(copied).toMatchObject({ mode: 'review', reviewAt: 33, version: 1, programId: copy });
    expect(copied.id).not.toBe(data.id);
  });

  test('judges what occurred while it was in force, and nothing with the mode off', async () => {
    await meet('bob-2', 'ada+2@example.com');
    await meet('ada', 'ada@example.com');
    const before = await signUp('bob-2');
    expect(await riskOf(before)).toMatchObject({
      policyVersionId: null,
      mode: 'observe',
      score: DEFAULT_POINTS.email_alias,
      reviewAt: 60,
      reviewId: null,
    });
    service.clock.advance(MINUTE_MS);
    await shop.post(policies(), { mode: 'off' });
    expect(await riskOf(await signUp('cyd'))).toBeNull();
    service.clock.advance(MINUTE_MS);
    const { data } = ok(await shop.post(policies(), { points: { email_alias: 7 } }));
    await meet('dan', 'a.d.a@example.com');
    expect(await riskOf(await signUp('dan'))).toMatchObject({
      policyVersionId: data.id,
      score: 7,
      signals: [
        {
          signal: 'email_alias',
          value: '2',
          points: 7,
          sentence:
            '2 people around the referrer have the same e-mail address but for tags and dots.',
        },
      ],
    });
    await expectVerified();
  });
});

describe('signals', () => {
  test('tell of one network, and of a signup a moment after the click', async () => {
    await openPanel('ada', HOME);
    const event = await signUp('cyd', { identify: { handle: await click(HOME) } });
    expect(await firedBy(event)).toEqual(['same_network 1', 'quick_signup 0']);
    const handle = await click(OFFICE);
    service.clock.advance(MINUTE_MS);
    expect(await firedBy(await signUp('dan', { identify: { handle } }))).toEqual([]);
  });

  test('tell of referees who share a network', async () => {
    for (const name of ['cyd', 'dan'])
      await signUp(name, { identify: { handle: await click(HOME) } });
    const event = await signUp('eve', { identify: { handle: await click(HOME) } });
    expect(await firedBy(event)).toContain('ring 2');
  });

  test('tell of many referrals within an hour', async () => {
    const events: string[] = [];
    for (let number = 2; number <= 20; number += 1) events.push(await signUp(`friend-${number}`));
    expect(await firedBy(events[17] as string)).toEqual([]);
    expect(await firedBy(events[18] as string)).toEqual(['velocity 20']);
  });

  test('tell of addresses that are alike, and of disposable ones', async () => {
    await meet('ada', 'ada.b@example.com');
    await meet('cyd', 'adab7@example.com');
    await meet('dan', 'dan@sub.mailinator.com');
    expect(await firedBy(await signUp('cyd'))).toEqual([]);
    await meet('eve', 'ada.b8@example.com');
    expect(await firedBy(await signUp('eve'))).toEqual(['email_similar 2']);
    expect(await firedBy(await signUp('dan'))).toEqual(['email_disposable 1']);
  });

  test('tell of one account for several people', async () => {
    const paypal = { type: 'paypal', email: 'paid@example.com' };
    const { secret } = await newWidgetSecret(service, shop.project);
    const sign = makeSigner(service, shop.project, secret);
    await signUp('cyd');
    for (const sub of ['ada', 'cyd']) {
      const token = await sign({ claims: { sub, scope: 'widget:read widget:payout' } });
      const saved = await service.call('PUT', '/v1/widget/payout-details', {
        as: 'nobody',
        headers: { authorization: `Bearer ${token}` },
        body: { projectId: shop.project.projectId, details: paypal },
      });
      expect([saved.status, saved.body]).toMatchObject([200, {}]);
    }
    expect(await firedBy(await signUp('dan'))).toEqual(['shared_payout 1']);
  });

  test('tell of one card for several people', async () => {
    for (const name of ['cyd', 'dan', 'eve']) {
      const { data } = await meet(name, `${name}@example.com`);
      await service.database.reads.query(
        `insert into participant_cards (project_id, card_hash, participant_id, seen_at)
         values ($1, 'card', $2, $3)`,
        [shop.project.projectId, data.id, service.clock.now],
      );
    }
    expect(await firedBy(await signUp('dan'))).toEqual(['shared_payment 2']);
  });

  test('tell of people who referred each other', async () => {
    const { programId } = shop;
    const code = { programId, participant: { kind: 'individual', externalId: 'bob' }, code: 'bob' };
    ok(await shop.post('/v1/referral-codes', code));
    expect(await firedBy(await signUp('ada', { refCode: 'bob' }))).toEqual(['ring 2']);
  });

  test('tell of referees who return what they buy, when a reward is earned', async () => {
    await shop.addRule(FIXED);
    for (const name of ['1', '2', '3', '4']) {
      await shop.order(name);
      await shop.post('/v1/track/adjustments', {
        sourceNamespaceId: shop.sourceNamespaceId,
        sourceEventId: `refund of ${name}`,
        purchase: { sourceEventId: name },
        kind: 'refund',
        amountMinor: '1000',
        currency: 'USD',
        currencyExponent: 2,
        occurredAt: service.clock.now,
      });
    }
    expect(await firedBy(await shop.order('5'))).toEqual(['refund_rate 80']);
    await expectVerified();
  });
});

test('a dry run judges as the real call does', async () => {
  await meet('ada', 'ada@example.com');
  await meet('cyd', 'ada+1@example.com');
  const { sourceNamespaceId } = shop;
  const participant = { kind: 'individual', externalId: 'cyd' };
  const body = { sourceNamespaceId, type: 'signup', participant, refCode: 'ada' };
  const dry = ok(await shop.post('/v1/simulations/events', body)).data.explanation.risk;
  const { referralId: _, ...real } = await riskOf(await signUp('cyd'));
  expect(dry).toMatchObject(real);
  expect(real.score).toBe(DEFAULT_POINTS.email_alias);
});

test('a preview says what a policy would have done with the scores that were kept', async () => {
  await meet('ada', 'ada@example.com');
  await meet('cyd', 'ada+1@example.com');
  await signUp('cyd');
  const preview = async (body: object) => ok(await shop.post(`${policies()}/preview`, body)).data;
  const found = await preview({ mode: 'review' });
  expect(found).toMatchObject({
    judged: 2,
    reviewed: 1,
    examples: [{ score: 60, referrer: { externalId: 'ada' }, referee: { externalId: 'cyd' } }],
  });
  expect(found.bySignal).toContainEqual({ signal: 'email_alias', count: 1 });
  expect(await preview({ mode: 'review', reviewAt: 61 })).toMatchObject({ judged: 2, reviewed: 0 });
  expect(await preview({ mode: 'review', points: { email_alias: 0 } })).toMatchObject({
    reviewed: 0,
  });
  expect(ok(await shop.read(policies())).data).toEqual([]);
});

describe('lists', () => {
  test('take points away and add them', async () => {
    await openPanel('ada', HOME);
    await meet('cyd', 'cyd@mailinator.com');
    const watched = { ...NONE, networks: [`${OFFICE}/32`], emailDomains: ['Example.NET'] };
    const allowed = { ...NONE, networks: ['203.0.112.0/23'], emailDomains: ['mailinator.com'] };
    const saved = ok(await put(lists(), { allowed, watched }));
    expect(saved.data).toEqual({
      allowed,
      watched: { ...watched, emailDomains: ['example.net'] },
      updatedAt: service.clock.now,
    });
    expect(ok(await shop.read(lists()))).toEqual(saved);
    const atHome = await click(HOME);
    const inOffice = await click(OFFICE);
    service.clock.advance(MINUTE_MS);
    expect(await firedBy(await signUp('cyd', { identify: { handle: atHome } }))).toEqual([]);
    await meet('dan', 'dan@example.net');
    expect(await firedBy(await signUp('dan', { identify: { handle: inOffice } }))).toEqual([
      'same_network watched',
      'email_disposable watched',
    ]);
    const participants = [{ kind: 'individual', externalId: 'eve' }];
    ok(await put(lists(), { allowed: NONE, watched: { ...NONE, participants } }));
    expect(await firedBy(await signUp('eve'))).toEqual(['velocity watched']);
    ok(await put(lists(), { allowed: { ...NONE, participants }, watched: NONE }));
    await expectVerified();
  });

  test('refuse networks that are none, or too wide', async () => {
    const allowed = { ...NONE, networks: ['203.0.113.0/24', 'home', '10.0.0.0/8'] };
    const { status, body } = await put(lists(), { allowed, watched: NONE });
    expect(status).toBe(400);
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'allowed.networks.1',
      'allowed.networks.2',
    ]);
  });
});

describe('privacy', () => {
  test('an erasure leaves no hash, and no name on a list', async () => {
    const cyd = await openPanel('cyd', HOME);
    await meet('cyd', 'cyd@example.com');
    const participants = [{ kind: 'individual', externalId: 'cyd' }];
    ok(await put(lists(), { allowed: NONE, watched: { ...NONE, participants } }));
    expect(await rowsOf('participant_networks', 'participant_id as id')).toEqual([{ id: cyd }]);
    const erased = await service.call('DELETE', `/v1/participants/${cyd}`, {
      as: shop.project.key,
      query: { projectId: shop.project.projectId },
    });
    ok(erased);
    expect(await rowsOf('participant_networks', '*')).toEqual([]);
    const people = await rowsOf('participants', 'id, email_key, email_stem, email_is_disposable');
    expect(people.find(({ id }) => id === cyd)).toEqual({
      id: cyd,
      email_key: null,
      email_stem: null,
      email_is_disposable: null,
    });
    expect(ok(await shop.read(lists())).data.watched).toEqual(NONE);
    // Whoever is readmitted begins without any.
    await service.call('POST', `/v1/participants/${cyd}/readmit`, {
      as: 'operator',
      body: { projectId: shop.project.projectId },
    });
    expect(await firedBy(await signUp('cyd'))).toEqual([]);
    await expectVerified();
  });

  test('nobody who was erased comes back by a list, such as one that was read before', async () => {
    await meet('cyd', 'cyd@example.com');
    const { body } = await shop.read('/v1/participants', { externalId: 'cyd' });
    const participants = [{ kind: 'individual', externalId: 'cyd' }];
    const watched = { ...NONE, participants };
    ok(await put(lists(), { allowed: NONE, watched }));
    const query = { projectId: shop.project.projectId };
    const path = `/v1/participants/${body.data[0].id}`;
    ok(await service.call('DELETE', path, { as: shop.project.key, query }));
    for (const written of [
      { allowed: NONE, watched },
      { allowed: watched, watched: NONE },
    ]) {
      const refused = await put(lists(), written);
      expect([refused.status, refused.body.error.reason]).toEqual([409, 'participant_deleted']);
    }
    expect(ok(await shop.read(lists())).data).toMatchObject({ allowed: NONE, watched: NONE });
  });

  test('networks go after 30 days without being seen, as those of clicks do', async () => {
    const purge = () =>
      purgeOnce({
        database: service.database,
        clock: service.clock,
        auditRetentionDays: 36_500,
        attemptRetentionDays: 36_500,
      });
    await openPanel('ada', HOME);
    await openPanel('ada', HOME);
    service.clock.advance(29 * DAY_MS);
    await openPanel('ada', OFFICE);
    await purge();
    expect(await rowsOf('participant_networks', '1')).toHaveLength(2);
    service.clock.advance(2 * DAY_MS);
    await purge();
    expect(await rowsOf('participant_networks', '1')).toHaveLength(1);
  });
});
