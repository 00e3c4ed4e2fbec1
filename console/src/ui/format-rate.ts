/** `1250` → `12.5%`: hundredths of a percent, without trailing zeros. */
export function formatRate(rateBps: number): string {
  return `${(rateBps / 100).toLocaleString(undefined, { maximumFractionDigits: 2 })}%`;
}

/** A share in ten-thousandths: with two decimals below 1%, otherwise one. */
export function formatBps(bps: number | null): string {
  if (bps === null) return '–';
  const maximumFractionDigits = bps < 100 ? 2 : 1;
  return `${(bps / 100).toLocaleString(undefined, { maximumFractionDigits })}%`;
}
