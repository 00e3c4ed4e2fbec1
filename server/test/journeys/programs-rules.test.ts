import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, toInstant } from '../../src/platform/kit/instant.ts';
import { addVersions } from '../add-versions.ts';
import { type Answer, openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  project = await service.newProject();
});

function send(method: 'POST' | 'PUT', path: string, body: object, of = project) {
  return service.call(method, path, { as: of.key, body: { projectId: of.projectId, ...body } });
}
function read(path: string, of = project): Promise<Answer> {
  return service.call('GET', path, { as: of.key, query: { projectId: of.projectId } });
}
async function newProgram(kind = 'referral', of = project): Promise<string> {
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  return (await send('POST', '/v1/programs', { kind, name: 'Invite', config }, of)).body.data.id;
}
const ten = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '1000',
  currency: 'usd',
  currencyExponent: 2,
};
const gb = { key: 'gb', name: 'gigabyte', namePlural: 'gigabytes' };
const newRule = (programId: string, body: object = {}, of = project) =>
  send(
    'POST',
    '/v1/benefit-rules',
    {
      programId,
      eventType: 'purchase',
      beneficiaryRole: 'referrer',
      name: 'Ten dollars',
      terms: ten,
      ...body,
    },
    of,
  );
const pathsOf = (answer: Answer) =>
  answer.body.error.details.map(({ path }: { path: string }) => path);
const refusalOf = ({ status, body }: Answer) => [status, body.error?.reason ?? body.error?.code];
const afterNow = (ms: number) => toInstant(service.clock.nowMs() + ms);

test('a rule is made with version 1 of its terms, and both read back the same', async () => {
  const programId = await newProgram();
  const made = await newRule(programId, { terms: { ...ten, changeNote: 'Launch' } });
  const { terms, ...rule } = made.body.data;
  const at = service.clock.now;
  expect(rule).toEqual({
    id: expect.stringMatching(/^rul_/),
    createdAt: at,
    updatedAt: at,
    projectId: project.projectId,
    programId,
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    purpose: 'primary',
    key: 'ten-dollars',
    name: 'Ten dollars',
    initialEffectiveAt: at,
  });
  expect(terms).toEqual({
    id: expect.stringMatching(/^trm_/),
    createdAt: at,
    updatedAt: at,
    projectId: project.projectId,
    ruleId: rule.id,
    programId,
    beneficiaryRole: 'referrer',
    benefitKind: 'cash',
    version: 1,
    publishedAt: at,
    effectiveAt: at,
    enabled: true,
    calculation: 'fixed',
    fixedAmountMinor: '1000',
    currency: 'USD',
    currencyExponent: 2,
    rateBps: null,
    durationMode: 'once',
    durationMonths: null,
    customUnitId: null,
    unit: null,
    quantity: null,
    validityDays: null,
    maxRewardsPerBeneficiary: null,
    conditions: null,
    tiers: null,
    milestone: null,
    roundingPolicy: 'half_up',
    refundPolicy: 'proportional',
    author: expect.stringMatching(/^key:key_/),
    changeNote: 'Launch',
  });
  expect((await read(`/v1/programs/${programId}/benefit-rules`)).body.data).toEqual([rule]);
  expect((await read(`/v1/benefit-rules/${rule.id}/terms`)).body.data).toEqual([terms]);
});

test('terms are published as versions, newest first, and the rule stays (D-TERM-5)', async () => {
  const programId = await newProgram();
  const { id, initialEffectiveAt, terms } = (await newRule(programId)).body.data;
  const path = `/v1/benefit-rules/${id}/terms`;
  service.clock.advance(HOUR_MS);
  const second = await send('POST', path, {
    terms: {
      benefitKind: 'credit',
      calculation: 'percentage',
      rateBps: 2000,
      durationMode: 'months',
      durationMonths: 12,
      maxRewardsPerBeneficiary: 5,
      roundingPolicy: 'half_even',
      refundPolicy: 'full',
      enabled: false,
      effectiveAt: afterNow(DAY_MS),
    },
  });
  expect(second.body.data).toMatchObject({
    ruleId: id,
    version: 2,
    publishedAt: service.clock.now,
    effectiveAt: afterNow(DAY_MS),
    benefitKind: 'credit',
    calculation: 'percentage',
    fixedAmountMinor: null,
    currency: null,
    rateBps: 2000,
    durationMode: 'months',
    durationMonths: 12,
    maxRewardsPerBeneficiary: 5,
    roundingPolicy: 'half_even',
    refundPolicy: 'full',
    enabled: false,
  });
  expect((await read(path)).body.data).toEqual([second.body.data, terms]);
  const [rule] = (await read(`/v1/programs/${programId}/benefit-rules`)).body.data;
  expect(rule.initialEffectiveAt).toBe(initialEffectiveAt);
});

