/**
 * @param {number} amountMinor
 * @param {string} currency One with cents.
 */
export function formatMoney(amountMinor, currency) {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amountMinor / 100);
}

/** @param {number} rateBps Hundredths of a percent. */
export function formatRate(rateBps) {
  return new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 2 }).format(
    rateBps / 10_000,
  );
}
