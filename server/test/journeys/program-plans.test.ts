import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purgePlans } from '../../src/domain/programs/plans/purge-plans.ts';
import { DAY_MS, toInstant } from '../../src/platform/kit/instant.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let programKey = '';
let programs = 0;
beforeAll(async () => {
  service = await openService();
  project = await service.newProject('sandbox');
});
afterAll(() => service.close());

const post = (path: string, body: object = {}, as = project.key) =>
  service.call('POST', path, { as, body: { projectId: project.projectId, ...body } });
const get = (path: string, query: object = {}) =>
  service.call('GET', path, { as: project.key, query: { projectId: project.projectId, ...query } });
const plan = (definition: unknown, more: object = {}) =>
  post('/v1/program-plans', { definition, ...more });
const apply = (planId: string) => post(`/v1/program-plans/${planId}/apply`);

/** The file of a Program that no other test uses. */
function newFile(rateBps = 2000): string {
  programs += 1;
  programKey = `invite-${programs}`;
  return fileOf(programKey, rateBps);
}
const fileOf = (key: string, rateBps: number) => `apiVersion: goodword/v1
kind: Program
key: ${key}
programKind: referral
name: Invite a friend
config:
  brandConfig:
    landingPageUrl: https://shop.example.com/welcome
deliverySettings:
  holdDays: 14
attributionPolicy:
  windowDays: 30
rules:
  for-the-referrer:
    name: Thanks
    eventType: purchase
    beneficiaryRole: referrer
    terms: { benefitKind: cash, calculation: percentage, rateBps: ${rateBps}, durationMode: forever }
  for-the-friend:
    name: Welcome
    eventType: signup
    beneficiaryRole: referee
    terms:
      benefitKind: custom
      quantity: 2
      unit: { key: month, name: free month, namePlural: free months }
`;

async function applied(definition: unknown, more: object = {}) {
  const planned = await plan(definition, more);
  expect(planned.status, JSON.stringify(planned.body)).toBe(200);
  const done = await apply(planned.body.data.planId);
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  return done.body.data;
}
async function audit() {
  const entries = await service.call('GET', '/v1/audit-log', {
    as: 'operator',
    query: { workspaceId: project.workspaceId, limit: 50 },
  });
  return entries.body.data;
}