test('nobody replaces terms unseen that somebody else has published meanwhile', async () => {
  const programId = await newProgram();
  const { id, terms } = (await newRule(programId)).body.data;
  const path = `/v1/benefit-rules/${id}/terms`;
  const publish = (amountMinor: string, afterVersion?: number | null) =>
    send('POST', path, {
      terms: { ...ten, fixedAmountMinor: amountMinor },
      ...(afterVersion === undefined ? {} : { afterVersion }),
    });
  expect((await publish('1200', terms.version)).body.data).toMatchObject({ version: 2 });
  const refused = await publish('1500', terms.version);
  expect([refused.status, refused.body.error.reason, refused.body.error.message]).toEqual([
    409,
    'version_outdated',
    'The newest version is 2, not 1.',
  ]);
  expect((await read(path)).body.data).toHaveLength(2);
  expect((await publish('1500', 2)).body.data).toMatchObject({
    version: 3,
    fixedAmountMinor: '1500',
  });
  expect((await publish('1600', null)).body.data).toMatchObject({ version: 4 });
  expect((await publish('1700')).body.data).toMatchObject({ version: 5 });
});

test.each(['attribution-policies', 'risk-policies'])(
  'nobody replaces %s unseen that somebody else has published meanwhile',
  async (policies) => {
    const path = `/v1/programs/${await newProgram()}/${policies}`;
    const [newest] = (await read(path)).body.data;
    const seen = newest?.version ?? 0;
    expect((await send('POST', path, { afterVersion: seen })).body.data.version).toBe(seen + 1);
    const refused = await send('POST', path, { afterVersion: seen });
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'version_outdated']);
    expect((await read(path)).body.data[0].version).toBe(seen + 1);
  },
);

test('the operator signs terms as a user, and the largest amount survives the store', async () => {
  const programId = await newProgram();
  const { id } = (await newRule(programId)).body.data;
  const fixedAmountMinor = '9'.repeat(15);
  const answer = await service.call('POST', `/v1/benefit-rules/${id}/terms`, {
    as: 'operator',
    body: { projectId: project.projectId, terms: { ...ten, fixedAmountMinor } },
  });
  expect(answer.body.data).toMatchObject({ fixedAmountMinor, author: 'user:admin-token' });
  const { body } = await read(`/v1/benefit-rules/${id}/terms`);
  expect(body.data[0].fixedAmountMinor).toBe(fixedAmountMinor);
});

test('a rule that begins later says so (D-TERM-5)', async () => {
  const terms = { ...ten, effectiveAt: afterNow(DAY_MS) };
  const { body } = await newRule(await newProgram(), { terms });
  expect(body.data.initialEffectiveAt).toBe(afterNow(DAY_MS));
});

test('one primary rule for each event type and role, and any number of bonuses (D-RULE-1)', async () => {
  const programId = await newProgram();
  expect((await newRule(programId)).status).toBe(200);
  expect(refusalOf(await newRule(programId))).toEqual([409, 'rule_exists']);
  expect((await newRule(programId, { beneficiaryRole: 'referee' })).status).toBe(200);
  expect((await newRule(programId, { eventType: 'signup' })).status).toBe(200);
  expect((await newRule(programId, { eventType: 'custom_demo_booked' })).status).toBe(200);
  for (const name of ['b1', 'b2']) {
    expect((await newRule(programId, { purpose: 'bonus', name })).status).toBe(200);
  }
  expect((await newRule(await newProgram())).status).toBe(200);
  const { body } = await read(`/v1/programs/${programId}/benefit-rules`);
  expect(
    body.data.map((rule: { eventType: string; beneficiaryRole: string; purpose: string }) => [
      rule.eventType,
      rule.beneficiaryRole,
      rule.purpose,
    ]),
  ).toEqual([
    ['purchase', 'referrer', 'primary'],
    ['purchase', 'referee', 'primary'],
    ['signup', 'referrer', 'primary'],
    ['custom_demo_booked', 'referrer', 'primary'],
    ['purchase', 'referrer', 'bonus'],
    ['purchase', 'referrer', 'bonus'],
  ]);
});

test('a bonus does not stand in the way of the primary rule', async () => {
  const programId = await newProgram();
  await newRule(programId, { purpose: 'bonus' });
  expect((await newRule(programId)).status).toBe(200);
});

test('roles fit the kind of program (D-PROG-5)', async () => {
  const referral = await newProgram();
  const loyalty = await newProgram('loyalty');
  const refused = await newRule(referral, { beneficiaryRole: 'subject' });
  expect([refused.status, pathsOf(refused)]).toEqual([400, ['beneficiaryRole']]);
  expect((await newRule(loyalty, { beneficiaryRole: 'referrer' })).status).toBe(400);
  expect((await newRule(loyalty, { beneficiaryRole: 'subject' })).status).toBe(200);
});

