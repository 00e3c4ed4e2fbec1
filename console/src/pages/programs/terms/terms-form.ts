import { exponentOf, fromMinor, toMinor } from '../../../ui/currencies.ts';
import type { Rule, TermsBody, TermsVersion } from '../queries.ts';
import type { TermsFacts } from './benefit-phrase.ts';
import {
  type ConditionErrors,
  type ConditionText,
  checkCondition,
  toCondition,
  toConditionText,
} from './conditions/condition-form.ts';
import {
  checkGrowth,
  type GrowthErrors,
  type GrowthText,
  measuresOf,
  NO_GROWTH,
  readMilestone,
  readSteps,
  type SizeField,
  toGrowthText,
} from './growth/growth-form.ts';
import { amountFault, rateBpsOf, rateFault, wholeFault, wholeNumber } from './typed-numbers.ts';

/** Terms as typed: strings; each choice keeps its input while another is selected. */
export interface TermsForm extends GrowthText {
  readonly benefitKind: TermsVersion['benefitKind'];
  /** Of a benefit without a milestone. */
  readonly calculation: 'fixed' | 'percentage';
  readonly amount: string;
  readonly currency: string;
  readonly rate: string;
  readonly quantity: string;
  readonly unitName: string;
  readonly unitNamePlural: string;
  /** Empty: derived from the name. */
  readonly unitKey: string;
  readonly validityDays: string;
  readonly durationMode: TermsVersion['durationMode'];
  readonly durationMonths: string;
  readonly cap: string;
  /** All must hold. */
  readonly conditions: readonly ConditionText[];
  readonly roundingPolicy: TermsVersion['roundingPolicy'];
  readonly refundPolicy: TermsVersion['refundPolicy'];
  readonly enabled: boolean;
  /** A local date and time; empty for immediately. */
  readonly effectiveAt: string;
  readonly changeNote: string;
}

export const NEW_TERMS: TermsForm = {
  benefitKind: 'cash',
  calculation: 'fixed',
  amount: '10',
  currency: 'USD',
  rate: '20',
  quantity: '1',
  unitName: '',
  unitNamePlural: '',
  unitKey: '',
  validityDays: '',
  durationMode: 'once',
  durationMonths: '12',
  cap: '',
  conditions: [],
  ...NO_GROWTH,
  roundingPolicy: 'half_up',
  refundPolicy: 'proportional',
  enabled: true,
  effectiveAt: '',
  changeNote: '',
};

/** What terms depend on of their rule. */
export type TermsRule = Pick<Rule, 'eventType' | 'beneficiaryRole' | 'purpose'>;

const text = (value: number | null) => (value === null ? '' : String(value));

/** The terms in force, to be edited. */
export function toForm(terms: TermsVersion): TermsForm {
  const { fixedAmountMinor, currency, currencyExponent, rateBps, unit } = terms;
  const hasAmount = fixedAmountMinor !== null && currencyExponent !== null;
  return {
    ...NEW_TERMS,
    benefitKind: terms.benefitKind,
    calculation: terms.calculation === 'percentage' ? 'percentage' : 'fixed',
    ...(hasAmount ? { amount: fromMinor(fixedAmountMinor, currencyExponent) } : {}),
    ...(currency === null ? {} : { currency }),
    ...(rateBps === null ? {} : { rate: String(rateBps / 100) }),
    ...(terms.quantity === null ? {} : { quantity: String(terms.quantity) }),
    unitName: unit?.name ?? '',
    unitNamePlural: unit?.namePlural ?? '',
    unitKey: unit?.key ?? '',
    validityDays: text(terms.validityDays),
    durationMode: terms.durationMode,
    ...(terms.durationMonths === null ? {} : { durationMonths: String(terms.durationMonths) }),
    cap: text(terms.maxRewardsPerBeneficiary),
    conditions: (terms.conditions ?? []).map(toConditionText),
    ...toGrowthText(terms),
    roundingPolicy: terms.roundingPolicy,
    refundPolicy: terms.refundPolicy,
    enabled: terms.enabled,
  };
}

