/** `1250` → `12.5%`: hundredths of a percent, without zeros that say nothing. */
export function formatRate(rateBps: number): string {
  return `${(rateBps / 100).toLocaleString(undefined, { maximumFractionDigits: 2 })}%`;
}