test('what does not fit is refused where it stands, and leaves nothing', async () => {
  const programId = await newProgram();
  const custom = { benefitKind: 'custom', unit: gb, quantity: 5 };
  const refused: [object, string[]][] = [
    [{ eventType: 'login' }, ['eventType']],
    [{ eventType: 'custom_' }, ['eventType']],
    [{ eventType: `custom_${'x'.repeat(58)}` }, ['eventType']],
    [{ name: ' ' }, ['name']],
    [{ terms: { ...ten, currencyExponent: 3 } }, ['terms.currencyExponent']],
    [{ terms: { ...ten, currency: 'XXX' } }, ['terms.currency']],
    [{ terms: { ...ten, currency: 'US' } }, ['terms.currency']],
    [{ terms: { ...ten, fixedAmountMinor: 1000 } }, ['terms.fixedAmountMinor']],
    [{ terms: { ...ten, fixedAmountMinor: '10.00' } }, ['terms.fixedAmountMinor']],
    [{ terms: { ...ten, fixedAmountMinor: '0' } }, ['terms.fixedAmountMinor']],
    [{ terms: { ...ten, rateBps: 5 } }, ['terms.rateBps']],
    [{ terms: { ...ten, rateBps: 10_001 } }, ['terms.rateBps']],
    [{ terms: { ...ten, effectiveAt: afterNow(-1) } }, ['terms.effectiveAt']],
    [{ terms: { ...ten, maxRewardsPerBeneficiary: 0 } }, ['terms.maxRewardsPerBeneficiary']],
    [{ terms: { ...ten, changeNote: 'x'.repeat(501) } }, ['terms.changeNote']],
    [{ terms: { ...custom, quantity: 1_000_001 } }, ['terms.quantity']],
    [{ terms: { ...custom, validityDays: 3_651 } }, ['terms.validityDays']],
    [{ terms: { ...custom, unit: { ...gb, key: 'GB' } } }, ['terms.unit.key']],
    [{ terms: { ...ten, bonus: 1 } }, ['terms.bonus']],
    [{ eventType: 'signup', terms: { ...ten, durationMode: 'forever' } }, ['terms.durationMode']],
  ];
  for (const [body, paths] of refused) {
    const answer = await newRule(programId, body);
    expect([paths, answer.status]).toEqual([paths, 400]);
    expect([...new Set(pathsOf(answer))]).toEqual(paths);
  }
  expect((await read(`/v1/programs/${programId}/benefit-rules`)).body.data).toEqual([]);
});

test('a program that is over takes no new rule and no new terms', async () => {
  const programId = await newProgram();
  const { id } = (await newRule(programId)).body.data;
  const status = (word: string) =>
    send('POST', `/v1/programs/${programId}/status`, { status: word });
  for (const word of ['active', 'paused']) {
    await status(word);
    expect((await newRule(programId, { purpose: 'bonus' })).status).toBe(200);
  }
  for (const word of ['ended', 'archived']) {
    await status(word);
    expect(refusalOf(await newRule(programId, { purpose: 'bonus' }))).toEqual([
      409,
      'program_not_open',
    ]);
    expect(refusalOf(await send('POST', `/v1/benefit-rules/${id}/terms`, { terms: ten }))).toEqual([
      409,
      'program_not_open',
    ]);
  }
});

test('a program whose end date has passed takes no new rule', async () => {
  const made = await send('POST', '/v1/programs', {
    kind: 'loyalty',
    name: 'Season',
    endDate: afterNow(DAY_MS),
  });
  const programId = made.body.data.id;
  await send('POST', `/v1/programs/${programId}/status`, { status: 'active' });
  const rule = { beneficiaryRole: 'subject', purpose: 'bonus' };
  expect((await newRule(programId, rule)).status).toBe(200);
  service.clock.advance(DAY_MS);
  expect(refusalOf(await newRule(programId, rule))).toEqual([409, 'program_not_open']);
});

