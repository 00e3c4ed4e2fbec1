import type { Shown, Wire } from './wire.ts';

/** What was cancelled is paid by no payout. One that was on its way when its reward was voided is another matter. */
export function checkCancelled({ feed }: Pick<Shown, 'feed'>): string[] {
  const cancelled = new Set<string>();
  const findings: string[] = [];
  for (const { type, data } of feed) {
    if (type === 'reward.voided' && data.reward.fulfillmentStatus === 'cancelled')
      cancelled.add(data.reward.id);
    if (type !== 'payout.paid') continue;
    for (const { rewardId, amountMinor } of data.payout.rewards as Wire[])
      if (cancelled.has(rewardId) && BigInt(amountMinor) > 0n)
        findings.push(`${data.payout.id} has paid ${rewardId}, which was cancelled`);
  }
  return findings;
}
