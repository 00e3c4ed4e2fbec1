import { CURRENCY_EXPONENTS } from '../../../platform/kit/currencies.ts';
import type { Terms } from '../rules/decide-terms.ts';
import { sizeFieldOf, writeTiers } from '../rules/measures.ts';
import type { TermsIn } from '../schema.ts';
import type { DefinitionTerms } from './definition-schema.ts';

export interface UnitNames {
  readonly key: string;
  readonly name: string;
  readonly namePlural: string;
}

/** What a rule gives, without when and why it was published. */
export type DefinedTerms = Omit<Terms, 'effectiveAt' | 'changeNote'> & {
  readonly unit: UnitNames | null;
};

/** Terms as a file says them: fields with their default are left out. Equal terms give equal objects. */
export function writeTerms(terms: DefinedTerms): DefinitionTerms {
  const { benefitKind, calculation, unit, conditions, tiers, milestone } = terms;
  const first = tiers?.steps[0] ?? null;
  const sizeField = sizeFieldOf(benefitKind, calculation);
  // Decided from the first step, unless something else was asked for.
  const size = terms[sizeField] === first?.[sizeField] ? null : terms[sizeField];
  return withoutNull({
    benefitKind,
    calculation,
    fixedAmountMinor: sizeField === 'fixedAmountMinor' && size !== null ? String(size) : null,
    currency: terms.currency,
    rateBps: sizeField === 'rateBps' ? (size as number | null) : null,
    quantity: sizeField === 'quantity' ? (size as number | null) : null,
    unit: unit && { key: unit.key, name: unit.name, namePlural: unit.namePlural },
    validityDays: terms.validityDays,
    durationMode: terms.durationMode === 'once' ? null : terms.durationMode,
    durationMonths: terms.durationMonths,
    maxRewardsPerBeneficiary: terms.maxRewardsPerBeneficiary,
    conditions:
      conditions?.map(({ field, op, value }) => ({
        field,
        op,
        value: (Array.isArray(value) ? [...value] : value) as string,
      })) ?? null,
    tiers: tiers && writeSteps(writeTiers(tiers)),
    milestone: milestone && {
      measure: milestone.measure,
      at: String(milestone.at),
      ...(milestone.repeat ? { repeat: true } : {}),
    },
    roundingPolicy: terms.roundingPolicy === 'half_up' ? null : terms.roundingPolicy,
    refundPolicy: terms.refundPolicy === 'proportional' ? null : terms.refundPolicy,
    enabled: terms.enabled ? null : false,
  });
}

function writeSteps({ measure, window, steps }: ReturnType<typeof writeTiers>) {
  return { measure, window, steps: steps.map((step) => withoutNull(step)) };
}

/** Terms of a file as a request to publish them. A currency says its exponent itself. */
export function askTerms(terms: DefinitionTerms): TermsIn {
  const isMoney = terms.benefitKind === 'cash' || terms.benefitKind === 'credit';
  const hasExponent = isMoney && terms.calculation !== 'percentage';
  const exponent = CURRENCY_EXPONENTS.get(terms.currency?.toUpperCase() ?? '');
  if (!hasExponent || exponent === undefined) return terms;
  return { ...terms, currencyExponent: terms.currencyExponent ?? exponent };
}

type WithoutNull<T> = { -readonly [K in keyof T]: Exclude<T[K], null> };

/** The fields that have a value, in their order. */
export function withoutNull<T extends object>(fields: T): WithoutNull<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as WithoutNull<T>;
}
