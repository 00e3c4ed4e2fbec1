/** `1250` → `12.5%`: hundredths of a percent, without zeros that say nothing. */
export function formatRate(rateBps: number): string {
  return `${(rateBps / 100).toLocaleString(undefined, { maximumFractionDigits: 2 })}%`;
}

/** A share of something, in ten-thousandths: a second decimal only where it is most of the number. */
export function formatBps(bps: number | null): string {
  if (bps === null) return '–';
  const maximumFractionDigits = bps < 100 ? 2 : 1;
  return `${(bps / 100).toLocaleString(undefined, { maximumFractionDigits })}%`;
}
