import { exponentOf, fromMinor, toMinor } from '../../../ui/currencies.ts';
import type { TermsBody, TermsVersion } from '../queries.ts';
import type { TermsFacts } from './benefit-phrase.ts';

/** Terms as typed: strings; each choice keeps its input while another is selected. */
export interface TermsForm {
  readonly benefitKind: TermsVersion['benefitKind'];
  readonly calculation: TermsVersion['calculation'];
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
  roundingPolicy: 'half_up',
  refundPolicy: 'proportional',
  enabled: true,
  effectiveAt: '',
  changeNote: '',
};

const text = (value: number | null) => (value === null ? '' : String(value));

/** The terms in force, to be edited. */
export function toForm(terms: TermsVersion): TermsForm {
  const { fixedAmountMinor, currency, currencyExponent, rateBps, unit } = terms;
  const hasAmount = fixedAmountMinor !== null && currencyExponent !== null;
  return {
    ...NEW_TERMS,
    benefitKind: terms.benefitKind,
    calculation: terms.calculation,
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
    roundingPolicy: terms.roundingPolicy,
    refundPolicy: terms.refundPolicy,
    enabled: terms.enabled,
  };
}

/** The parts of the form that apply to this kind of benefit and event. */
export function partsOf(form: TermsForm, eventType: string) {
  const isMoney = form.benefitKind === 'cash' || form.benefitKind === 'credit';
  const mayBeShare = isMoney && eventType === 'purchase';
  const isShare =
    form.benefitKind === 'discount' || (mayBeShare && form.calculation === 'percentage');
  const isAmount = isMoney && !isShare;
  const isCustom = form.benefitKind === 'custom';
  return {
    mayBeShare,
    isShare,
    isAmount,
    isCustom,
    mayLast: form.benefitKind === 'discount' || eventType !== 'signup',
    isRounded: isShare && isMoney,
    isRefunded: eventType === 'purchase',
  };
}

const wholeNumber = (value: string): number | null =>
  /^\d{1,10}$/.test(value.trim()) ? Number(value.trim()) : null;

const rateBpsOf = (rate: string): number | null => {
  const minor = toMinor(rate.replace(/\s*%$/, ''), 2);
  return minor === null || minor.length > 6 ? null : Number(minor);
};

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
export function toFacts(form: TermsForm, eventType: string): TermsFacts {
  const { isShare, isAmount, isCustom, mayLast } = partsOf(form, eventType);
  const exponent = exponentOf(form.currency);
  const mode = mayLast ? form.durationMode : 'once';
  return {
    benefitKind: form.benefitKind,
    calculation: isShare ? 'percentage' : 'fixed',
    fixedAmountMinor: isAmount && exponent !== undefined ? toMinor(form.amount, exponent) : null,
    currency: isAmount ? form.currency : null,
    currencyExponent: isAmount ? (exponent ?? null) : null,
    rateBps: isShare ? rateBpsOf(form.rate) : null,
    durationMode: mode,
    durationMonths: mode === 'months' ? wholeNumber(form.durationMonths) : null,
    unit: isCustom && form.unitName.trim() !== '' ? unitOf(form) : null,
    quantity: isCustom ? wholeNumber(form.quantity) : null,
    validityDays: isCustom ? wholeNumber(form.validityDays) : null,
    maxRewardsPerBeneficiary: wholeNumber(form.cap),
    roundingPolicy: form.roundingPolicy,
    refundPolicy: form.refundPolicy,
    enabled: form.enabled,
  };
}

export type TermsErrors = Partial<Record<keyof TermsForm, string>>;

/** What the service would refuse, by field; empty if nothing. */
export function checkTerms(form: TermsForm, eventType: string): TermsErrors {
  const { isShare, isAmount, isCustom, mayLast } = partsOf(form, eventType);
  const errors: TermsErrors = {};
  const within = (field: keyof TermsForm, value: string, min: number, max: number) => {
    const number = wholeNumber(value);
    if (number === null || number < min || number > max) {
      errors[field] = `A whole number from ${min.toLocaleString()} to ${max.toLocaleString()}`;
    }
  };
  if (isAmount) {
    const exponent = exponentOf(form.currency);
    const minor = exponent === undefined ? null : toMinor(form.amount, exponent);
    if (exponent === undefined) errors.currency = 'Choose a currency';
    else if (minor === null) {
      errors.amount =
        exponent === 0
          ? `A whole number: ${form.currency} has no decimals`
          : `A number with at most ${exponent} decimals`;
    } else if (/^0+$/.test(minor)) errors.amount = 'More than 0';
  }
  if (isShare) {
    const bps = rateBpsOf(form.rate);
    if (bps === null || bps < 1 || bps > 10_000) {
      errors.rate = 'From 0.01 to 100, with at most 2 decimals';
    }
  }
  if (isCustom) {
    within('quantity', form.quantity, 1, 1_000_000);
    const { key, name, namePlural } = unitOf(form);
    if (name === '' || name.length > 80) errors.unitName = 'What one is called, such as “seat”';
    if (namePlural.length > 80) errors.unitNamePlural = 'At most 80 characters';
    if (name !== '' && !/^[a-z][a-z0-9_]{0,63}$/.test(key)) {
      errors.unitKey = 'Small letters, digits and _, beginning with a letter';
    }
    if (form.validityDays.trim() !== '') within('validityDays', form.validityDays, 1, 3_650);
  }
  if (mayLast && form.durationMode === 'months') {
    within('durationMonths', form.durationMonths, 1, 120);
  }
  if (form.cap.trim() !== '') within('cap', form.cap, 1, 1_000_000_000);
  if (form.changeNote.length > 500) errors.changeNote = 'At most 500 characters';
  return errors;
}

/** The body to send: only the fields of the kind. Requires a form without errors. */
export function toBody(form: TermsForm, eventType: string): TermsBody {
  const facts = toFacts(form, eventType);
  const { isRounded, isRefunded } = partsOf(form, eventType);
  const { fixedAmountMinor, currency, currencyExponent, rateBps, unit, quantity } = facts;
  return {
    benefitKind: facts.benefitKind,
    calculation: facts.calculation,
    ...(fixedAmountMinor === null ? {} : { fixedAmountMinor, currency, currencyExponent }),
    ...(rateBps === null ? {} : { rateBps }),
    ...(unit === null ? {} : { unit, quantity }),
    ...(facts.validityDays === null ? {} : { validityDays: facts.validityDays }),
    durationMode: facts.durationMode,
    ...(facts.durationMonths === null ? {} : { durationMonths: facts.durationMonths }),
    ...(facts.maxRewardsPerBeneficiary === null
      ? {}
      : { maxRewardsPerBeneficiary: facts.maxRewardsPerBeneficiary }),
    ...(isRounded ? { roundingPolicy: facts.roundingPolicy } : {}),
    ...(isRefunded ? { refundPolicy: facts.refundPolicy } : {}),
    enabled: facts.enabled,
    ...(form.effectiveAt === '' ? {} : { effectiveAt: new Date(form.effectiveAt).toISOString() }),
    ...(form.changeNote.trim() === '' ? {} : { changeNote: form.changeNote.trim() }),
  };
}