/** The parts of the form that apply to this kind of benefit and rule. */
export function partsOf(form: TermsForm, rule: TermsRule) {
  const { eventType, purpose } = rule;
  const isMilestone =
    form.growth === 'milestone' && purpose === 'bonus' && measuresOf(rule, true).length > 0;
  const hasSteps = form.growth === 'steps';
  const isMoney = form.benefitKind === 'cash' || form.benefitKind === 'credit';
  const isDiscount = form.benefitKind === 'discount';
  const mayBeShare = isMoney && eventType === 'purchase' && !isMilestone;
  const isShare = isDiscount || (mayBeShare && form.calculation === 'percentage');
  const isAmount = isMoney && !isShare;
  const isCustom = form.benefitKind === 'custom';
  const measures = measuresOf(rule, isMilestone);
  const measure = measures.includes(form.measure) ? form.measure : (measures[0] ?? 'purchases');
  const sizeField: SizeField = isShare ? 'rateBps' : isCustom ? 'quantity' : 'fixedAmountMinor';
  const isOfRevenue = (hasSteps || isMilestone) && measure === 'revenue';
  return {
    isMilestone,
    hasSteps,
    mayBeShare,
    isShare,
    isAmount,
    isCustom,
    measure,
    sizeField,
    hasMoney: isAmount || isOfRevenue,
    mayLast: isDiscount || (eventType !== 'signup' && !isMilestone),
    isRounded: isShare && isMoney,
    isRefunded: eventType === 'purchase' && !isMilestone,
  };
}

/** How the form's steps and milestone are read. */
const scaleOf = (form: TermsForm, { measure, sizeField }: ReturnType<typeof partsOf>) => ({
  measure,
  sizeField,
  currency: form.currency,
});

/** `Free month` → `free_month`. */
export const keyOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 64);

const unitOf = (form: TermsForm) => ({
  key: form.unitKey.trim() || keyOf(form.unitName),
  name: form.unitName.trim(),
  namePlural: form.unitNamePlural.trim() || form.unitName.trim(),
});

/** The facts for the sentence during typing; invalid input is left open. */
export function toFacts(form: TermsForm, rule: TermsRule): TermsFacts {
  const parts = partsOf(form, rule);
  const { isMilestone, isShare, isAmount, isCustom, hasMoney, mayLast } = parts;
  const exponent = exponentOf(form.currency);
  const mode = mayLast ? form.durationMode : 'once';
  const steps = parts.hasSteps ? readSteps(form.steps, scaleOf(form, parts)) : [];
  const [first] = steps;
  const amount = exponent === undefined ? null : toMinor(form.amount, exponent);
  return {
    benefitKind: form.benefitKind,
    calculation: isMilestone ? 'milestone' : isShare ? 'percentage' : 'fixed',
    fixedAmountMinor: isAmount ? (first ? first.fixedAmountMinor : amount) : null,
    currency: hasMoney ? form.currency : null,
    currencyExponent: hasMoney ? (exponent ?? null) : null,
    rateBps: isShare ? (first ? first.rateBps : rateBpsOf(form.rate)) : null,
    durationMode: mode,
    durationMonths: mode === 'months' ? wholeNumber(form.durationMonths) : null,
    unit: isCustom && form.unitName.trim() !== '' ? unitOf(form) : null,
    quantity: isCustom ? (first ? first.quantity : wholeNumber(form.quantity)) : null,
    validityDays: isCustom ? wholeNumber(form.validityDays) : null,
    maxRewardsPerBeneficiary: wholeNumber(form.cap),
    ...conditionsOf(form, rule),
    tiers: first ? { measure: parts.measure, window: form.window, steps: [...steps] } : null,
    milestone: isMilestone ? readMilestone(form, scaleOf(form, parts)) : null,
    roundingPolicy: form.roundingPolicy,
    refundPolicy: form.refundPolicy,
    enabled: form.enabled,
  };
}

function conditionsOf({ conditions }: TermsForm, { eventType }: TermsRule) {
  const valid = conditions.filter(
    (condition) => Object.keys(checkCondition(condition, eventType)).length === 0,
  );
  return { conditions: valid.length === 0 ? null : valid.map(toCondition) };
}

export type TermsErrors = Partial<Record<keyof TermsForm, string>> &
  GrowthErrors &
  Partial<Record<`conditions.${number}.${keyof ConditionErrors}`, string>>;

