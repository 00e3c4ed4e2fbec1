import { expectOf } from '../model/contract.ts';
import { LATE_MS, type StripeBooks } from '../outside/stripe-books.ts';
import type { Actor } from '../world/actor.ts';
import { nameOf } from '../world/names.ts';
import { checkCoupons } from './check-coupons.ts';
import { checkCredits } from './check-credits.ts';
import { checkPayouts, type Outside } from './check-payouts.ts';
import { listAccepted } from './list-accepted.ts';
import type { Shown, Wire } from './wire.ts';

/** Everybody has what the contract says, no more and no less. */
export function checkContract(actor: Actor, outside: Outside, shown: Shown): string[] {
  const { accepted, findings } = listAccepted(actor, outside.receivers, shown);
  const expected = expectOf(accepted);
  const missing = new Set(expected.rewards.keys());
  for (const reward of shown.rewards) {
    const name = shown.nameOf(reward);
    const one = expected.rewards.get(name);
    if (!one || !missing.delete(name)) {
      findings.push(`${name} (${reward.id}) should not be there`);
      continue;
    }
    const compare = (what: string, is: unknown, must: unknown) => {
      if (is !== must) findings.push(`${what} of ${name} is ${is}, and must be ${must}`);
    };
    compare('the beneficiary', shown.people.get(reward.beneficiary.participantId), one.beneficiary);
    const size = reward.discount?.rateBps ?? reward.custom?.quantity ?? null;
    compare('the size', size, one.size);
    compare('the amount', reward.money?.amountMinor, one.amountMinor?.toString());
    if (reward.money) compare('the currency', reward.money.currency, one.currency);
    compare('the net amount', reward.money?.netAmountMinor, one.netMinor?.toString());
    compare('the status', reward.fulfillmentStatus, one.status);
  }
  findings.push(...checkReviews(shown, outside.payments.stripe));
  for (const name of missing) findings.push(`${name} is missing`);
  const keys = new Map(actor.programs.made.map(({ id, spec }) => [id, spec.key]));
  for (const [person, { referredBy }] of shown.details) {
    const is = referredBy
      ? `${shown.people.get(referredBy.referrerParticipantId)} in ${keys.get(referredBy.programId)}`
      : 'nobody';
    const bound = expected.referrals.get(person);
    const must = bound ? `${bound.referrer} in ${bound.program}` : 'nobody';
    if (is !== must) findings.push(`${person} was referred by ${is}, and must be by ${must}`);
  }
  for (const { operation, answer } of actor.acknowledged) {
    if (operation.kind !== 'signup' || operation.browser === null || answer.status !== 200)
      continue;
    const must = expected.identified.get(nameOf(operation.person));
    const is = answer.body.identified;
    if (is !== must)
      findings.push(
        `the signup of p${operation.person} was identified: ${is}, and must be: ${must}`,
      );
  }
  findings.push(...checkTurnedAway(actor, expected.turnedAway));
  findings.push(...checkPayouts(actor, outside.payments, shown, expected));
  findings.push(...checkCredits(actor, outside.payments.stripe, shown, expected));
  findings.push(...checkCoupons(actor, outside.payments.stripe, shown, expected));
  return findings;
}

/** Whoever types the code of a partner who is suspended is told so. */
function checkTurnedAway({ acknowledged }: Actor, turnedAway: ReadonlySet<string>): string[] {
  return acknowledged.flatMap(({ operation, answer }) => {
    if (operation.kind !== 'signup' || answer.status !== 200) return [];
    if (!turnedAway.has(nameOf(operation.person))) return [];
    const { accepted, reason } = answer.body.refCode;
    return accepted || reason !== 'referrer_unavailable'
      ? [
          `the code that p${operation.person} typed was ${accepted ? 'accepted' : `refused as ${reason}`}`,
        ]
      : [];
  });
}

/** Longer than a call takes to reach Stripe, late or not. */
const ON_ITS_WAY_MS = 2 * LATE_MS;

/** Stripe says when something was made to the second. */
const SECOND_MS = 999;

type Given = Pick<StripeBooks, 'credits' | 'coupons'>;

/** When a reward was granted, and before that ordered: what was on its way when a review was opened arrives during it. */
function timesOfGrant({ id, fulfillment }: Wire, { credits, coupons }: Given): string[] {
  const times = [
    ...credits.filter((one) => one.reward === id).map(({ createdMs }) => createdMs),
    ...coupons.filter((one) => one.reward === id).flatMap(({ givenMs }) => givenMs),
  ];
  if (times.length === 0) return [fulfillment.occurredAt];
  const madeMs = Math.min(...times) + SECOND_MS;
  return [madeMs, madeMs - ON_ITS_WAY_MS].map((ms) => new Date(ms).toISOString());
}

/** Nothing was granted while the referral that it is of was under review. A payout may have been on its way. */
function checkReviews(
  { feed, events, rewards, nameOf: nameReward }: Shown,
  given: Given,
): string[] {
  const reviews: Wire[] = feed.flatMap(({ type, data }) =>
    type.startsWith('risk.') ? [data.review] : [],
  );
  const isHeld = (referee: string, at: string) =>
    reviews.some(
      ({ id, openedAt, referee: { participantId } }) =>
        participantId === referee &&
        openedAt < at &&
        !reviews.some((one) => one.id === id && one.decidedAt !== null && one.decidedAt <= at),
    );
  return rewards.flatMap((reward) => {
    const { fulfillment, delivery, eventId, milestone, beneficiaryRole } = reward;
    // What members earn is of no referral.
    const isOfReferral = beneficiaryRole !== 'subject' && !milestone;
    if (!fulfillment || delivery.method === 'payout' || !isOfReferral) return [];
    const { participantId: referee } = events.get(eventId) ?? {};
    return timesOfGrant(reward, given).every((at) => isHeld(referee, at))
      ? [`${nameReward(reward)} was granted while its referral was under review`]
      : [];
  });
}
