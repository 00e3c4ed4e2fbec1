import fc from 'fast-check';
import type { Circumstances } from '../src/domain/programs/definition/circumstances.ts';
import type {
  DefinedProgram,
  ProgramInForce,
} from '../src/domain/programs/definition/defined-program.ts';
import type {
  DefinitionRule,
  DefinitionTerms,
  ProgramDefinition,
} from '../src/domain/programs/definition/definition-schema.ts';
import { RISK_MODES, RISK_SIGNALS } from '../src/domain/programs/policies/risk-policy.ts';
import { PLATFORMS, WIDGET_ICONS } from '../src/domain/programs/program-config.ts';
import type { ProgramKind } from '../src/domain/programs/program-status.ts';
import { ROUNDING_POLICIES } from '../src/domain/programs/rules/benefit-words.ts';

export const NOW = '2026-11-15T09:30:00.000Z';
const CREATED_AT = '2026-01-01T00:00:00.000Z';

export const circumstances = (changes: Partial<Circumstances> = {}): Circumstances => ({
  now: NOW,
  environment: 'live',
  connected: [],
  units: new Map(),
  prune: false,
  ...changes,
});

/** A Program that is exactly this, active, and whose versions were published once each. */
export function inForceOf(
  program: DefinedProgram,
  changes: Partial<ProgramInForce> = {},
): ProgramInForce {
  const { kind, name, startDate, endDate, config } = program;
  return {
    ...program,
    id: 'prg_1',
    facts: { kind, name, startDate, endDate, config, status: 'active' },
    intervals: [{ status: 'active', startsAt: CREATED_AT, endsAt: null }],
    rules: program.rules.map((rule, index) => ({
      ...rule,
      id: `rul_${index}`,
      lastVersion: 1,
      scheduled: [],
    })),
    lastVersions: { attribution: 1, risk: 0 },
    scheduled: { attribution: [], risk: [] },
    ...changes,
  };
}

const UNIT = { key: 'gb', name: 'gigabyte', namePlural: 'gigabytes' };
const minor = fc.integer({ min: 1, max: 1_000_000 }).map(String);

const duration = fc.oneof(
  fc.constant({}),
  fc.constant({ durationMode: 'forever' as const }),
  fc
    .integer({ min: 1, max: 120 })
    .map((durationMonths) => ({ durationMode: 'months' as const, durationMonths })),
);
const common = fc.record(
  {
    maxRewardsPerBeneficiary: fc.integer({ min: 1, max: 100 }),
    roundingPolicy: fc.constantFrom(...ROUNDING_POLICIES),
    refundPolicy: fc.constantFrom('proportional' as const, 'full' as const, 'none' as const),
    enabled: fc.boolean(),
    conditions: fc.constantFrom<NonNullable<DefinitionTerms['conditions']>[]>(
      [{ field: 'purchase.isFirst', op: 'eq' as const, value: true }],
      [{ field: 'purchase.amountMinor', op: 'gte' as const, value: 5000 }],
      [{ field: 'properties.plan', op: 'in' as const, value: ['annual', 'team'] }],
    ),
  },
  { requiredKeys: [] },
);
const benefit: fc.Arbitrary<DefinitionTerms> = fc.oneof(
  fc.record({
    benefitKind: fc.constantFrom('cash' as const, 'credit' as const),
    fixedAmountMinor: minor,
    currency: fc.constantFrom('USD', 'eur', 'JPY'),
  }),
  fc.record({
    benefitKind: fc.constantFrom('cash' as const, 'discount' as const),
    calculation: fc.constant('percentage' as const),
    rateBps: fc.integer({ min: 1, max: 10_000 }),
  }),
  fc.record({
    benefitKind: fc.constant('custom' as const),
    quantity: fc.integer({ min: 1, max: 50 }),
    unit: fc.constant(UNIT),
    validityDays: fc.integer({ min: 1, max: 400 }),
  }),
  fc.record({
    benefitKind: fc.constant('credit' as const),
    calculation: fc.constant('percentage' as const),
    tiers: fc.record({
      measure: fc.constant('purchases' as const),
      window: fc.constantFrom('all_time' as const, 'calendar_month' as const),
      steps: fc.constant<NonNullable<DefinitionTerms['tiers']>['steps']>([
        { from: '0', rateBps: 1000 },
        { from: '5', rateBps: 2000 },
      ]),
    }),
  }),
);
const anyTerms: fc.Arbitrary<DefinitionTerms> = fc
  .tuple(benefit, duration, common)
  .map(([a, b, c]) => ({ ...a, ...b, ...c }));

const ruleOf = (kind: ProgramKind): fc.Arbitrary<DefinitionRule> =>
  fc.record({
    name: fc.string({ minLength: 1, maxLength: 20 }).filter((text) => /\S/.test(text)),
    eventType: fc.constant('purchase'),
    beneficiaryRole: fc.constant(kind === 'loyalty' ? ('subject' as const) : ('referrer' as const)),
    purpose: fc.constant('bonus' as const),
    terms: anyTerms,
  });

const config = fc.record(
  {
    brandConfig: fc.record({
      landingPageUrl: fc.constant('https://example.com/welcome'),
      primaryColor: fc.constantFrom('#123456', '#abcdef'),
    }),
    widgetConfig: fc.record(
      {
        title: fc.string({ maxLength: 40 }),
        icon: fc.constantFrom(...WIDGET_ICONS),
        cssVariables: fc.constantFrom({}, { '--radius': '4px' }),
        enabledPlatforms: fc.dictionary(fc.constantFrom(...PLATFORMS), fc.boolean()),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['brandConfig'] },
);
const delivery = fc.record(
  {
    holdDays: fc.integer({ min: 0, max: 365 }),
    cashMethod: fc.constantFrom('operator', 'manual', 'payout'),
    planUpgrades: fc.constantFrom<{ unitKey: string; plan: string; periods: number }[][]>([], [{ unitKey: 'gb', plan: 'pro', periods: 1 }]),
  },
  { requiredKeys: [] },
);

/** Valid definitions of one Program: with other contents, and rules that may be the same. */
export const anyDefinition = (kind: ProgramKind): fc.Arbitrary<ProgramDefinition> =>
  fc
    .record(
      {
        config,
        deliverySettings: delivery,
        ...(kind === 'loyalty'
          ? {}
          : {
              attributionPolicy: fc.record(
                {
                  windowDays: fc.integer({ min: 1, max: 365 }),
                  model: fc.constantFrom('last_touch' as const, 'first_touch' as const, null),
                },
                { requiredKeys: [] },
              ),
              riskPolicy: fc.record(
                {
                  mode: fc.constantFrom(...RISK_MODES),
                  points: fc.dictionary(
                    fc.constantFrom(...RISK_SIGNALS),
                    fc.integer({ min: 0, max: 100 }),
                  ),
                },
                { requiredKeys: [] },
              ),
            }),
        endDate: fc.constantFrom(null, '2027-05-01T00:00:00Z', '2028-01-01T00:00:00Z'),
        rules: fc.dictionary(
          fc.constantFrom('first', 'second', 'third-rule', 'constructor'),
          ruleOf(kind),
        ),
      },
      { requiredKeys: ['config', 'rules'] },
    )
    .map((parts) => ({
      apiVersion: 'goodword/v1' as const,
      kind: 'Program' as const,
      key: 'invite',
      programKind: kind,
      name: 'Invite a friend',
      ...parts,
    }));
