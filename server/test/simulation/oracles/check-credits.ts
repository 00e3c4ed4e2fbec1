import type { Expected } from '../model/contract.ts';
import type { Credited, StripeBooks } from '../outside/stripe-books.ts';
import type { Actor } from '../world/actor.ts';
import { customerOf, nameOf } from '../world/names.ts';
import type { Shown, Wire } from './wire.ts';

/** Every customer has on their balance what the contract says, once. */
export function checkCredits(
  actor: Actor,
  stripe: StripeBooks,
  shown: Shown,
  { rewards, referrals }: Expected,
): string[] {
  const { credits } = stripe;
  const findings = findTwice(credits);
  const accounts = new Map<string, string>();
  for (const { operation, answer } of actor.acknowledged)
    if (operation.kind === 'bill' && answer.status === 200)
      accounts.set(nameOf(operation.person), customerOf(operation.person));
  const erased = new Set([...actor.erased.keys()].map(nameOf));
  const known = new Set<string>();
  for (const reward of shown.rewards as Wire[]) {
    if (reward.delivery.method !== 'stripe_balance') continue;
    known.add(reward.id);
    const name = shown.nameOf(reward);
    const one = rewards.get(name);
    if (!one) continue;
    const own = credits.filter((credit) => credit.reward === reward.id);
    const got = sumOf(own);
    const account = accounts.get(one.beneficiary);
    for (const { customer } of own)
      if (customer !== account)
        findings.push(`${name} was credited to ${customer}, not ${account}`);
    // Nobody can say any more who they are.
    if (erased.has(one.beneficiary)) {
      if (got < 0n || got > (one.amountMinor ?? 0n))
        findings.push(`${got} were credited for ${name} of somebody erased`);
      continue;
    }
    const isHeld = referrals.get(one.referee)?.review === 'open' || one.status === 'pending';
    const isWaiting = account === undefined || (isHeld && !isDue(reward, one.owedMinor));
    const must = isWaiting && own.length === 0 ? 0n : one.owedMinor;
    if (got !== must) findings.push(`${got} were credited for ${name}, and must be ${must}`);
  }
  for (const { reward } of credits)
    if (!known.has(reward)) findings.push(`${reward} was credited, and does not exist`);
  return findings;
}

/** Nothing is on the way of a credit any more once faults have ended, but a dispute or a review. */
const isDue = ({ delivery }: Wire, owedMinor: bigint): boolean =>
  owedMinor > 0n && !['dispute_open', 'risk_review'].includes(delivery.reason);

/** Two credits of one step of one reward. */
function findTwice(credits: readonly Credited[]): string[] {
  const seen = new Set<string>();
  return credits.flatMap(({ reward, attempt }) => {
    const step = `${reward}_${attempt}`;
    if (!seen.has(step)) {
      seen.add(step);
      return [];
    }
    return [`${step} was credited twice`];
  });
}

const sumOf = (credits: readonly Credited[]): bigint =>
  credits.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
