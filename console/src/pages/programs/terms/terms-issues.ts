import { ApiError } from '../../../api/errors.ts';
import { readIssues } from '../../../ui/form-issues.ts';
import type { TermsErrors } from './terms-form.ts';

/** Where the form shows an issue of the service. */
const PLACES: Readonly<Record<string, keyof TermsErrors>> = {
  'terms.fixedAmountMinor': 'amount',
  'terms.currency': 'currency',
  'terms.rateBps': 'rate',
  'terms.quantity': 'quantity',
  'terms.unit.key': 'unitKey',
  'terms.unit.name': 'unitName',
  'terms.unit.namePlural': 'unitNamePlural',
  'terms.validityDays': 'validityDays',
  'terms.durationMonths': 'durationMonths',
  'terms.maxRewardsPerBeneficiary': 'cap',
  'terms.tiers.measure': 'measure',
  'terms.tiers.window': 'window',
  'terms.milestone.measure': 'measure',
  'terms.milestone.at': 'at',
  'terms.changeNote': 'changeNote',
  'terms.effectiveAt': 'effectiveAt',
};

const CONDITION = /^terms\.conditions\.(\d+)\.(field|op|value)(?=$|\.)/;
const STEP = /^terms\.tiers\.steps\.(\d+)\.(from|rateBps|fixedAmountMinor|quantity)$/;

/** The place of an issue about one condition or step, with its path without what is inside it. */
function placeInList(path: string): readonly [string, keyof TermsErrors] | undefined {
  const [condition, at, part] = CONDITION.exec(path) ?? [];
  if (condition && (part === 'field' || part === 'op' || part === 'value')) {
    return [condition, `conditions.${Number(at)}.${part}`];
  }
  const [step, index, field] = STEP.exec(path) ?? [];
  if (!step) return undefined;
  return [step, `steps.${Number(index)}.${field === 'from' ? 'from' : 'size'}`];
}

/** The service's issues about terms, by field of the form; `rest` fits no field. */
export function readTermsIssues(error: unknown, others: readonly string[] = []) {
  const paths = error instanceof ApiError ? error.issues.map(({ path }) => path) : [];
  const listed = paths.map(placeInList).filter((place) => place !== undefined);
  const places = [...Object.entries(PLACES), ...listed];
  const issues = readIssues(error, [...places.map(([path]) => path), ...others]);
  const errors: TermsErrors = {};
  for (const [path, field] of places) {
    const issue = issues.of(path);
    if (issue !== undefined) errors[field] = issue;
  }
  return { ...issues, errors };
}
