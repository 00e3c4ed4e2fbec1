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
  'terms.changeNote': 'changeNote',
  'terms.effectiveAt': 'effectiveAt',
};

/** The service's issues about terms, by field of the form; `rest` fits no field. */
export function readTermsIssues(error: unknown, others: readonly string[] = []) {
  const issues = readIssues(error, [...Object.keys(PLACES), ...others]);
  const errors: TermsErrors = {};
  for (const [path, field] of Object.entries(PLACES)) {
    const issue = issues.of(path);
    if (issue !== undefined) errors[field] = issue;
  }
  return { ...issues, errors };
}
