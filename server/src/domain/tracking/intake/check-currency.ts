import { CURRENCY_EXPONENTS } from '../../../platform/kit/currencies.ts';
import { AppError, type Issue } from '../../../platform/kit/errors.ts';

/** The ISO 4217 currency, and the issues of how it was given. `path` ends with a dot, or is empty. */
export function checkCurrency(
  told: { readonly currency: string; readonly currencyExponent?: number | null | undefined },
  path: string,
): { currency: string; currencyExponent: number; issues: Issue[] } {
  const currency = told.currency.toUpperCase();
  const exponent = CURRENCY_EXPONENTS.get(currency);
  const issues: Issue[] = [];
  if (exponent === undefined) {
    const issue = 'must be an ISO 4217 currency that has a minor unit';
    issues.push({ path: `${path}currency`, issue });
  } else if ((told.currencyExponent ?? exponent) !== exponent) {
    issues.push({ path: `${path}currencyExponent`, issue: `must be ${exponent} for ${currency}` });
  }
  return { currency, currencyExponent: exponent ?? 0, issues };
}

/** Fails with INVALID_REQUEST, naming all issues, if there are any. */
export function refuseIssues(issues: readonly Issue[]): void {
  const [first] = issues;
  if (!first) return;
  throw new AppError('INVALID_REQUEST', `Invalid request: ${first.path} ${first.issue}.`, {
    details: issues,
  });
}