describe('a file', () => {
  test('makes a Program with its rules, and planning again finds nothing to do (D-PAC-1, D-PAC-2)', async () => {
    const file = newFile();
    const planned = await plan(file);
    expect(planned.body.data).toMatchObject({ programId: null, isEmpty: false, inForce: null });
    const names = (await get('/v1/programs')).body.data.map(({ key }: { key: string }) => key);
    expect(names).not.toContain(programKey);
    const done = await apply(planned.body.data.planId);
    const { programId } = done.body.data;
    const program = (await get(`/v1/programs/${programId}`)).body.data;
    expect(program).toMatchObject({ key: programKey, status: 'draft', name: 'Invite a friend' });
    const rules = (await get(`/v1/programs/${programId}/benefit-rules`)).body.data;
    expect(rules.map(({ key }: { key: string }) => key)).toEqual([
      'for-the-referrer',
      'for-the-friend',
    ]);
    const policies = (await get(`/v1/programs/${programId}/attribution-policies`)).body.data;
    expect(policies).toMatchObject([{ version: 1, windowDays: 30, model: 'last_touch' }]);
    const again = await plan(file);
    expect(again.body.data).toMatchObject({ programId, isEmpty: true, changes: [] });
  });

  test('that is exported and planned again changes nothing, as an object or as text', async () => {
    const { programId } = await applied(newFile());
    const exported = await get(`/v1/programs/${programId}/definition`);
    expect(exported.body.data).toMatchObject({
      apiVersion: 'goodword/v1',
      key: programKey,
      deliverySettings: { holdDays: 14, cashMethod: 'operator' },
      riskPolicy: { mode: 'observe' },
      rules: { 'for-the-friend': { terms: { unit: { key: 'month' } } } },
    });
    for (const definition of [exported.body.data, exported.body.file]) {
      for (const prune of [false, true]) {
        const planned = (await plan(definition, { programId, prune })).body.data;
        expect(planned).toMatchObject({ isEmpty: true, changes: [] });
        expect(planned.file).toBe(planned.inForce);
        const done = await apply(planned.planId);
        expect(done.body.data).toMatchObject({ programId, isEmpty: true });
      }
    }
    const entries = await audit();
    const ofPlans = entries.filter(
      ({ action, targetId }: { action: string; targetId: string }) =>
        action === 'program_plan.apply' && targetId === programId,
    );
    expect(ofPlans).toHaveLength(1);
  });

  test('with another rate publishes the next version, with the file, the plan and who in its trail', async () => {
    const { programId } = await applied(newFile());
    const changed = fileOf(programKey, 2500);
    const planned = (await plan(changed)).body.data;
    expect(planned.changes).toEqual([
      {
        action: 'publish',
        path: 'rules.for-the-referrer.terms',
        from: expect.objectContaining({ rateBps: 2000 }),
        to: expect.objectContaining({ rateBps: 2500 }),
        sentence:
          'Publishes version 2 of the terms of the rule for-the-referrer: 20% of the amount in cash → 25% of the amount in cash. It applies to events from now on.',
      },
    ]);
    const done = (await apply(planned.planId)).body.data;
    const [rule] = (await get(`/v1/programs/${programId}/benefit-rules`)).body.data;
    const terms = (await get(`/v1/benefit-rules/${rule.id}/terms`)).body.data;
    expect(terms).toHaveLength(2);
    expect(terms[0]).toMatchObject({
      version: 2,
      rateBps: 2500,
      changeNote: `Program file ${planned.digest}, plan ${planned.planId}`,
      author: done.appliedBy,
    });
    const [entry] = (await audit()).filter(
      ({ action }: { action: string }) => action === 'program_plan.apply',
    );
    expect(entry.changes).toMatchObject({ planId: planned.planId, digest: planned.digest });
  });

  test('that lacks a rule leaves it alone, and ends it if it prunes', async () => {
    const { programId } = await applied(newFile());
    const { data } = (await get(`/v1/programs/${programId}/definition`)).body;
    const { 'for-the-friend': friend, ...rules } = data.rules;
    const kept = (await plan({ ...data, rules })).body.data;
    expect(kept).toMatchObject({ isEmpty: true, changes: [{ action: 'none' }] });
    const pruned = await applied({ ...data, rules }, { prune: true });
    expect(pruned.changes).toMatchObject([{ action: 'end', path: 'rules.for-the-friend' }]);
    const after = (await get(`/v1/programs/${programId}/definition`)).body.data;
    expect(after.rules['for-the-friend'].terms).toEqual({ ...friend.terms, enabled: false });
    expect((await plan({ ...data, rules }, { prune: true })).body.data.isEmpty).toBe(true);
    const { rules: _, ...without } = data;
    for (const definition of [without, { ...without, rules: null }]) {
      const refused = await plan(definition, { programId, prune: true });
      expect(refused.body.error).toMatchObject({ details: [{ path: 'prune' }] });
    }
    await applied(data);
    const back = (await get(`/v1/programs/${programId}/definition`)).body.data;
    expect(back).toEqual(data);
  });

  test('changes everything else that it says, and nothing that it does not', async () => {
    const { programId } = await applied(newFile());
    const before = (await get(`/v1/programs/${programId}/definition`)).body.data;
    const done = await applied({
      apiVersion: 'goodword/v1',
      kind: 'Program',
      key: programKey,
      name: 'Bring a friend',
      endDate: '2030-01-01T00:00:00Z',
      config: { widgetConfig: { title: 'Hello', cssVariables: { '--radius': '4px' } } },
      deliverySettings: { cashMethod: 'payout' },
      attributionPolicy: { model: 'first_touch' },
      riskPolicy: { mode: 'review', points: { velocity: 99 } },
      rules: { 'for-the-friend': { name: 'Hi' } },
    });
    expect(done.programId).toBe(programId);
    const after = (await get(`/v1/programs/${programId}/definition`)).body.data;
    expect(after).toEqual({
      ...before,
      name: 'Bring a friend',
      endDate: '2030-01-01T00:00:00.000Z',
      config: {
        ...before.config,
        widgetConfig: {
          ...before.config.widgetConfig,
          title: 'Hello',
          cssVariables: { '--radius': '4px' },
        },
      },
      deliverySettings: { ...before.deliverySettings, cashMethod: 'payout' },
      attributionPolicy: { ...before.attributionPolicy, model: 'first_touch' },
      riskPolicy: {
        ...before.riskPolicy,
        mode: 'review',
        points: { ...before.riskPolicy.points, velocity: 99 },
      },
      rules: {
        ...before.rules,
        'for-the-friend': { ...before.rules['for-the-friend'], name: 'Hi' },
      },
    });
  });

  test('works in another Project, where it makes the same Program', async () => {
    const { programId } = await applied(newFile());
    const { data } = (await get(`/v1/programs/${programId}/definition`)).body;
    const other = await service.newProject('sandbox');
    const elsewhere = { as: other.key, body: { projectId: other.projectId, definition: data } };
    const planned = await service.call('POST', '/v1/program-plans', elsewhere);
    const done = await service.call('POST', `/v1/program-plans/${planned.body.data.planId}/apply`, {
      as: other.key,
      body: { projectId: other.projectId },
    });
    const copy = await service.call('GET', `/v1/programs/${done.body.data.programId}/definition`, {
      as: other.key,
      query: { projectId: other.projectId },
    });
    expect(copy.body.data).toEqual(data);
    const foreign = [
      await service.call('POST', `/v1/program-plans/${planned.body.data.planId}/apply`, {
        as: project.key,
        body: { projectId: project.projectId },
      }),
      await plan(data, { programId: done.body.data.programId }),
      await get(`/v1/programs/${done.body.data.programId}/definition`),
      await get(`/v1/program-plans/${planned.body.data.planId}`),
    ];
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });
});

