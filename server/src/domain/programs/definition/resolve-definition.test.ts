import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyDefinition, circumstances, inForceOf } from '../../../../test/definition-arbitrary.ts';
import { PROGRAM_KINDS } from '../program-status.ts';
import { toDefinition } from './defined-program.ts';
import type { ProgramDefinition } from './definition-schema.ts';
import { parseDefinition } from './parse-definition.ts';
import { resolveDefinition } from './resolve-definition.ts';

const anyKind = fc.constantFrom(...PROGRAM_KINDS);
const anyOne = anyKind.chain(anyDefinition);
const HEAD = { apiVersion: 'goodword/v1', kind: 'Program' } as const;

const definition = (changes: Partial<ProgramDefinition> = {}): ProgramDefinition => ({
  ...HEAD,
  key: 'invite',
  programKind: 'referral',
  name: 'Invite a friend',
  config: { brandConfig: { landingPageUrl: 'https://example.com/' } },
  rules: {
    thanks: {
      name: 'Thanks',
      eventType: 'purchase',
      beneficiaryRole: 'referrer',
      terms: { benefitKind: 'cash', calculation: 'percentage', rateBps: 2000 },
    },
  },
  ...changes,
});
const created = (changes: Partial<ProgramDefinition> = {}) =>
  resolveDefinition(definition(changes), null, circumstances()).program;
const change = (
  said: Partial<ProgramDefinition>,
  { prune = false, inForce = inForceOf(created()) } = {},
) => resolveDefinition({ ...HEAD, ...said }, inForce, circumstances({ prune }));
const paths = ({ issues }: ReturnType<typeof change>) => issues.map(({ path }) => path);

describe('what is in force', () => {
  test('is what its definition leads to, whatever it is', () => {
    fc.assert(
      fc.property(anyOne, fc.boolean(), (asked, prune) => {
        const { program, issues } = resolveDefinition(asked, null, circumstances());
        expect(issues).toEqual([]);
        const written = toDefinition(program);
        expect(parseDefinition(JSON.stringify(written))).toEqual(written);
        const again = resolveDefinition(written, inForceOf(program), circumstances({ prune }));
        expect(again.issues).toEqual([]);
        expect(toDefinition(again.program)).toEqual(written);
      }),
    );
  });

  test('makes the same Program anew elsewhere', () => {
    fc.assert(
      fc.property(anyOne, (asked) => {
        const { program } = resolveDefinition(asked, null, circumstances());
        const copy = resolveDefinition(toDefinition(program), null, circumstances());
        expect(copy.issues).toEqual([]);
        expect(copy.program).toEqual(program);
      }),
    );
  });

  test('is left alone by what a definition leaves out', () => {
    fc.assert(
      fc.property(anyOne, (asked) => {
        const inForce = inForceOf(resolveDefinition(asked, null, circumstances()).program);
        const { program, issues } = resolveDefinition({ ...HEAD }, inForce, circumstances());
        expect(issues).toEqual([]);
        expect(toDefinition(program)).toEqual(toDefinition(inForce));
      }),
    );
  });

  test('is kept even if it could not be asked for today', () => {
    const inForce = inForceOf(created());
    const old = inForce.rules.map((rule) => ({ ...rule, eventType: 'custom_visit' }));
    const earlier = { ...inForce, rules: old };
    expect(resolveDefinition(toDefinition(earlier), earlier, circumstances()).issues).toEqual([]);
  });
});

test('a field that is given changes only itself', () => {
  const { program, issues } = change({
    config: { widgetConfig: { title: 'Bring a friend' } },
    deliverySettings: { holdDays: 14 },
    attributionPolicy: { windowDays: 30 },
    riskPolicy: { points: { velocity: 99 } },
  });
  const before = created();
  expect(issues).toEqual([]);
  expect(program.config.widgetConfig).toEqual({
    ...before.config.widgetConfig,
    title: 'Bring a friend',
  });
  expect(program.delivery).toEqual({ ...before.delivery, holdDays: 14 });
  expect(program.attribution).toEqual({ ...before.attribution, windowDays: 30 });
  expect(program.risk).toEqual({
    ...before.risk,
    points: { ...before.risk?.points, velocity: 99 },
  });
  expect(program.rules).toMatchObject(before.rules);
});

test('terms are given as a whole: what they leave out has its default', () => {
  const inForce = inForceOf(
    created({
      rules: {
        thanks: {
          name: 'Thanks',
          eventType: 'purchase',
          beneficiaryRole: 'referrer',
          terms: {
            benefitKind: 'cash',
            calculation: 'percentage',
            rateBps: 2000,
            maxRewardsPerBeneficiary: 3,
          },
        },
      },
    }),
  );
  const terms = { benefitKind: 'cash', calculation: 'percentage', rateBps: 2500 } as const;
  const { program } = change({ rules: { thanks: { terms } } }, { inForce });
  expect(program.rules[0]?.terms).toMatchObject({ rateBps: 2500, maxRewardsPerBeneficiary: null });
});