test('a unit is made once and then named by key or id (D-TERM-7)', async () => {
  const programId = await newProgram();
  const terms = { benefitKind: 'custom', unit: gb, quantity: 5, validityDays: 90 };
  const first = (await newRule(programId, { terms })).body.data.terms;
  expect(first).toMatchObject({
    customUnitId: expect.stringMatching(/^unit_/),
    unit: gb,
    quantity: 5,
    validityDays: 90,
    calculation: 'fixed',
  });
  const again = await newRule(await newProgram(), { terms });
  expect(again.body.data.terms.customUnitId).toBe(first.customUnitId);
  const path = `/v1/benefit-rules/${first.ruleId}/terms`;
  const byId = await send('POST', path, {
    terms: { benefitKind: 'custom', customUnitId: first.customUnitId, quantity: 9 },
  });
  expect(byId.body.data).toMatchObject({ version: 2, unit: gb, quantity: 9 });
  expect((await read(path)).body.data).toEqual([byId.body.data, first]);

  for (const unit of [
    { ...gb, name: 'gig' },
    { ...gb, namePlural: 'gigs' },
  ]) {
    const other = await send('POST', path, { terms: { ...terms, unit } });
    expect(refusalOf(other)).toEqual([409, 'unit_mismatch']);
  }
  const elsewhere = await service.newProject();
  const foreign = await newRule(
    await newProgram('referral', elsewhere),
    { terms: { benefitKind: 'custom', customUnitId: first.customUnitId, quantity: 1 } },
    elsewhere,
  );
  expect(refusalOf(foreign)).toEqual([404, 'NOT_FOUND']);
  const renamed = { ...terms, unit: { ...gb, name: 'gig' } };
  const own = await newRule(await newProgram('referral', elsewhere), { terms: renamed }, elsewhere);
  expect(own.body.data.terms.unit.name).toBe('gig');
});

test('an unknown unit is 404 before any conflict is told (D-ERR-5)', async () => {
  const programId = await newProgram();
  const { id } = (await newRule(programId)).body.data;
  const terms = { benefitKind: 'custom', customUnitId: 'unit_unknown', quantity: 1 };
  const publish = () => send('POST', `/v1/benefit-rules/${id}/terms`, { terms });
  expect(refusalOf(await newRule(programId, { terms }))).toEqual([404, 'NOT_FOUND']);
  await send('POST', `/v1/programs/${programId}/status`, { status: 'archived' });
  expect(refusalOf(await newRule(programId, { terms }))).toEqual([404, 'NOT_FOUND']);
  expect(refusalOf(await publish())).toEqual([404, 'NOT_FOUND']);
});

test('a rule can be renamed, and only its name changes', async () => {
  const programId = await newProgram();
  const { terms, ...rule } = (await newRule(programId)).body.data;
  service.clock.advance(HOUR_MS);
  const renamed = await send('PUT', `/v1/benefit-rules/${rule.id}/name`, { name: 'Bounty' });
  expect(renamed.body).toEqual({ success: true, data: { ruleId: rule.id, name: 'Bounty' } });
  expect((await read(`/v1/programs/${programId}/benefit-rules`)).body.data).toEqual([
    { ...rule, name: 'Bounty', updatedAt: service.clock.now },
  ]);
  expect((await read(`/v1/benefit-rules/${rule.id}/terms`)).body.data).toEqual([terms]);
});

test('another project’s rule or program does not exist here', async () => {
  const other = await service.newProject();
  const programId = await newProgram('referral', other);
  const { id } = (await newRule(programId, {}, other)).body.data;
  for (const answer of [
    await newRule(programId),
    await read(`/v1/benefit-rules/${id}/terms`),
    await send('POST', `/v1/benefit-rules/${id}/terms`, { terms: ten }),
    await send('PUT', `/v1/benefit-rules/${id}/name`, { name: 'Mine' }),
  ]) {
    expect(refusalOf(answer)).toEqual([404, 'NOT_FOUND']);
  }
});

test('a program has 100 rules at most', async () => {
  const programId = await newProgram();
  const bonus = { purpose: 'bonus' };
  const made = await Promise.all(Array.from({ length: 100 }, () => newRule(programId, bonus)));
  expect(made.every(({ status }) => status === 200)).toBe(true);
  expect(refusalOf(await newRule(programId, bonus))).toEqual([409, 'limit_reached']);
  expect((await read(`/v1/programs/${programId}/benefit-rules`)).body.data).toHaveLength(100);
});

test('a rule has 500 versions of its terms at most', async () => {
  const { id } = (await newRule(await newProgram())).body.data;
  const path = `/v1/benefit-rules/${id}/terms`;
  await addVersions(service.database, project, 'reward_terms', 499);
  expect((await send('POST', path, { terms: ten })).body.data.version).toBe(500);
  expect(refusalOf(await send('POST', path, { terms: ten }))).toEqual([409, 'limit_reached']);
});

test('making a rule is in the audit log with its terms', async () => {
  const { id, terms } = (await newRule(await newProgram())).body.data;
  const { body } = await service.call('GET', '/v1/audit-log', {
    as: 'operator',
    query: { workspaceId: project.workspaceId, projectId: project.projectId },
  });
  const entries = body.data.filter(({ targetId }: { targetId: string }) =>
    [id, terms.id].includes(targetId),
  );
  expect(entries.map(({ action }: { action: string }) => action).sort()).toEqual([
    'benefit_rule.create',
    'reward_terms.publish',
  ]);
});
