import type { Expected } from '../model/contract.ts';
import type { Credited, StripeBooks } from '../outside/stripe-books.ts';
import type { Actor } from '../world/actor.ts';
import { customerOf, nameOf } from '../world/names.ts';
import { judgeRestored } from './judge-restored.ts';
import type { Shown, Wire } from './wire.ts';

/** A reward that the service credits to a balance, and what the contract says of it. */
export interface Owed {
  readonly id: string;
  readonly name: string;
  readonly customer: string;
  readonly amountMinor: bigint;
  readonly owedMinor: bigint;
  /** Nobody can say any more who they are. */
  readonly isErased: boolean;
  /** Nobody has said which customer they are, or a dispute or a review holds it. */
  readonly isWaiting: boolean;
  readonly isGranted: boolean;
}

/** Every customer has on their balance what the contract says, once. */
export function checkCredits(
  actor: Actor,
  stripe: StripeBooks,
  shown: Shown,
  expected: Expected,
): string[] {
  const { credits, forgotten, heedless } = stripe;
  const owed = listOwed(actor, shown, expected);
  const customers = new Map(owed.map(({ id, customer }) => [id, customer]));
  const known = new Set(shown.rewards.filter(isCredit).map(({ id }) => id));
  return [
    ...findTwice(credits),
    ...credits.flatMap(({ reward, customer }) => {
      const must = customers.get(reward) ?? customer;
      return customer === must ? [] : [`${reward} was credited to ${customer}, not ${must}`];
    }),
    ...credits.slice(forgotten.length).flatMap(({ reward }) => {
      return known.has(reward) ? [] : [`${reward} was credited, and does not exist`];
    }),
    ...heedless.map(({ reward }) => `${reward} was credited while the store was on hold`),
    // Credits of rewards that are not there any more count for others.
    ...(forgotten.length > 0
      ? judgeRestored({ credits, forgotten }, owed)
      : owed.flatMap((one) => judge(one, credits))),
  ];
}

function judge(one: Owed, credits: readonly Credited[]): string[] {
  const { id, name, amountMinor, owedMinor } = one;
  const own = credits.filter((credit) => credit.reward === id);
  const got = sumOf(own);
  if (one.isErased)
    return got < 0n || got > amountMinor
      ? [`${got} were credited for ${name} of somebody erased`]
      : [];
  const must = one.isWaiting && own.length === 0 ? 0n : owedMinor;
  return got === must ? [] : [`${got} were credited for ${name}, and must be ${must}`];
}

function listOwed(actor: Actor, shown: Shown, { rewards, referrals }: Expected): Owed[] {
  const customers = new Map<string, string>();
  for (const { operation, answer } of actor.acknowledged)
    if (operation.kind === 'bill' && answer.status === 200)
      customers.set(nameOf(operation.person), customerOf(operation.person));
  const erased = new Set([...actor.erased.keys()].map(nameOf));
  return shown.rewards.filter(isCredit).flatMap((reward): Owed[] => {
    const name = shown.nameOf(reward);
    const one = rewards.get(name);
    if (!one) return [];
    const { beneficiary, owedMinor } = one;
    const customer = customers.get(beneficiary);
    const isHeld = referrals.get(one.referee)?.review === 'open' || one.status === 'pending';
    return [
      {
        id: reward.id,
        name,
        customer: customer ?? `nobody, whom ${beneficiary} is`,
        amountMinor: one.amountMinor ?? 0n,
        owedMinor,
        isErased: erased.has(beneficiary),
        isWaiting: customer === undefined || (isHeld && !isDue(reward, owedMinor)),
        isGranted: reward.fulfillment !== null,
      },
    ];
  });
}

const isCredit = ({ delivery }: Wire): boolean => delivery.method === 'stripe_balance';

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
