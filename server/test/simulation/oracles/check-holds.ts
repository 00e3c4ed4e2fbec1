import type { Actor } from '../world/actor.ts';
import type { Shown, Wire } from './wire.ts';

const DAY_MS = 86_400_000;

/** Rewards are on hold for as long as their program said, and no payout takes one before. */
export function checkHolds({ programs }: Actor, shown: Shown): string[] {
  const holds = new Map(programs.made.map(({ id, spec }) => [id, spec.holdDays]));
  const ends = new Map<string, string>();
  const findings: string[] = [];
  for (const reward of shown.rewards) {
    const { id, earnedAt, availableAt, programId } = reward;
    ends.set(id, availableAt);
    const must = new Date(
      Date.parse(earnedAt) + (holds.get(programId) ?? 0) * DAY_MS,
    ).toISOString();
    // One that was lost and is reached again is held anew.
    const mayBeLater = reward.milestone !== null && availableAt > must;
    if (availableAt !== must && !mayBeLater)
      findings.push(`the hold of ${shown.nameOf(reward)} ends at ${availableAt}`);
  }
  for (const { id, createdAt, rewards } of shown.payouts)
    for (const { rewardId, amountMinor } of rewards as Wire[])
      if (BigInt(amountMinor) > 0n && createdAt < (ends.get(rewardId) ?? ''))
        findings.push(`${id} took ${rewardId} before its hold had ended`);
  return findings;
}