describe('a plan', () => {
  test('applied again, or twice at once, is done once and answered the same', async () => {
    const { programId } = await applied(newFile());
    const { planId } = (await plan(fileOf(programKey, 3000))).body.data;
    const answers = await Promise.all([apply(planId), apply(planId), apply(planId)]);
    answers.push(await apply(planId));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const [rule] = (await get(`/v1/programs/${programId}/benefit-rules`)).body.data;
    expect((await get(`/v1/benefit-rules/${rule.id}/terms`)).body.data).toHaveLength(2);
  });

  test('applied by two people at once is done by one of them, and both read who it was', async () => {
    const { programId } = await applied(newFile());
    const { planId } = (await plan(fileOf(programKey, 3000))).body.data;
    const path = `/v1/program-plans/${planId}/apply`;
    const body = { projectId: project.projectId };
    const applyAs = (as: string) => service.call('POST', path, { as, body });
    const [one, two] = await Promise.all([applyAs(project.key), applyAs('operator')]);
    expect(one.status).toBe(200);
    expect(two.body).toEqual(one.body);
    expect(one.body.data.appliedBy).toMatch(/^(key|cli):/);
    const [rule] = (await get(`/v1/programs/${programId}/benefit-rules`)).body.data;
    const versions = (await get(`/v1/benefit-rules/${rule.id}/terms`)).body.data;
    expect(versions).toMatchObject([{ author: one.body.data.appliedBy }, { version: 1 }]);
  });

  test('that creates a Program creates one, however many such plans there are', async () => {
    const file = newFile();
    const plans = await Promise.all([plan(file), plan(file)]);
    const answers = await Promise.all(plans.map(({ body }) => apply(body.data.planId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.error.reason).toBe('plan_outdated');
  });

  test.each([
    ['its name', (id: string) => patch(id, { name: 'Another' })],
    ['its delivery', (id: string) => put(`/v1/programs/${id}/delivery-settings`, { holdDays: 3 })],
    ['its status', (id: string) => post(`/v1/programs/${id}/status`, { status: 'active' })],
    ['a policy', (id: string) => post(`/v1/programs/${id}/attribution-policies`, {})],
    ['a risk policy', (id: string) => post(`/v1/programs/${id}/risk-policies`, { mode: 'off' })],
    ['a new rule', (id: string) => newRule(id)],
    ['terms, in the console', (id: string) => publishInConsole(id)],
  ])('is refused after a change of %s, and changes nothing', async (_what, change) => {
    const { programId } = await applied(newFile());
    const { planId } = (await plan(fileOf(programKey, 3000))).body.data;
    const changed = await change(programId);
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    const before = (await get(`/v1/programs/${programId}/definition`)).body;
    const refused = await apply(planId);
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({ code: 'CONFLICT', reason: 'plan_outdated' });
    expect((await get(`/v1/programs/${programId}/definition`)).body).toEqual(before);
  });

  test('is refused if a unit got other names since, and nothing of it is done', async () => {
    const file = newFile().replaceAll('month', 'season');
    const { planId } = (await plan(file)).body.data;
    const { programId } = await applied(newFile());
    const made = await post('/v1/benefit-rules', {
      programId,
      eventType: 'custom_visit',
      beneficiaryRole: 'referrer',
      name: 'x',
      terms: {
        benefitKind: 'custom',
        quantity: 1,
        unit: { key: 'season', name: 'season', namePlural: 'seasons' },
      },
    });
    expect(made.status).toBe(200);
    const count = (await get('/v1/programs')).body.data.length;
    const refused = await apply(planId);
    expect(refused.body.error).toMatchObject({ reason: 'plan_outdated' });
    expect(refused.body.error.message).toContain('season');
    expect((await get('/v1/programs')).body.data).toHaveLength(count);
  });

  test('can be read again, before and after it was applied', async () => {
    const { planId, changes, digest } = (await plan(newFile())).body.data;
    const before = (await get(`/v1/program-plans/${planId}`)).body.data;
    expect(before).toMatchObject({ planId, changes, digest, isEmpty: false, appliedAt: null });
    const { programId, appliedAt } = (await apply(planId)).body.data;
    const after = (await get(`/v1/program-plans/${planId}`)).body.data;
    expect(after).toMatchObject({ planId, programId, appliedAt });
  });

  test('of a reader can be made, not applied', async () => {
    const made = await service.call('POST', '/v1/api-keys', {
      as: 'operator',
      body: {
        workspaceId: project.workspaceId,
        environment: 'sandbox',
        name: 'CI',
        permissions: ['programs:read'],
      },
    });
    const reader = made.body.key;
    const planned = await post('/v1/program-plans', { definition: newFile() }, reader);
    expect(planned.status).toBe(200);
    const refused = await post(`/v1/program-plans/${planned.body.data.planId}/apply`, {}, reader);
    expect(refused.status).toBe(403);
  });
});

const patch = (id: string, body: object) =>
  service.call('PATCH', `/v1/programs/${id}`, {
    as: project.key,
    body: { projectId: project.projectId, ...body },
  });
const put = (path: string, body: object) =>
  service.call('PUT', path, { as: project.key, body: { projectId: project.projectId, ...body } });
/** As somebody with the console does, who saw the newest version. */
async function publishInConsole(programId: string) {
  const [rule] = (await get(`/v1/programs/${programId}/benefit-rules`)).body.data;
  const terms = {
    benefitKind: 'cash',
    calculation: 'percentage',
    rateBps: 500,
    durationMode: 'forever',
  };
  return service.call('POST', `/v1/benefit-rules/${rule.id}/terms`, {
    as: 'operator',
    body: { projectId: project.projectId, terms, afterVersion: 1 },
  });
}
const newRule = (programId: string) =>
  post('/v1/benefit-rules', {
    programId,
    eventType: 'custom_visit',
    beneficiaryRole: 'referrer',
    name: 'Visits',
    terms: { benefitKind: 'credit', fixedAmountMinor: '100', currency: 'USD', currencyExponent: 2 },
  });

describe('refused is', () => {
  const refusal = async (definition: unknown, more: object = {}) =>
    (await plan(definition, more)).body.error;

  test('a file with mistakes: all of them at once, with path and line, and no plan is kept', async () => {
    const file = newFile()
      .replace('rateBps', 'ratebps')
      .replace('quantity: 2', 'quantity: 0')
      .replace('holdDays: 14', 'holdDays: 999');
    const { code, details } = await refusal(file);
    expect(code).toBe('INVALID_REQUEST');
    expect(details).toEqual(
      expect.arrayContaining([
        {
          path: 'deliverySettings.holdDays',
          issue: expect.stringMatching(/at most 365 \(line 10\)/),
        },
        {
          path: 'rules.for-the-referrer.terms.ratebps',
          issue: 'is not a known field; did you mean rateBps? (line 18)',
        },
      ]),
    );
  });

  test.each([
    ['nothing', undefined, ''],
    ['a number', 5, ''],
    ['a list', [], ''],
    ['text that is no YAML', 'a: [', ''],
    ['a file of another kind', { apiVersion: 'v1', kind: 'Pod' }, 'apiVersion'],
    ['neither key nor programId', { apiVersion: 'goodword/v1', kind: 'Program' }, 'key'],
  ])('%s', async (_what, definition, path) => {
    const error = await refusal(definition);
    expect(error.code).toBe('INVALID_REQUEST');
    expect(error.details.map((one: { path: string }) => one.path)).toContain(
      definition === undefined ? 'definition' : path,
    );
  });

  test('a half-valid file: its valid half is not done either', async () => {
    const { programId } = await applied(newFile());
    const before = (await get(`/v1/programs/${programId}/definition`)).body;
    const half = fileOf(programKey, 4000).replace('currency: USD', '').replace('quantity: 2', '');
    const error = await refusal(half);
    expect(error.details).toEqual([
      { path: 'rules.for-the-friend.terms.quantity', issue: 'is required' },
    ]);
    expect((await get(`/v1/programs/${programId}/definition`)).body).toEqual(before);
  });

  test('a change of terms while a version is scheduled, which an export names and keeps', async () => {
    const { programId } = await applied(newFile());
    const [rule] = (await get(`/v1/programs/${programId}/benefit-rules`)).body.data;
    const effectiveAt = new Date(service.clock.nowMs() + 20 * DAY_MS).toISOString();
    const terms = { benefitKind: 'cash', calculation: 'percentage', rateBps: 500, effectiveAt };
    expect((await post(`/v1/benefit-rules/${rule.id}/terms`, { terms })).status).toBe(200);
    const exported = (await get(`/v1/programs/${programId}/definition`)).body;
    expect(exported.data.rules['for-the-referrer'].terms.rateBps).toBe(2000);
    expect(exported.scheduled).toEqual([
      { path: 'rules.for-the-referrer.terms', version: 2, effectiveAt },
    ]);
    expect(exported.file).toContain(
      `# Not in this file: version 2 of rules.for-the-referrer.terms`,
    );
    const same = (await plan(exported.file, { prune: true })).body.data;
    expect(same).toMatchObject({ isEmpty: true, changes: [{ action: 'none' }] });
    const error = await refusal(fileOf(programKey, 4000));
    expect(error.details[0]).toMatchObject({ path: 'rules.for-the-referrer.terms' });
    expect(error.details[0].issue).toContain('version 2 is scheduled');
  });

  test('a Program of another kind under the same key, and a taken key of a new Program or rule', async () => {
    const { programId } = await applied(newFile());
    const other = fileOf(programKey, 2000).replace('referral', 'affiliate');
    expect((await refusal(other)).details).toMatchObject([{ path: 'programKind' }]);
    const made = await post('/v1/programs', { kind: 'referral', name: 'x', key: programKey });
    expect(made.body.error).toMatchObject({ code: 'CONFLICT', reason: 'key_taken' });
    const rule = await post('/v1/benefit-rules', {
      programId,
      key: 'for-the-friend',
      eventType: 'custom_x',
      beneficiaryRole: 'referrer',
      name: 'x',
      terms: { benefitKind: 'cash', fixedAmountMinor: '100', currency: 'USD', currencyExponent: 2 },
    });
    expect(rule.body.error).toMatchObject({ code: 'CONFLICT', reason: 'key_taken' });
  });
});

test('the JSON Schema for editors is the one that files are checked with', async () => {
  const response = await fetch(`${service.url}/schemas/program-v1.json`);
  const schema = (await response.json()) as TSchema & { $id: string; $schema: string };
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  expect(schema.$id).toMatch(/^http.*\/schemas\/program-v1\.json$/);
  const { programId } = await applied(newFile());
  const { data, file } = (await get(`/v1/programs/${programId}/definition`)).body;
  expect(file.split('\n')[0]).toBe(`# yaml-language-server: $schema=${schema.$id}`);
  const validator = Compile(schema);
  expect(validator.Check(data)).toBe(true);
  expect(validator.Check({ ...data, rules: { 'for-the-friend': { term: {} } } })).toBe(false);
});

test('a plan older than a day is refused, and deleted a day later', async () => {
  const planned = (await plan(newFile())).body.data;
  const first = (await plan(newFile())).body.data;
  const done = (await apply(first.planId)).body;
  service.clock.advance(DAY_MS);
  expect(new Date(planned.expiresAt).getTime()).toBeLessThanOrEqual(service.clock.nowMs());
  const refused = await apply(planned.planId);
  expect(refused.body.error).toMatchObject({ code: 'CONFLICT', reason: 'plan_expired' });
  expect((await apply(first.planId)).body).toEqual(done);
  const purge = () => purgePlans(service.database, toInstant(service.clock.nowMs()), 500);
  expect(await purge()).toBe(0);
  service.clock.advance(DAY_MS + 1);
  expect(await purge()).toBeGreaterThan(1);
  expect((await apply(planned.planId)).status).toBe(404);
  expect((await apply(first.planId)).status).toBe(404);
});

test('a plan can be applied until a second before its day is over, and a second after that it says what to do', async () => {
  const [early, late] = [(await plan(newFile())).body.data, (await plan(newFile())).body.data];
  service.clock.advance(DAY_MS - 1_000);
  expect((await apply(early.planId)).body.data).toMatchObject({ planId: early.planId });
  service.clock.advance(2_000);
  const count = (await get('/v1/programs')).body.data.length;
  const refused = await apply(late.planId);
  expect(refused).toMatchObject({ status: 409, body: { error: { reason: 'plan_expired' } } });
  expect(refused.body.error.message).toBe(`The plan expired at ${late.expiresAt}. Plan again.`);
  expect((await get('/v1/programs')).body.data).toHaveLength(count);
  const again = (await plan(fileOf(programKey, 2000))).body.data;
  expect((await apply(again.planId)).status).toBe(200);
});