test('pruning disables what the definition lacks, and nothing else', () => {
  const kept = change({ rules: {} });
  expect(kept.program.rules[0]?.terms?.enabled).toBe(true);
  const pruned = change({ rules: {} }, { prune: true });
  expect(pruned.program.rules).toMatchObject([
    { key: 'thanks', terms: { enabled: false, rateBps: 2000 } },
  ]);
});

describe('refused is', () => {
  test('what never changes', () => {
    const refused = change({
      key: 'other',
      programKind: 'affiliate',
      rules: { thanks: { eventType: 'signup', beneficiaryRole: 'referee', purpose: 'bonus' } },
    });
    expect(paths(refused)).toEqual([
      'key',
      'programKind',
      'rules.thanks.eventType',
      'rules.thanks.beneficiaryRole',
      'rules.thanks.purpose',
    ]);
  });

  test('a new Program or rule of which something is missing', () => {
    const { issues } = resolveDefinition({ ...HEAD, rules: { a: {} } }, null, circumstances());
    expect(issues.map(({ path }) => path)).toEqual([
      'key',
      'programKind',
      'name',
      'rules.a.name',
      'rules.a.eventType',
      'rules.a.beneficiaryRole',
      'rules.a.terms',
    ]);
  });

  test('a second primary rule, with the key of the first', () => {
    const { rules } = definition();
    const refused = change({ rules: { ...rules, again: rules?.thanks ?? {} } });
    expect(refused.issues).toMatchObject([{ path: 'rules.again.purpose' }]);
    expect(refused.issues[0]?.issue).toContain('thanks');
  });

  test('terms that no rule can have, by their path in the file', () => {
    const terms = { benefitKind: 'cash', fixedAmountMinor: '0', currency: 'XYZ' } as const;
    expect(paths(change({ rules: { thanks: { terms } } }))).toEqual([
      'rules.thanks.terms.fixedAmountMinor',
      'rules.thanks.terms.currency',
    ]);
  });

  test('a unit whose names differ from those of the Project, or within the file', () => {
    const named = (name: string) => ({
      name: 'Space',
      eventType: 'signup',
      beneficiaryRole: 'referrer' as const,
      purpose: 'bonus' as const,
      terms: {
        benefitKind: 'custom' as const,
        quantity: 1,
        unit: { key: 'gb', name, namePlural: 'GB' },
      },
    });
    const inFile = change({ rules: { a: named('GB'), b: named('gig') } });
    expect(paths(inFile)).toEqual(['rules.b.terms.unit']);
    const units = new Map([['gb', { key: 'gb', name: 'gigabyte', namePlural: 'gigabytes' }]]);
    const { issues } = resolveDefinition(
      { ...HEAD, rules: { a: named('GB') } },
      inForceOf(created()),
      circumstances({ units }),
    );
    expect(issues[0]?.issue).toBe('is called gigabyte (gigabytes) in this project');
  });

  test('a method without a connection, a policy of loyalty, a bad address, an end in the past', () => {
    expect(paths(change({ deliverySettings: { creditMethod: 'stripe_balance' } }))).toEqual([
      'deliverySettings.creditMethod',
    ]);
    expect(paths(change({ config: { brandConfig: { landingPageUrl: 'ftp://x' } } }))).toEqual([
      'config.brandConfig.landingPageUrl',
    ]);
    expect(paths(change({ endDate: '2026-01-01T00:00:00Z' }))).toEqual(['endDate']);
    const loyalty = resolveDefinition(
      {
        ...definition({ programKind: 'loyalty', rules: {} }),
        attributionPolicy: {},
        riskPolicy: {},
      },
      null,
      circumstances(),
    );
    expect(paths(loyalty)).toEqual(['attributionPolicy', 'riskPolicy']);
  });

  test('a change that would replace a scheduled version for ever', () => {
    const inForce = inForceOf(created());
    const scheduled = [{ version: 2, effectiveAt: '2027-01-01T00:00:00.000Z' }];
    const waiting = {
      ...inForce,
      rules: inForce.rules.map((rule) => ({ ...rule, scheduled })),
      scheduled: { attribution: scheduled, risk: scheduled },
    };
    const terms = { benefitKind: 'cash', calculation: 'percentage', rateBps: 1 } as const;
    const refused = change(
      {
        attributionPolicy: { windowDays: 1 },
        riskPolicy: { mode: 'off' },
        rules: { thanks: { terms } },
      },
      { inForce: waiting },
    );
    expect(paths(refused)).toEqual(['attributionPolicy', 'riskPolicy', 'rules.thanks.terms']);
    expect(paths(change({ rules: {} }, { inForce: waiting, prune: true }))).toEqual([
      'rules.thanks',
    ]);
    const same = resolveDefinition(toDefinition(waiting), waiting, circumstances({ prune: true }));
    expect(same.issues).toEqual([]);
  });
});
