/** The percentage of the decided reviews that were rejected; null if none was decided. */
export function rejectedShare({ approved, rejected }: { approved: number; rejected: number }) {
  const decided = approved + rejected;
  return decided === 0 ? null : Math.round((100 * rejected) / decided);
}