/** What the service would refuse, by field; empty if nothing. */
export function checkTerms(form: TermsForm, rule: TermsRule): TermsErrors {
  const parts = partsOf(form, rule);
  const { isShare, isAmount, isCustom, hasSteps, isMilestone, hasMoney, mayLast } = parts;
  const errors: TermsErrors = {};
  const set = (field: keyof TermsErrors, fault: string | undefined) => {
    if (fault !== undefined) errors[field] = fault;
  };
  const exponent = exponentOf(form.currency);
  if (hasMoney && exponent === undefined) set('currency', 'Choose a currency');
  if (isAmount && exponent !== undefined && !hasSteps) {
    set('amount', amountFault(form.amount, form.currency, exponent));
  }
  if (isShare && !hasSteps) set('rate', rateFault(form.rate));
  if ((hasSteps || isMilestone) && errors.currency === undefined) {
    Object.assign(errors, checkGrowth(form, scaleOf(form, parts)));
  }
  for (const [index, condition] of form.conditions.entries()) {
    for (const [part, fault] of Object.entries(checkCondition(condition, rule.eventType))) {
      set(`conditions.${index}.${part as keyof ConditionErrors}`, fault);
    }
  }
  if (isCustom) {
    if (!hasSteps) set('quantity', wholeFault(form.quantity, 1, 1_000_000));
    const { key, name, namePlural } = unitOf(form);
    if (name === '' || name.length > 80) errors.unitName = 'What one is called, such as “seat”';
    if (namePlural.length > 80) errors.unitNamePlural = 'At most 80 characters';
    if (name !== '' && !/^[a-z][a-z0-9_]{0,63}$/.test(key)) {
      errors.unitKey = 'Small letters, digits and _, beginning with a letter';
    }
    if (form.validityDays.trim() !== '') {
      set('validityDays', wholeFault(form.validityDays, 1, 3_650));
    }
  }
  if (mayLast && form.durationMode === 'months') {
    set('durationMonths', wholeFault(form.durationMonths, 1, 120));
  }
  if (form.cap.trim() !== '') set('cap', wholeFault(form.cap, 1, 1_000_000_000));
  if (form.changeNote.length > 500) errors.changeNote = 'At most 500 characters';
  return errors;
}

/** The body to send: only the fields of the kind. Requires a form without errors. */
export function toBody(form: TermsForm, rule: TermsRule): TermsBody {
  const facts = toFacts(form, rule);
  const { isRounded, isRefunded, hasSteps, sizeField } = partsOf(form, rule);
  const { currency, currencyExponent, unit, conditions, tiers, milestone } = facts;
  return {
    benefitKind: facts.benefitKind,
    calculation: facts.calculation,
    // Steps replace the size; the service shows the first to clients that do not know steps.
    ...(hasSteps ? {} : { [sizeField]: facts[sizeField] }),
    ...(currency === null ? {} : { currency, currencyExponent }),
    ...(unit === null ? {} : { unit }),
    ...(facts.validityDays === null ? {} : { validityDays: facts.validityDays }),
    durationMode: facts.durationMode,
    ...(facts.durationMonths === null ? {} : { durationMonths: facts.durationMonths }),
    ...(facts.maxRewardsPerBeneficiary === null
      ? {}
      : { maxRewardsPerBeneficiary: facts.maxRewardsPerBeneficiary }),
    ...(conditions === null ? {} : { conditions }),
    ...(tiers === null
      ? {}
      : {
          tiers: {
            ...tiers,
            steps: tiers.steps.map((step) => ({ from: step.from, [sizeField]: step[sizeField] })),
          },
        }),
    ...(milestone === null ? {} : { milestone }),
    ...(isRounded ? { roundingPolicy: facts.roundingPolicy } : {}),
    ...(isRefunded ? { refundPolicy: facts.refundPolicy } : {}),
    enabled: facts.enabled,
    ...(form.effectiveAt === '' ? {} : { effectiveAt: new Date(form.effectiveAt).toISOString() }),
    ...(form.changeNote.trim() === '' ? {} : { changeNote: form.changeNote.trim() }),
  };
}
